/** What does the page open for a document? Prepared in the parse worker, since the bytes are untrusted. */
import type { DocumentKind } from '../../api/types.ts';
import { text as limits } from '../config.ts';
import { ParseFailure, type SourceFile } from '../document.ts';

export interface PreparedView {
  bytes: Uint8Array;
  /** Media type, with its charset. */
  type: string;
}

/**
 * The prepared view of a document, or undefined for kinds that open from their original bytes (pdf) or from stored rows
 * (xlsx, csv). HTML has `data-block` identifiers; text, Markdown and code are UTF-8 with the line numbers of their anchors.
 */
export async function makeView(
  kind: DocumentKind,
  file: SourceFile,
  signal: AbortSignal,
): Promise<PreparedView | undefined> {
  switch (kind) {
    case 'html': {
      const { viewHtml } = await import('./html/view-html.ts');
      return { bytes: Buffer.from(await viewHtml(file, signal), 'utf8'), type: 'text/html; charset=utf-8' };
    }
    case 'docx': {
      const { viewDocx } = await import('./docx/view-docx.ts');
      return viewDocx(file, signal);
    }
    case 'pptx':
    case 'odp':
    case 'ppt':
      return htmlView((await import('./slides/view-slides.ts')).viewSlides(kind, file, signal));
    case 'odt':
    case 'rtf':
    case 'doc':
    case 'epub':
    case 'mhtml':
    case 'xml':
    case 'notebook':
      return htmlView((await import('./flow/view-flow.ts')).viewFlow(kind, file, signal));
    case 'mail':
      return htmlView((await import('./mail/parse-mail.ts')).viewMail(file, signal));
    case 'transcript': {
      const { readCues } = await import('./text/read-cues.ts');
      const { cues } = await readCues(file, signal);
      return { bytes: Buffer.from(JSON.stringify(cues), 'utf8'), type: 'application/json; charset=utf-8' };
    }
    case 'note':
    case 'markdown':
    case 'text':
    case 'code':
      return { bytes: await textBytes(file, signal), type: 'text/plain; charset=utf-8' };
    case 'pdf':
    case 'xlsx':
    case 'csv':
    case 'ods':
    case 'xls':
    case 'xlsb':
    case 'database':
      return undefined;
    case 'mailbox':
    case 'archive':
      return htmlView((await import('./archive/view-members.ts')).viewMembers(kind, file, signal));
    case 'image': {
      const { viewImage } = await import('./image/view-image.ts');
      return { bytes: await viewImage(file), type: 'application/pdf' };
    }
  }
}

async function htmlView(page: Promise<string>): Promise<PreparedView> {
  return { bytes: Buffer.from(await page, 'utf8'), type: 'text/html; charset=utf-8' };
}

/** The text in UTF-8, its line ends made one. */
async function textBytes(file: SourceFile, signal: AbortSignal): Promise<Uint8Array> {
  const { decodeText } = await import('./text/decode-text.ts');
  const { pieces } = await decodeText(file, signal);
  const parts: Buffer[] = [];
  let length = 0;
  let endedWithReturn = false;
  for await (const piece of pieces()) {
    const body = endedWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    endedWithReturn = piece.endsWith('\r');
    const part = Buffer.from(body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body, 'utf8');
    length += part.length;
    if (length > limits.maxViewBytes) {
      throw new ParseFailure(
        'too-large',
        `The text can't be shown: ${file.name}: it is over 256 MB; open it in its own program.`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}
