/** How is one row of text drawn, with what is cited lit and what was found marked? */
import type { Range } from '../../../../api/types.ts';
import { type Rows, rowText } from './rows.ts';

export interface Marks {
  /** Cited ranges; never overlap. */
  lit: Range[];
  /** What the reader looks for: in order, never overlapping. */
  found: Range[];
  /** Which of `found` is shown now. */
  now: Range | undefined;
}

export function RowText({ rows, index, marks }: { rows: Rows; index: number; marks: Marks }) {
  const text = rowText(rows, index);
  const from = rows.starts[index]!;
  const to = from + text.length;
  const lit = marks.lit.filter(({ start, end }) => start < to && end > from);
  const found = within(marks.found, from, to);
  if (lit.length + found.length === 0) return <span className="text-content">{text || '\u200b'}</span>;
  const edges = new Set([from, to]);
  for (const { start, end } of [...lit, ...found]) {
    edges.add(Math.max(from, start));
    edges.add(Math.min(to, end));
  }
  const cuts = [...edges].sort((one, other) => one - other);
  return (
    <span className="text-content">
      {cuts.slice(0, -1).map((start, at) => {
        const part = text.slice(start - from, cuts[at + 1]! - from);
        const holds = (range: Range): boolean => range.start <= start && range.end > start;
        const hit = found.find(holds);
        if (hit !== undefined) {
          return (
            <mark key={start} className={hit === marks.now ? 'text-found now' : 'text-found'}>
              {part}
            </mark>
          );
        }
        if (!lit.some(holds)) return part;
        return (
          <mark key={start} className="text-lit">
            {part}
          </mark>
        );
      })}
    </span>
  );
}

/** Those of many ordered ranges that touch a stretch. */
function within(ranges: Range[], from: number, to: number): Range[] {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= from) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < ranges.length && ranges[last]!.start < to) last++;
  return ranges.slice(low, last);
}
