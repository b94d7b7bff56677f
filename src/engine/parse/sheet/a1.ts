/** How is a place in a sheet written? Columns are 0-based numbers, rows 1-based. */

/** A rectangle of cells, all bounds inclusive. */
export interface CellRange {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

/** "A" for 0, "AA" for 26. */
export function toColumnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

export function toCellName(row: number, column: number): string {
  return `${toColumnName(column)}${row}`;
}

/** Row and column of a name such as "B7" or "$B$7"; undefined for anything else. */
export function fromCellName(name: string): { row: number; column: number } | undefined {
  let column = 0;
  let row = 0;
  let at = 0;
  for (; at < name.length; at++) {
    const letter = name.charCodeAt(at) & ~32;
    if (name[at] === '$') continue;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  for (; at < name.length; at++) {
    if (name[at] === '$') continue;
    const digit = name.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    row = row * 10 + digit;
  }
  if (column === 0 || row === 0 || column > 100_000 || row > 100_000_000) return undefined;
  return { row, column: column - 1 };
}

/** Bounds of "B2:F9" or "B2"; undefined for anything else. */
export function fromRangeName(range: string): CellRange | undefined {
  const [from, to] = range.split(':');
  const first = fromCellName(from ?? '');
  const last = to === undefined ? first : fromCellName(to);
  if (!first || !last) return undefined;
  return {
    firstRow: Math.min(first.row, last.row),
    lastRow: Math.max(first.row, last.row),
    firstColumn: Math.min(first.column, last.column),
    lastColumn: Math.max(first.column, last.column),
  };
}

export function toRangeName(range: CellRange): string {
  const first = toCellName(range.firstRow, range.firstColumn);
  const last = toCellName(range.lastRow, range.lastColumn);
  return first === last ? first : `${first}:${last}`;
}
