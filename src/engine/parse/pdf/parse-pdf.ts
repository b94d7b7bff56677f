/** How does a PDF become blocks of text with the exact place of every word? */
import { setImmediate } from 'node:timers/promises';
import { pdf } from '../../config.ts';
import { ParseFailure, type Parser, type Part, type SourceFile } from '../../document.ts';
import { BodySize } from './body-size.ts';
import { KnownWords } from './hyphens.ts';
import { judgePage } from './judge-page.ts';
import { linesOfPage } from './lines.ts';
import { marginKeys } from './margins.ts';
import { noteBlocks } from './notes.ts';
import { type Known, partsOfPage, type WaitingPage } from './page-parts.ts';
import { PageReader } from './page-reader.ts';
import { SeenPages } from './page-warnings.ts';
import type { PageContent } from './pdfium.ts';
import { readProperties } from './properties.ts';
import { rulesInFrame } from './rules.ts';
import { TableWriter } from './table-parts.ts';

/**
 * Blocks and tables of a PDF, page by page. Throws ParseFailure: encrypted, damaged, empty (no pages), no-text
 * (pictures only). Pages that can't be read, have no text or no usable one, or are over a limit are named in warnings;
 * those that recognition could mend in the metadata.
 */
export const parsePdf: Parser = async function* parsePdf(file, signal) {
  const reader = await PageReader.open(file);
  try {
    const count = reader.document.pageCount;
    if (count <= 0) {
      throw new ParseFailure('empty', `PDF not read: ${file.name}: it has no pages: check how it was made`);
    }
    yield { type: 'metadata', metadata: readProperties(reader.document) };
    yield* readPages(reader, file, signal);
  } finally {
    reader.close();
  }
};

async function* readPages(reader: PageReader, file: SourceFile, signal: AbortSignal): AsyncGenerator<Part> {
  const { pageCount } = reader.document;
  const count = Math.min(pageCount, pdf.maxPages);
  const words = new KnownWords(pdf.maxKnownWords);
  const knows = (word: string): boolean => words.has(word);
  const body = new BodySize();
  const outline = reader.document.outline();
  const known: Known = { body, knows, writer: new TableWriter(knows), outline, pageCount };
  const attachments = reader.document.attachments();
  const pages: WaitingPage[] = [];
  const seen = new SeenPages();
  for (let index = 0; index < count + pdf.marginWindow; index += 1) {
    signal.throwIfAborted();
    if (index < count) {
      const content = await reader.read(index);
      if (!content) seen.addFailed(index + 1);
      const page = waitingPage(content, index + 1, seen);
      for (const line of page.lines) {
        body.add(line);
        words.add(line.text);
      }
      pages.push(page);
      // Lets a cancel arrive: PDFium itself never waits.
      if (index % 8 === 7) await setImmediate();
    }
    // The page before the window's end has all its neighbours now.
    const ready = index - pdf.marginWindow;
    const page = ready < 0 ? undefined : pages[Math.min(ready, pdf.marginWindow)];
    const others = pages.filter((other) => other !== page);
    if (page) yield* partsOfPage(page, others, known);
    if (ready >= pdf.marginWindow) pages.shift();
  }
  yield* seen.parts(pageCount, attachments, file);
}

/** A page's lines and notes, judged; nothing where it can't be loaded. */
function waitingPage(content: PageContent | undefined, page: number, seen: SeenPages): WaitingPage {
  if (!content) return { page, across: [], lines: [], keys: new Map(), notes: [] };
  const { glyphs, marks, notes } = content;
  const lines = linesOfPage(content, page);
  const text = notes.length === 0 ? '' : lines.map((line) => line.text).join('\n');
  const blocks = noteBlocks(notes, text, glyphs.visible, page);
  seen.add(page, judgePage(content, lines), lines.length + blocks.length > 0, glyphs.isCut);
  const { across } = rulesInFrame(marks, glyphs.quarterTurns);
  return { page, across, lines, keys: marginKeys(lines), notes: blocks };
}
