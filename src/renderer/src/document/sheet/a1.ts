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

/** Bounds of "B2:F9" or "B2"; undefined for anything else. */
export function fromRangeName(range: string): CellRange | undefined {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/i.exec(range);
  if (!match) return undefined;
  const columns = [toColumn(match[1]!), toColumn(match[3] ?? match[1]!)];
  const rows = [Number(match[2]), Number(match[4] ?? match[2])];
  return {
    firstRow: Math.min(...rows),
    lastRow: Math.max(...rows),
    firstColumn: Math.min(...columns),
    lastColumn: Math.max(...columns),
  };
}

function toColumn(name: string): number {
  let column = 0;
  for (const letter of name.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

export function overlaps(a: CellRange, b: CellRange): boolean {
  return (
    a.firstRow <= b.lastRow &&
    b.firstRow <= a.lastRow &&
    a.firstColumn <= b.lastColumn &&
    b.firstColumn <= a.lastColumn
  );
}

export function contains(range: CellRange, row: number, column: number): boolean {
  return (
    range.firstRow <= row && row <= range.lastRow && range.firstColumn <= column && column <= range.lastColumn
  );
}
