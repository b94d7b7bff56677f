/** How does a PDF become blocks of text with the exact place of every word? */
import { setImmediate } from 'node:timers/promises';
import { pdf } from '../../config.ts';
import { ParseFailure, type Parser, type Part, type SourceFile } from '../../document.ts';
import { blocksOfPage, marginBlock } from './blocks.ts';
import { BodySize } from './body-size.ts';
import { KnownWords } from './hyphens.ts';
import { type Line, linesOfPage } from './lines.ts';
import { marginKeys, marginLines } from './margins.ts';
import { PageReader } from './page-reader.ts';
import { readProperties } from './properties.ts';

/** A page that waits until its neighbours are read too. */
interface WaitingPage {
  lines: Line[];
  keys: Map<Line, string>;
}

/**
 * Blocks of a PDF, page by page. Throws ParseFailure: encrypted, damaged, empty (no pages), no-text (pictures
 * only). Pages that can't be read, have no text, or are over a limit are named in warnings.
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
  const count = Math.min(reader.document.pageCount, pdf.maxPages);
  const body = new BodySize();
  const words = new KnownWords(pdf.maxKnownWords);
  const pages: WaitingPage[] = [];
  const seen: Seen = { withText: 0, withoutText: [], failed: [], cut: [] };
  for (let index = 0; index < count + pdf.marginWindow; index += 1) {
    signal.throwIfAborted();
    if (index < count) {
      const glyphs = await reader.read(index);
      const lines = glyphs ? linesOfPage(glyphs, index + 1) : [];
      if (!glyphs) seen.failed.push(index + 1);
      else if (lines.length === 0) seen.withoutText.push(index + 1);
      else seen.withText += 1;
      if (glyphs?.isCut) seen.cut.push(index + 1);
      for (const line of lines) {
        body.add(line);
        words.add(line.text);
      }
      pages.push({ lines, keys: marginKeys(lines) });
      // Lets a cancel arrive: PDFium itself never waits.
      if (index % 8 === 7) await setImmediate();
    }
    // The page before the window's end has all its neighbours now.
    const ready = index - pdf.marginWindow;
    if (ready >= 0) yield* blocksOf(pages, Math.min(ready, pdf.marginWindow), body, words, count);
    if (ready >= pdf.marginWindow) pages.shift();
  }
  yield* warnings(seen, reader.document.pageCount, file);
}

/** Blocks of one waiting page: running header, text, running footer. */
function* blocksOf(
  pages: WaitingPage[],
  at: number,
  body: BodySize,
  words: KnownWords,
  count: number,
): Generator<Part> {
  const page = pages[at]!;
  const others = pages.filter((other) => other !== page).map((other) => other.keys);
  const margins = marginLines(page.keys, others, count);
  const headers = [...margins].filter((line) => line.down < 0.5);
  const footers = [...margins].filter((line) => line.down >= 0.5);
  const lines = page.lines.filter((line) => !margins.has(line));
  for (const line of headers) yield { type: 'block', block: marginBlock(line) };
  const text = blocksOfPage({ lines, bodySize: body.size(), knows: (word) => words.has(word) });
  for (const block of text) yield { type: 'block', block };
  for (const line of footers) yield { type: 'block', block: marginBlock(line) };
}

/** Pages by what became of them, 1-based. */
interface Seen {
  withText: number;
  withoutText: number[];
  failed: number[];
  cut: number[];
}

function* warnings(seen: Seen, pageCount: number, file: SourceFile): Generator<Part> {
  if (seen.withText === 0 && seen.failed.length > seen.withoutText.length) {
    throw new ParseFailure(
      'damaged',
      `PDF not read: ${file.name}: none of its pages can be loaded: open and save it again`,
    );
  }
  if (seen.withText === 0) {
    throw new ParseFailure(
      'no-text',
      `PDF not read: ${file.name}: its pages are pictures without text: they need recognition`,
    );
  }
  const warn = (code: string, message: string): Part => ({ type: 'warning', warning: { code, message } });
  const { withoutText, failed, cut } = seen;
  if (withoutText.length > 0) {
    yield warn('pages-without-text', `No text on ${named(withoutText)}: pictures need recognition`);
  }
  if (failed.length > 0) yield warn('pages-unreadable', `Not read: ${named(failed)}: the page is damaged`);
  if (cut.length > 0) {
    yield warn('pages-cut', `Read in part: ${named(cut)}: more than ${pdf.maxCharactersPerPage} characters`);
  }
  if (pageCount > pdf.maxPages) {
    yield warn(
      'pages-over-limit',
      `Read to page ${pdf.maxPages} of ${pageCount}: split the file to read the rest`,
    );
  }
}

/** "page 3", "pages 1–4, 7 and 12 more ranges". */
function named(pages: number[]): string {
  const ranges: string[] = [];
  for (let index = 0; index < pages.length; ) {
    let end = index;
    while (pages[end + 1] === pages[end]! + 1) end += 1;
    ranges.push(end === index ? `${pages[index]}` : `${pages[index]}–${pages[end]}`);
    index = end + 1;
  }
  const rest = ranges.length - maxNamedRanges;
  const list = ranges.slice(0, maxNamedRanges).join(', ');
  return `${pages.length === 1 ? 'page' : 'pages'} ${list}${rest > 0 ? ` and ${rest} more ranges` : ''}`;
}

const maxNamedRanges = 20;
