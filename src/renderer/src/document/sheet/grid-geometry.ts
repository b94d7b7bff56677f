/** Where on the canvas does each row and column of a sheet stand, and which can be seen? */
import type { SheetHeader, SheetInfo } from '../../../../api/types.ts';
import type { CellRange } from './a1.ts';

/** Tallest element that browsers lay out reliably, in pixels; Chromium stops at 33.5 million. */
const MAX_HEIGHT = 32_000_000;
const ROW_HEIGHT = 24;
/** Width of a digit in the grid's face, and what a cell has beside its text, in pixels. */
const CHARACTER = 7.2;
const PADDING = 14;
const MIN_WIDTH = 36;
const MAX_WIDTH = 420;
const DEFAULT_CHARACTERS = 9;
/** Texts up to this length are shown whole, whatever width the file gives. */
const WHOLE_CHARACTERS = 16;
/** Rows and columns drawn beyond the edge, so that fast scrolling shows no gap. */
const SPARE_ROWS = 8;
const SPARE_COLUMNS = 2;

/** All lengths in CSS pixels, zoom included. */
export interface Geometry {
  rows: number;
  columns: number;
  rowHeight: number;
  height: number;
  width: number;
  /** Left edge of each column; one more entry for the right edge of the last. */
  starts: Float64Array;
  headHeight: number;
  /** Width of the column of row numbers. */
  numbersWidth: number;
  headers: SheetHeader[];
}

/** `fitted`: width in characters by column, for columns of which the file says nothing. */
export function layOut(sheet: SheetInfo, fitted: number[], zoom: number): Geometry {
  const rows = Math.max(sheet.rows, 1);
  const columns = Math.max(sheet.columns, 1);
  const starts = new Float64Array(columns + 1);
  for (let column = 0; column < columns; column++) {
    // A number or a day that is cut says something else; other programs show signs instead of it.
    const needed = Math.min(fitted[column] ?? 0, WHOLE_CHARACTERS);
    const characters = Math.max(sheet.widths[column] || fitted[column] || DEFAULT_CHARACTERS, needed);
    const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, characters * CHARACTER + PADDING));
    starts[column + 1] = starts[column]! + Math.round(width * zoom);
  }
  const rowHeight = Math.min(Math.round(ROW_HEIGHT * zoom), Math.floor(MAX_HEIGHT / rows));
  return {
    rows,
    columns,
    rowHeight,
    height: rows * rowHeight,
    width: starts[columns]!,
    starts,
    headHeight: Math.round(ROW_HEIGHT * zoom),
    numbersWidth: Math.round((String(rows).length * CHARACTER + PADDING + 6) * zoom),
    headers: sheet.headers,
  };
}

/** The names under which a row stands that is not their own. */
export function headerOver({ headers }: Geometry, row: number): SheetHeader | undefined {
  return headers.find(({ firstRow, lastRow }) => firstRow < row && row <= lastRow);
}

/** About how wide a text is in its cell, in CSS pixels. */
export function widthOf(text: string, { headHeight }: Geometry): number {
  return ((text.length * CHARACTER + PADDING) * headHeight) / ROW_HEIGHT;
}

/** Widths that fit the first rows, in characters; numbers and short words are shown whole, sentences are not. */
export function fitWidths(rows: { cells: string[] }[]): number[] {
  const widths: number[] = [];
  for (const { cells } of rows) {
    cells.forEach((text, column) => {
      // One more: where nothing but digits stands, the widest of all signs, they need it.
      const length = Math.min(text.split('\n')[0]!.length + 1, 40);
      widths[column] = Math.max(widths[column] ?? 4, length);
    });
  }
  return widths;
}

/** What is at least partly seen in a window of the canvas, with some to spare. Rows are 1-based. */
export function visibleCells(
  geometry: Geometry,
  window: { top: number; left: number; width: number; height: number },
): CellRange {
  const firstRow = Math.floor(window.top / geometry.rowHeight) + 1 - SPARE_ROWS;
  const lastRow = Math.ceil((window.top + window.height) / geometry.rowHeight) + SPARE_ROWS;
  return {
    firstRow: Math.max(1, firstRow),
    lastRow: Math.min(geometry.rows, lastRow),
    firstColumn: Math.max(0, columnAt(geometry, window.left) - SPARE_COLUMNS),
    lastColumn: Math.min(
      geometry.columns - 1,
      columnAt(geometry, window.left + window.width) + SPARE_COLUMNS,
    ),
  };
}

/** The column at a distance from the left edge. */
function columnAt({ starts, columns }: Geometry, x: number): number {
  let low = 0;
  let high = columns - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Box of a range of cells on the canvas. */
export function boxOf(
  geometry: Geometry,
  range: CellRange,
): { top: number; left: number; width: number; height: number } {
  const { starts, columns, rowHeight } = geometry;
  const left = starts[Math.min(range.firstColumn, columns)]!;
  const right = starts[Math.min(range.lastColumn + 1, columns)]!;
  const top = (range.firstRow - 1) * rowHeight;
  return { top, left, width: right - left, height: (range.lastRow - range.firstRow + 1) * rowHeight };
}
