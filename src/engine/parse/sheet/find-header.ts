/** Which of a table's first rows name its columns? */
import { sheet as limits } from '../../config.ts';
import type { CellRange } from './a1.ts';

/** A cell that holds something. */
export interface SheetCell {
  /** 0-based. */
  column: number;
  /** As displayed, NFC. */
  text: string;
  /** The number, ISO date or boolean beneath, where it is more than its text. */
  value?: number | string | boolean;
  isBold: boolean;
}

/** A row with at least one cell; cells in ascending order of column. */
export interface SheetRow {
  /** 1-based. */
  row: number;
  cells: SheetCell[];
}

export interface Header {
  /** Rows above the header that hold titles or notes. */
  titles: number;
  /** Rows that name the columns; 0 where there are none. */
  rows: number;
}

/** Longest text that still reads as the name of a column, in UTF-16 units. */
const MAX_NAME_LENGTH = 120;

/**
 * Judges the first rows of a table, without blank rows between them. `isWhole`: the table has no further rows.
 * `headerRow`: the number of the row that the file itself declares as the header (filter, table), if it does.
 */
export function findHeader(
  rows: SheetRow[],
  merges: CellRange[],
  isWhole: boolean,
  headerRow?: number,
): Header {
  const declared = rows.findIndex((row) => row.row === headerRow);
  const titles = declared >= 0 ? declared : countTitles(rows, merges);
  const first = rows[titles];
  if (!first) return { titles, rows: 0 };
  if (declared >= 0) return { titles, rows: 1 };
  const depth = headerDepth(rows, titles, merges);
  const header = rows.slice(titles, titles + depth);
  const data = rows.slice(titles + depth);
  if (!header.every(looksLikeNames)) return { titles, rows: 0 };
  if (data.length === 0) return { titles, rows: isWhole && first.cells.length > 1 && depth === 1 ? 1 : 0 };
  return { titles, rows: isAbove(header, data, depth) ? depth : 0 };
}

/** Names of the columns from column 0; parts of several rows are joined by " / ", merged names spread over their columns. */
export function columnNames(header: SheetRow[], merges: CellRange[]): string[] {
  const names: string[][] = [];
  for (const row of header) {
    for (const cell of row.cells) {
      const merge = merges.find((range) => range.firstRow === row.row && range.firstColumn === cell.column);
      const last = Math.min(merge?.lastColumn ?? cell.column, cell.column + limits.maxColumns);
      for (let column = cell.column; column <= last; column++) {
        const parts = names[column] ?? [];
        names[column] = parts;
        const part = cell.text.replace(/\s+/g, ' ').trim();
        if (part !== '' && parts.at(-1) !== part) parts.push(part);
      }
    }
  }
  return Array.from(names, (parts) => parts?.join(' / ') ?? '');
}

/** Leading rows with one single cell, above rows with more. */
function countTitles(rows: SheetRow[], merges: CellRange[]): number {
  const width = Math.max(...rows.map((row) => row.cells.length));
  if (width < 2) return 0;
  let titles = 0;
  while (titles < rows.length && isTitle(rows[titles]!, width, rows[titles + 1], merges)) titles++;
  return titles === rows.length ? 0 : titles;
}

function isTitle(row: SheetRow, width: number, next: SheetRow | undefined, merges: CellRange[]): boolean {
  const only = row.cells[0]!;
  if (row.cells.length > 1 || typeof only.value === 'number') return false;
  const merge = merges.find((range) => range.firstRow === row.row && range.firstColumn === only.column);
  const span = merge ? merge.lastColumn - merge.firstColumn + 1 : 1;
  // One merged cell over part of the width, with names below it, is the upper half of a header.
  const isUpperHeader = span > 1 && span < width && next !== undefined && looksLikeNames(next);
  return !isUpperHeader;
}

/** Rows of a header whose names are merged across, or merged down into the next row. */
function headerDepth(rows: SheetRow[], from: number, merges: CellRange[]): number {
  let depth = 1;
  for (let at = from; at < from + depth && depth < limits.maxHeaderRows; at++) {
    const row = rows[at];
    if (!row) break;
    for (const range of merges) {
      if (range.firstRow !== row.row || !row.cells.some((cell) => cell.column === range.firstColumn))
        continue;
      const isAcross = range.lastColumn > range.firstColumn && range.lastRow === range.firstRow;
      const next = rows[at + 1];
      if (isAcross && next && looksLikeNames(next)) depth = Math.max(depth, at - from + 2);
      depth = Math.max(depth, Math.min(range.lastRow - rows[from]!.row + 1, limits.maxHeaderRows));
    }
  }
  return Math.min(depth, rows.length - from);
}

/** All texts, short; years and dates may stand among them. */
function looksLikeNames(row: SheetRow): boolean {
  let texts = 0;
  for (const cell of row.cells) {
    if (cell.text.length > MAX_NAME_LENGTH) return false;
    if (cell.value === undefined) texts += 1;
    else if (!isYear(cell.value) && typeof cell.value !== 'string') return false;
  }
  return texts > 0 || row.cells.length > 1;
}

function isYear(value: number | string | boolean): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1900 && value <= 2100;
}

/** Is this a header over that data? By weight of type, then by form, then by uniqueness of its names. */
function isAbove(header: SheetRow[], data: SheetRow[], depth: number): boolean {
  const names = header.at(-1)!;
  const isBold = header.every((row) => row.cells.every((cell) => cell.isBold));
  if (isBold && !data.every((row) => row.cells.every((cell) => cell.isBold))) return true;
  const dataWidth = median(data.map((row) => row.cells.length));
  if (names.cells.length < 2 || (depth === 1 && names.cells.length < dataWidth * 0.6)) return false;
  const hasText = names.cells.every((cell) => cell.value === undefined);
  const isTyped = names.cells.some((cell) => {
    if (cell.value === undefined)
      return share(data, cell.column, (below) => below.value !== undefined) >= 0.5;
    if (!isYear(cell.value)) return false;
    return share(data, cell.column, ({ value }) => typeof value === 'number' && !isYear(value)) >= 0.5;
  });
  if (isTyped) return true;
  if (!hasText) return depth > 1;
  const distinct = new Set(names.cells.map((cell) => cell.text.trim().toLowerCase()));
  const isFull = distinct.size === names.cells.length && names.cells.length >= dataWidth;
  const isRepeated = names.cells.some(
    (cell) => share(data, cell.column, (below) => below.text === cell.text) > 0.2,
  );
  return isFull && !isRepeated && names.cells.every((cell) => cell.text.length <= MAX_NAME_LENGTH / 2);
}

/** Share of the rows with a cell in this column whose cell passes. */
function share(rows: SheetRow[], column: number, passes: (cell: SheetCell) => boolean): number {
  const cells = rows.flatMap((row) => row.cells.filter((cell) => cell.column === column));
  return cells.length === 0 ? 0 : cells.filter(passes).length / cells.length;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
