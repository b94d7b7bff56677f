/** Which lines make one paragraph, heading or list item? */
import type { Block, Span } from '../../document.ts';
import { joinsHyphen } from './hyphens.ts';
import { bullet, type Line } from './lines.ts';

const numbered = /^(?:\(?\d{1,3}[.)]|\(?[a-zа-я][.)]|[ivx]{1,5}[.)])\s+\S/iu;
const headingNumber =
  /^(?:\d{1,3}(?:\.\d{1,3}){1,5}\.?|\d{1,3}\.|§\s?\d+|[IVXLC]{1,6}\.|[A-ZА-Я]\.)\s+\p{Lu}/u;
const sentenceEnd = /[.!?:;…]["'»”)\]]*$/u;

const maxHeadingLength = 200; // characters; longer is prose in large type
const maxHeadingLines = 3;

/** What a page's blocks are judged by. */
export interface PageLook {
  /** Size of the document's running text, points. */
  bodySize: number;
  /** Usual distance of the page's lines, ems; see usualPitch. */
  pitch: number;
  /** Words of this page and the ones before: tells whether a hyphen at a line's end belongs to the word. */
  knows(word: string): boolean;
  /** Levels of the lines that the document's bookmarks name. */
  levels: Map<Line, number>;
  /** The document has bookmarks: headings that they leave out stand below them. */
  hasOutline: boolean;
}

/** Numbers of clauses: "2.1", "2.1.3."; after a finished sentence such a line begins a new one. */
const clauseNumber = /^\d{1,3}(?:\.\d{1,3}){1,4}\.?\s+\p{L}/u;

/** Blocks of running lines in reading order. */
export function blocksOfPage(lines: Line[], look: PageLook): Block[] {
  const blocks: Block[] = [];
  let open: Line[] = [];
  const close = (): void => {
    if (open.length > 0) blocks.push(blockOf(open, look));
    open = [];
  };
  for (const line of lines) {
    const isSameKind = open.length === 0 || look.levels.get(open[0]!) === look.levels.get(line);
    if (!isSameKind || !continuesParagraph(open, line, look.pitch)) close();
    open.push(line);
  }
  close();
  return blocks;
}

/** A line of the page's edge that is the same on other pages. */
export function marginBlock(line: Line): Block {
  return { kind: 'margin', text: `${line.text}\n`, spans: line.spans };
}

/** Median distance of a page's lines within a column, in ems. */
export function usualPitch(lines: Line[]): number {
  const pitches: number[] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const a = lines[index - 1]!;
    const b = lines[index]!;
    const pitch = middle(b) - middle(a);
    if (a.column === b.column && isSameSize(a, b) && pitch > 0.7 * b.size && pitch < 3 * b.size) {
      pitches.push(pitch / b.size);
    }
  }
  pitches.sort((a, b) => a - b);
  return pitches[pitches.length >> 1] ?? 1.2;
}

function middle(line: Line): number {
  return (line.v0 + line.v1) / 2;
}

function isSameSize(a: Line, b: Line): boolean {
  return Math.abs(a.size - b.size) <= 0.08 * Math.max(a.size, b.size);
}

function continuesParagraph(open: Line[], line: Line, pitch: number): boolean {
  const last = open.at(-1);
  if (!last || last.column !== line.column || last.cells > 1 || line.cells > 1) return false;
  if (!isSameSize(last, line) || last.isBold !== line.isBold) return false;
  if (last.spans[0]!.stops?.direction !== line.spans[0]!.stops?.direction && line.spans[0]!.stops)
    return false;
  const distance = (middle(line) - middle(last)) / line.size;
  if (distance <= 0.3 || distance > Math.max(pitch * 1.25, 1.35)) return false;
  if (startsList(line.text)) return false;
  if (clauseNumber.test(line.text) && sentenceEnd.test(last.text)) return false;
  const em = line.size;
  const isFull = last.u1 > last.columnEnd - Math.max(0.15 * (last.columnEnd - last.columnStart), 4 * em);
  if (!isFull && sentenceEnd.test(last.text)) return false;
  const indent = (line.u0 - last.u0) / em;
  // Deeper: the first line of the next paragraph, unless this one hangs below its own first line.
  if (indent > 0.9) return open.length === 1 && (isFull || startsList(last.text));
  if (indent < -0.9) return open.length === 1 && !startsList(last.text);
  return true;
}

function startsList(text: string): boolean {
  return numbered.test(text) || (bullet.test(text[0] ?? '') && /^.\s+\S/u.test(text));
}

/** Bookmarks take the levels from 1; headings that they leave out begin here. */
const levelsOfOutline = 4;

function blockOf(lines: Line[], { bodySize, knows, levels, hasOutline }: PageLook): Block {
  const { text, spans } = joinLines(lines, knows);
  const marked = levels.get(lines[0]!);
  if (marked !== undefined) return { kind: 'heading', text: `${text}\n`, level: marked, spans };
  const own = headingLevel(lines, text, bodySize);
  const level = own !== undefined && hasOutline ? Math.min(own + levelsOfOutline, 9) : own;
  if (level !== undefined) return { kind: 'heading', text: `${text}\n`, level, spans };
  const kind = startsList(text) && lines[0]!.cells === 1 ? 'list-item' : 'paragraph';
  return { kind, text: `${text}\n`, spans };
}

/** A note at the foot of a page. */
export function footnoteBlock(lines: Line[], knows: (word: string) => boolean): Block {
  const { text, spans } = joinLines(lines, knows);
  return { kind: 'footnote', text: `${text}\n`, spans };
}

/** Lines become one text; a word that was divided at a line's end is whole again. */
function joinLines(lines: Line[], knows: (word: string) => boolean): { text: string; spans: Span[] } {
  let text = '';
  const spans: Span[] = [];
  for (const line of lines) {
    if (text !== '') {
      const join = joinsHyphen(text, line.text, knows);
      if (join === 'drop') {
        text = text.slice(0, -1);
        spans.at(-1)!.end -= 1;
      } else if (join === 'space') text += ' ';
    }
    for (const span of line.spans) {
      spans.push({ ...span, start: span.start + text.length, end: span.end + text.length });
    }
    text += line.text;
  }
  return { text, spans };
}

/** Level by size against the running text, or undefined: larger or bold, short, not a sentence, not a table. */
function headingLevel(lines: Line[], text: string, bodySize: number): number | undefined {
  const { size, isBold, cells } = lines[0]!;
  if (lines.length > maxHeadingLines || text.length > maxHeadingLength || cells > 1) return undefined;
  if (!/\p{L}{2}/u.test(text)) return undefined;
  const ratio = size / bodySize;
  const isNumbered = headingNumber.test(text);
  if (startsList(text) && !isNumbered) return undefined;
  if (ratio >= 1.12) return ratio >= 1.75 ? 1 : ratio >= 1.35 ? 2 : 3;
  if (!isBold || ratio < 0.95 || /[.,;]$/u.test(text)) return undefined;
  return 4;
}
