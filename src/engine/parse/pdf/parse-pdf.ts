/** How does a PDF become blocks of text with the exact place of every word? */
import { pdf } from '../../config.ts';
import { ParseFailure, type Parser, type Part, type SourceFile } from '../../document.ts';
import { linesOfRecognised } from '../recognise/recognised-lines.ts';
import { type RecognisedPage, readRecognised } from '../recognise/recognised-page.ts';
import { judgePage } from './judge-page.ts';
import { linesOfPage } from './lines.ts';
import { marginKeys } from './margins.ts';
import { noteBlocks } from './notes.ts';
import { partsOfPages } from './page-flow.ts';
import type { WaitingPage } from './page-parts.ts';
import { PageReader } from './page-reader.ts';
import { SeenPages } from './page-warnings.ts';
import type { PageContent } from './pdfium.ts';
import { readProperties } from './properties.ts';
import { rulesInFrame } from './rules.ts';

/**
 * Blocks and tables of a PDF, page by page. Throws ParseFailure: encrypted, damaged, empty (no pages, or nothing on
 * them that recognition could read), no-text (pictures that wait for recognition). Pages that can't be read, have no
 * text or no usable one, or are over a limit are named in warnings; those that recognition could mend in the metadata.
 */
export const parsePdf: Parser = async function* parsePdf(file, signal) {
  const recognised = await readRecognised(file.recognisedPath);
  const reader = await PageReader.open(file);
  try {
    const count = reader.document.pageCount;
    if (count <= 0) {
      throw new ParseFailure('empty', `PDF not read: ${file.name}: it has no pages: check how it was made`);
    }
    yield { type: 'metadata', metadata: readProperties(reader.document) };
    yield* readPages(reader, recognised, file, signal);
  } finally {
    reader.close();
  }
};

async function* readPages(
  reader: PageReader,
  recognised: Map<number, RecognisedPage>,
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const { pageCount } = reader.document;
  const outline = reader.document.outline();
  const attachments = reader.document.attachments();
  const seen = new SeenPages();
  const count = Math.min(pageCount, pdf.maxPages);
  const read = async (index: number): Promise<WaitingPage> => {
    const content = await reader.read(index);
    if (!content) seen.addFailed(index + 1);
    return waitingPage(content, index + 1, recognised.get(index + 1), seen);
  };
  yield* partsOfPages(read, { count, pageCount, outline, signal });
  yield* seen.parts(pageCount, attachments, file);
}

/** A page's lines and notes, judged; nothing where it can't be loaded. */
function waitingPage(
  content: PageContent | undefined,
  page: number,
  recognised: RecognisedPage | undefined,
  seen: SeenPages,
): WaitingPage {
  if (!content) return { page, across: [], lines: [], keys: new Map(), notes: [] };
  const { glyphs, marks, notes } = content;
  const own = linesOfPage(content, page);
  const judgement = judgePage(content, own);
  const isMended = recognised !== undefined && (judgement === 'no-text' || judgement === 'bad-text');
  // What a bad page says beside its picture, such as a stamp, is in the picture too.
  const lines = isMended && recognised.lines.length > 0 ? linesOfRecognised(recognised, glyphs) : own;
  const text = notes.length === 0 ? '' : lines.map((line) => line.text).join('\n');
  const blocks = noteBlocks(notes, text, glyphs.visible, page);
  const hasText = lines.length + blocks.length > 0;
  seen.add(page, judgement, { hasText, isCut: glyphs.isCut, recognised: isMended ? recognised : undefined });
  const { across } = rulesInFrame(marks, glyphs.quarterTurns);
  return { page, across, lines, keys: marginKeys(lines), notes: blocks };
}
