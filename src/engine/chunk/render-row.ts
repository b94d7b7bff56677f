/** How does a table's row read as text? */
import type { Cell } from '../document.ts';

/** Between two `column: value` pairs. */
export const CELL_SEPARATOR = ' · ';

/** One cell inside a rendered row. */
interface RowUnit {
  /** 0-based. */
  column: number;
  /** `column: value`, or the value alone where the column has no name. */
  text: string;
  /** Half-open range of `text` in the rendered row. */
  start: number;
  end: number;
  /** Half-open range of the cell's own text in the row's block. */
  cellStart: number;
  cellEnd: number;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The non-empty cells of a row in order, each with its place in the rendered row and in the block. */
function rowUnits(columns: string[], cells: Cell[]): RowUnit[] {
  const units: RowUnit[] = [];
  let start = 0;
  cells.forEach((cell, column) => {
    const value = oneLine(cell.text);
    if (value === '') return;
    const name = oneLine(columns[column] ?? '');
    const text = name === '' || name === value ? value : `${name}: ${value}`;
    units.push({
      column,
      text,
      start,
      end: start + text.length,
      cellStart: cell.start,
      cellEnd: cell.start + cell.text.length,
    });
    start += text.length + CELL_SEPARATOR.length;
  });
  return units;
}

/** `column: value` pairs joined by " · "; empty cells are left out. */
export function renderRow(columns: string[], cells: Cell[]): string {
  return rowUnits(columns, cells)
    .map((unit) => unit.text)
    .join(CELL_SEPARATOR);
}
