/** Which blocks and tables does a page give, once its neighbours are known? */
import type { Block, Part } from '../../document.ts';
import { itemsOf, type TableLook } from './aligned-tables.ts';
import { blocksOfPage, footnoteBlock, marginBlock, usualPitch } from './blocks.ts';
import type { BodySize } from './body-size.ts';
import { footnotesOf } from './footnotes.ts';
import type { Line } from './lines.ts';
import { marginLines } from './margins.ts';
import { type Bookmark, headingLines } from './outline.ts';
import type { TableWriter } from './table-parts.ts';

/** A page that waits until its neighbours are read too. */
export interface WaitingPage extends TableLook {
  lines: Line[];
  /** Lines at its edges, see marginKeys. */
  keys: Map<Line, string>;
  /** What was written onto it. */
  notes: Block[];
}

/** What is known of the document so far. */
export interface Known {
  body: BodySize;
  /** Tells whether a word, in lower case, stands on this page or one before. */
  knows(word: string): boolean;
  writer: TableWriter;
  /** By page, 1-based. */
  outline: Map<number, Bookmark[]>;
  pageCount: number;
}

const maxCaptionLength = 200;
const caption = /^(?:table|tab\.|таблица|табл\.|exhibit)\s*\S{0,8}\d/iu;
const continued = /\b(?:continued|cont['’]?d|cont\.)|(?:продолжение|окончание)/iu;

/** Parts of one page: running header, text and tables, notes, running footer. */
export function* partsOfPage(page: WaitingPage, others: WaitingPage[], known: Known): Generator<Part> {
  const margins = marginLines(
    page.keys,
    others.map((other) => other.keys),
    known.pageCount,
  );
  const headers = [...margins].filter((line) => line.down < 0.5);
  const footers = [...margins].filter((line) => line.down >= 0.5);
  const bodySize = known.body.size();
  const own = page.lines.filter((line) => !margins.has(line));
  const footnotes = footnotesOf(own, bodySize);
  const apart = new Set(footnotes.flat());
  const lines = own.filter((line) => !apart.has(line));
  yield* headers.map(marginBlock).map(asPart);
  yield* textParts(page, lines, known);
  yield* footnotes.map((note) => asPart(footnoteBlock(note, known.knows)));
  yield* page.notes.map(asPart);
  yield* footers.map(marginBlock).map(asPart);
}

function* textParts(
  page: WaitingPage,
  lines: Line[],
  { knows, writer, outline, body }: Known,
): Generator<Part> {
  const levels = headingLines(lines, outline.get(page.page) ?? []);
  const look = {
    bodySize: body.size(),
    pitch: usualPitch(lines),
    knows,
    levels,
    hasOutline: outline.size > 0,
  };
  let name = '';
  for (const item of itemsOf(lines, page)) {
    if (item.table) {
      yield* writer.parts(item.table, name);
      name = '';
      continue;
    }
    const blocks = blocksOfPage(item.lines, look);
    yield* blocks.map(asPart);
    name = captionOf(blocks.at(-1));
    if (blocks.length > 1 || !isContinued(blocks[0])) writer.close();
  }
}

function asPart(block: Block): Part {
  return { type: 'block', block };
}

/** A line such as "Table 3: Fees" right above a table is its name. */
function captionOf(block: Block | undefined): string {
  const text = block?.text.trim() ?? '';
  return caption.test(text) && text.length <= maxCaptionLength ? text : '';
}

/** "Table 3 (continued)": the table of the page before goes on. */
function isContinued(block: Block | undefined): boolean {
  return block !== undefined && block.text.length <= maxCaptionLength && continued.test(block.text);
}
