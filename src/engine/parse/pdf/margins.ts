/** Which lines at the edge of a page are its running header or footer? */
import type { Line } from './lines.ts';

// Share of the page's height at each edge where headers and footers stand.
const edgeShare = 0.13;
const maxMarginLength = 200;
/** Lines of each edge that are compared. */
const maxMarginLines = 4;

/** Text with numbers evened out, for each line at an edge. */
export function marginKeys(lines: Line[]): Map<Line, string> {
  const keys = new Map<Line, string>();
  const near = lines.filter((line) => edgeOf(line) <= edgeShare && line.text.length <= maxMarginLength);
  near.sort((a, b) => edgeOf(a) - edgeOf(b));
  for (const line of near.slice(0, maxMarginLines * 2)) {
    const words = line.text
      .replace(/\d+|\b[ivxlc]+\b/gi, '#')
      .replace(/\s+/g, ' ')
      .toLowerCase();
    keys.set(line, words);
  }
  return keys;
}

function edgeOf(line: Line): number {
  return Math.min(line.down, 1 - line.down);
}

/**
 * Lines of a page that stand on at least two other near pages at the same height. In a document of two pages one is
 * enough for a line with a number in it: other lines may be those of a page that was bound in twice.
 */
export function marginLines(
  own: Map<Line, string>,
  others: Map<Line, string>[],
  pageCount: number,
): Set<Line> {
  const found = new Set<Line>();
  for (const [line, key] of own) {
    const same = others.filter((keys) =>
      [...keys].some(([other, otherKey]) => otherKey === key && Math.abs(other.v0 - line.v0) < 6),
    );
    if (same.length >= 2 || (pageCount === 2 && same.length === 1 && key.includes('#'))) found.add(line);
  }
  return found;
}
