/** Which tables stand on a sheet, and which block does each row become? */
import { sheet as limits } from '../../config.ts';
import type { Cell, Part, Span, Table } from '../../document.ts';
import { type CellRange, toCellName, toRangeName } from './a1.ts';
import { columnNames, findHeader, type SheetRow } from './find-header.ts';

/** What is known of a sheet before its rows. */
export interface SheetShape {
  name: string;
  isHidden: boolean;
  merges: CellRange[];
  /** Column widths in characters; 0 where unknown. */
  widths: number[];
  /** Number of the row that the file declares as a header, if it does. */
  headerRow?: number;
}

/** Takes the rows of one sheet in order and gives parts; rows wait only until their table's header is decided. */
export class SheetTables {
  readonly #shape: SheetShape;
  readonly #merges: MergeIndex;
  #nextTable: number;
  #waiting: SheetRow[] = [];
  #current: Table | undefined;
  #lastRow = 0;
  #announced = 0;

  /** `firstTable`: number of this sheet's first table in the document. */
  constructor(shape: SheetShape, firstTable: number) {
    this.#shape = shape;
    this.#merges = new MergeIndex(shape.merges);
    this.#nextTable = firstTable;
  }

  /** Number of the next table in the document. */
  get nextTable(): number {
    return this.#nextTable;
  }

  push(row: SheetRow): Part[] {
    const parts: Part[] = [];
    if (row.row > this.#lastRow + limits.blankRowsBetweenTables && this.#lastRow > 0) {
      if (!this.#merges.isInside(this.#lastRow + 1)) {
        parts.push(...this.#decide(true));
        this.#waiting.push(row);
        this.#lastRow = row.row;
        return parts;
      }
    }
    this.#lastRow = row.row;
    if (this.#waiting.length === 0 && this.#current && this.#announced > 0) {
      parts.push(this.#block(row, this.#current, false));
      return parts;
    }
    this.#waiting.push(row);
    if (this.#waiting.length >= limits.headerLookahead) parts.push(...this.#decide(false));
    return parts;
  }

  /** The last rows; a sheet without any still announces itself. */
  end(): Part[] {
    const parts = this.#decide(true);
    if (this.#announced === 0) parts.push({ type: 'table', table: this.#announce([]) });
    return parts;
  }

  /** Turns the waiting rows into titles, header and data. `isWhole`: a blank row or the sheet's end follows. */
  #decide(isWhole: boolean): Part[] {
    const rows = this.#waiting;
    this.#waiting = [];
    if (rows.length === 0) return [];
    const header = findHeader(rows, this.#merges.all, isWhole, this.#shape.headerRow);
    const parts: Part[] = [];
    if (header.rows === 0 && this.#continues(rows)) {
      for (const row of rows) parts.push(this.#block(row, this.#current!, false));
      return parts;
    }
    if (header.titles > 0) {
      parts.push(...this.#tableOf(rows.slice(0, header.titles), 0));
    }
    parts.push(...this.#tableOf(rows.slice(header.titles), header.rows));
    return parts;
  }

  /** Rows after a blank line that fit under the names of the table before: totals, or a table with gaps. */
  #continues(rows: SheetRow[]): boolean {
    const columns = this.#current?.columns ?? [];
    if (columns.length === 0) return false;
    const first = columns.findIndex((name) => name !== '');
    return rows.every(
      ({ cells }) => cells.length > 1 && cells[0]!.column >= first && cells.at(-1)!.column < columns.length,
    );
  }

  #tableOf(rows: SheetRow[], headerRows: number): Part[] {
    if (rows.length === 0) return [];
    const columns = columnNames(rows.slice(0, headerRows), this.#merges.all);
    const table = this.#announce(columns);
    const parts: Part[] = [{ type: 'table', table }];
    rows.forEach((row, at) => {
      parts.push(this.#block(row, table, at < headerRows));
    });
    return parts;
  }

  /** Merged ranges and widths belong to the sheet; its first table carries them. */
  #announce(columns: string[]): Table {
    const isFirst = this.#announced === 0;
    this.#announced += 1;
    this.#current = {
      table: this.#nextTable++,
      name: this.#shape.name,
      isSheet: true,
      isHidden: this.#shape.isHidden,
      columns,
      merges: isFirst ? this.#shape.merges.map(toRangeName) : [],
      widths: isFirst ? this.#shape.widths : [],
    };
    return this.#current;
  }

  #block(row: SheetRow, table: Table, isHeader: boolean): Part {
    const filled = isHeader ? row : this.#merges.fill(row);
    const cells: Cell[] = [];
    const spans: Span[] = [];
    let text = '';
    for (const cell of filled.cells) {
      while (cells.length < cell.column) {
        cells.push({ text: '', start: text.length });
        text += '\t';
      }
      const start = text.length;
      text += cell.text;
      cells.push({ text: cell.text, start, ...(cell.value === undefined ? {} : { value: cell.value }) });
      const anchor = {
        kind: 'cells',
        sheet: this.#shape.name,
        range: toCellName(row.row, cell.column),
      } as const;
      spans.push({ start, end: text.length, anchor });
      text += '\t';
    }
    text = `${text.slice(0, -1)}\n`;
    return {
      type: 'block',
      block: { kind: 'row', text, spans, row: { table: table.table, row: row.row, isHeader, cells } },
    };
  }
}

/** Merged ranges by row, so that a million rows need no search. */
class MergeIndex {
  readonly all: CellRange[];
  /** Ranges of more than one row, by first row; at most `maxMerges`. */
  readonly #tall: CellRange[];
  #at = 0;
  /** Ranges that reach the present row, with their text once it was met. */
  #open: { range: CellRange; text: string; isBold: boolean }[] = [];

  constructor(merges: CellRange[]) {
    this.all = merges;
    this.#tall = merges
      .filter((range) => range.lastRow > range.firstRow)
      .sort((a, b) => a.firstRow - b.firstRow);
  }

  /** A blank row inside a merged range does not end a table. */
  isInside(row: number): boolean {
    return this.#tall.some((range) => range.firstRow < row && row <= range.lastRow);
  }

  /**
   * Repeats the text of a cell that is merged downwards in each of its rows: "Moscow" beside three rows holds for all
   * three. Numbers are not repeated, they would be counted twice. The anchor of a repeated text lies in the merged cell.
   */
  fill(row: SheetRow): SheetRow {
    this.#open = this.#open.filter(({ range }) => range.lastRow >= row.row);
    for (; this.#at < this.#tall.length && this.#tall[this.#at]!.firstRow <= row.row; this.#at++) {
      const range = this.#tall[this.#at]!;
      const cell = row.cells.find(({ column }) => column === range.firstColumn);
      if (range.firstRow !== row.row || !cell || cell.value !== undefined) continue;
      this.#open.push({ range, text: cell.text, isBold: cell.isBold });
    }
    const added = this.#open
      .filter(
        ({ range }) => range.firstRow < row.row && !row.cells.some((c) => c.column === range.firstColumn),
      )
      .map(({ range, text, isBold }) => ({ column: range.firstColumn, text, isBold }));
    if (added.length === 0) return row;
    return { row: row.row, cells: [...row.cells, ...added].sort((a, b) => a.column - b.column) };
  }
}
