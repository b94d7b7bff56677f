/** In which rows is a text of any size drawn, and which of them are lit? */
import type { Anchor } from '../../../../api/anchor.ts';
import { findQuote } from './find-quote.ts';

/** A longer line is drawn as several rows, in UTF-16 units: one row of megabytes would freeze the page. */
const MAX_ROW_LENGTH = 2_000;

/** Rows of a text as offsets, so that a million of them are a few megabytes. */
export interface Rows {
  text: string;
  /** Offset of each row's start; one more entry than rows, the text's end. */
  starts: Uint32Array;
  /** Line of each row, 1-based. */
  lines: Uint32Array;
  count: number;
}

/** Splits at line feeds, and long lines into rows. */
export function toRows(text: string): Rows {
  let capacity = 1024;
  let starts = new Uint32Array(capacity);
  let lines = new Uint32Array(capacity);
  let count = 0;
  const push = (start: number, line: number): void => {
    if (count + 1 >= capacity) {
      capacity *= 2;
      const [oldStarts, oldLines] = [starts, lines];
      starts = new Uint32Array(capacity);
      starts.set(oldStarts);
      lines = new Uint32Array(capacity);
      lines.set(oldLines);
    }
    starts[count] = start;
    lines[count] = line;
    count++;
  };
  let line = 1;
  for (let start = 0; start < text.length || line === 1; line++) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    push(start, line);
    for (let at = rowEnd(text, start, end); at < end; at = rowEnd(text, at, end)) push(at, line);
    start = end + 1;
  }
  starts[count] = text.length + 1;
  return { text, starts, lines, count };
}

function rowEnd(text: string, from: number, end: number): number {
  if (end - from <= MAX_ROW_LENGTH) return end;
  const at = from + MAX_ROW_LENGTH;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** Text of one row, without its line feed. */
export function rowText(rows: Rows, index: number): string {
  const end = rows.starts[index + 1]!;
  const text = rows.text.slice(rows.starts[index]!, end);
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** First row of a line; the last row for lines beyond the end. */
export function rowOfLine(rows: Rows, line: number): number {
  let [low, high] = [0, rows.count - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.lines[middle]! < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Half-open ranges of the text that are lit: of each run of cited lines, the quote's words where they are found, else all. */
export function litRanges(rows: Rows, anchors: Anchor[], quote: string): { start: number; end: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const anchor of anchors) {
    if (anchor.kind !== 'lines' || anchor.from > rows.lines[rows.count - 1]!) continue;
    const last = runs.at(-1);
    // Blank lines between paragraphs have no anchor of their own.
    if (last && anchor.from <= last.to + 3 && anchor.from >= last.from)
      last.to = Math.max(last.to, anchor.to);
    else runs.push({ from: anchor.from, to: anchor.to });
  }
  return runs.map(({ from, to }) => {
    const start = rows.starts[rowOfLine(rows, from)]!;
    const end = Math.max(start, lineEnd(rows, to));
    const found = findQuote(rows.text.slice(start, end), quote);
    return found ? { start: start + found.start, end: start + found.end } : { start, end };
  });
}

function lineEnd(rows: Rows, line: number): number {
  let row = rowOfLine(rows, line);
  while (row + 1 < rows.count && rows.lines[row + 1] === line) row++;
  return Math.min(rows.text.length, rows.starts[row + 1]! - 1);
}
