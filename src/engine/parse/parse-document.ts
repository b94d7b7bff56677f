/** Which parser reads this file? The content decides; the name only where content can't. */
import { open } from 'node:fs/promises';
import type { DocumentKind } from '../../api/types.ts';
import { ParseFailure, type Parser, type Part, type SourceFile } from '../document.ts';
import { textKindOf } from './kinds.ts';
import { sniff } from './sniff.ts';

/** Parsers are loaded when first needed: PDFium and exceljs take longer to load than a text takes to read. */
const parsers: Record<DocumentKind, () => Promise<Parser>> = {
  pdf: async () => (await import('./pdf/parse-pdf.ts')).parsePdf,
  docx: async () => (await import('./docx/parse-docx.ts')).parseDocx,
  xlsx: async () => (await import('./sheet/parse-xlsx.ts')).parseXlsx,
  csv: async () => (await import('./sheet/parse-csv.ts')).parseCsv,
  html: async () => (await import('./html/parse-html.ts')).parseHtml,
  markdown: async () => (await import('./text/parse-markdown.ts')).parseMarkdown,
  code: async () => (await import('./text/parse-code.ts')).parseCode,
  text: async () => (await import('./text/parse-text.ts')).parseText,
  pptx: async () => (await import('./slides/parse-pptx.ts')).parsePptx,
  odp: async () => (await import('./slides/parse-odp.ts')).parseOdp,
  ppt: async () => (await import('./slides/parse-ppt.ts')).parsePpt,
  odt: async () => (await import('./flow/parse-odt.ts')).parseOdt,
  rtf: async () => (await import('./flow/parse-rtf.ts')).parseRtf,
  doc: async () => (await import('./flow/parse-doc.ts')).parseDoc,
  epub: async () => (await import('./flow/parse-epub.ts')).parseEpub,
  mhtml: async () => (await import('./flow/parse-mhtml.ts')).parseMhtml,
  xml: async () => (await import('./flow/parse-xml.ts')).parseXml,
  notebook: async () => (await import('./flow/parse-notebook.ts')).parseNotebook,
  ods: async () => (await import('./sheet/parse-ods.ts')).parseOds,
  xls: async () => (await import('./sheet/parse-xls.ts')).parseXls,
  xlsb: async () => (await import('./sheet/parse-xlsb.ts')).parseXlsb,
  database: async () => (await import('./sheet/parse-database.ts')).parseDatabase,
  transcript: async () => (await import('./text/parse-transcript.ts')).parseTranscript,
  note: async () => (await import('./text/parse-note.ts')).parseNote,
  mail: async () => (await import('./mail/parse-mail.ts')).parseMail,
  mailbox: async () => (await import('./mail/parse-mailbox.ts')).parseMailbox,
  archive: async () => (await import('./archive/parse-archive.ts')).parseArchive,
  image: async () => (await import('./image/parse-image.ts')).parseImage,
};

/** Kinds in which no block means no text; the others tell why there is none. */
const textKinds: ReadonlySet<DocumentKind> = new Set(['html', 'markdown', 'text', 'code']);

/** First bytes that are looked at; a PDF's mark may stand anywhere in the first 1,024. */
const HEAD_BYTES = 4_100;

/**
 * Reads one file of any kind. Throws ParseFailure: 'empty' for no bytes, 'unsupported' for content that no parser
 * reads, and what the parser of its kind throws.
 */
export const parseDocument: Parser = async function* (file, signal) {
  yield* parseAs(await kindOf(file), file, signal);
};

/** Reads a file whose kind is known already. Throws as parseDocument does. */
export async function* parseAs(
  kind: DocumentKind,
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  signal.throwIfAborted();
  const parse = await parsers[kind]();
  yield { type: 'metadata', metadata: { kind } };
  let hasText = false;
  for await (const part of parse(file, signal)) {
    hasText ||= part.type === 'block' || part.type === 'table';
    yield part;
  }
  if (!hasText && textKinds.has(kind)) {
    throw new ParseFailure('empty', `Nothing to read: ${file.name}: there is no text in it.`);
  }
}

/** How a file will be read. Throws ParseFailure where it can't be. */
export async function kindOf(file: SourceFile): Promise<DocumentKind> {
  const head = file.bytes?.subarray(0, HEAD_BYTES) ?? (await readHead(file.path));
  if (head.length === 0) {
    throw new ParseFailure('empty', `Nothing to read: ${file.name}: the file has no bytes.`);
  }
  const found = await sniff(head, file);
  if (found.kind) return found.kind;
  if (found.format) {
    throw new ParseFailure(
      'unsupported',
      `The file was not read: ${file.name}: ${found.format} is not supported; convert it to PDF, DOCX, XLSX, HTML or text.`,
    );
  }
  const promised = textKindOf(file.name) ?? 'text';
  return promised === 'text' && found.looksLikeHtml ? 'html' : promised;
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
