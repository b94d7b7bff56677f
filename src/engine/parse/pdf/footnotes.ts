/** Which lines at the foot of a column are notes to its text? */
import type { Line } from './lines.ts';

const smaller = 0.93; // size against the running text
const lowest = 0.55; // share of the page's height above which no note begins
const mark = /^(?:\d{1,3}|[*†‡§¶]{1,3}|\(\d{1,2}\)|\[\d{1,2}\])\s?[\p{L}"“«(]/u;

/** Notes as runs of lines, each with the note's mark in front, by the first line; lines in reading order. */
export function footnotesOf(lines: Line[], bodySize: number): Line[][] {
  const notes: Line[][] = [];
  for (let end = lines.length; end > 0; ) {
    const { column } = lines[end - 1]!;
    let start = end;
    while (start > 0 && lines[start - 1]!.column === column) start -= 1;
    notes.unshift(...notesAtFoot(lines.slice(start, end), bodySize));
    end = start;
  }
  return notes;
}

function notesAtFoot(column: Line[], bodySize: number): Line[][] {
  let first = column.length;
  while (first > 0 && isSmall(column[first - 1]!, bodySize)) first -= 1;
  const small = column.slice(first);
  const start = small.findIndex((line) => mark.test(line.text));
  if (start < 0 || small[start]!.down < lowest) return [];
  const notes: Line[][] = [];
  for (const line of small.slice(start)) {
    if (mark.test(line.text)) notes.push([]);
    notes.at(-1)!.push(line);
  }
  return notes;
}

function isSmall(line: Line, bodySize: number): boolean {
  return line.size <= smaller * bodySize && line.cells === 1 && !line.table;
}
