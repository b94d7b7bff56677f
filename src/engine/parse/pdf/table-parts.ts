/** Which rows does a table give, which of them name its columns, and does it go on overleaf? */
import type { Block, Cell, Part, Span, Table } from '../../document.ts';
import type { CellRange } from '../sheet/a1.ts';
import { readFieldValue } from '../sheet/field-value.ts';
import { columnNames, findHeader, type SheetRow } from '../sheet/find-header.ts';
import { joinsHyphen } from './hyphens.ts';
import { spanOf } from './lines.ts';
import type { Piece } from './pieces.ts';
import { bandsOf, inLine } from './reading-order.ts';
import type { ShapeCell, TableShape } from './table-shape.ts';

/** Longest text that is repeated in each row that its cell covers, in UTF-16 units: a label, not a chapter. */
const maxRepeated = 200;
/** Points by which the columns of a table may move from page to page. */
const sameColumn = 12;
const maxHeaderLookahead = 12; // rows

interface CellText {
  column: number;
  span: number;
  rowSpan: number;
  text: string;
  /** Relative to the cell's text. */
  spans: Span[];
  isBold: boolean;
}

interface OpenTable {
  table: Table;
  shape: TableShape;
  /** Texts of the header's rows, which may be repeated overleaf. */
  header: string[];
  rows: number;
}

/** Tables of one document in order. */
export class TableWriter {
  readonly #knows: (word: string) => boolean;
  #next = 0;
  #open: OpenTable | undefined;

  /** `knows` tells whether a word, in lower case, stands elsewhere in the document. */
  constructor(knows: (word: string) => boolean) {
    this.#knows = knows;
  }

  /** Text that is no running header or footer stands between: the last table is at its end. */
  close(): void {
    this.#open = undefined;
  }

  /** The table's announcement and rows; rows alone where it goes on from the page before. `name` is its caption. */
  *parts(shape: TableShape, name: string): Generator<Part> {
    const rows = spreadDown(shape.rows.map((row) => row.map((cell) => this.#textOf(cell, shape.page))));
    const open = this.#open;
    if (open && goesOn(open.shape, shape)) {
      let repeated = 0;
      while (repeated < open.header.length && plain(rows[repeated] ?? []) === open.header[repeated])
        repeated += 1;
      for (const [at, row] of rows.entries()) yield rowPart(row, open, at < repeated);
      this.#open = { ...open, shape };
      return;
    }
    const shown = rows.slice(0, maxHeaderLookahead).map(toSheetRow);
    const merges = rows.slice(0, maxHeaderLookahead).flatMap(mergesOf);
    const header = findHeader(shown, merges, shown.length === rows.length);
    for (const row of rows.slice(0, header.titles)) yield* titleParts(row);
    const names = rows.slice(header.titles, header.titles + header.rows);
    const table: Table = {
      table: this.#next++,
      name,
      isSheet: false,
      isHidden: false,
      columns: columnNames(shown.slice(header.titles, header.titles + header.rows), merges),
      merges: [],
      widths: [],
    };
    yield { type: 'table', table };
    const made: OpenTable = { table, shape, header: names.map(plain), rows: 0 };
    for (const [at, row] of rows.slice(header.titles).entries()) yield rowPart(row, made, at < header.rows);
    this.#open = made;
  }

  #textOf({ column, span, rowSpan, pieces }: ShapeCell, page: number): CellText {
    let text = '';
    const spans: Span[] = [];
    for (const piece of bandsOf(pieces).flatMap(inLine)) {
      if (text !== '') {
        const join = this.#joinOf(text, piece, spans);
        if (join === 'drop') {
          text = text.slice(0, -1);
          spans.at(-1)!.end -= 1;
        } else if (join === 'space') text += ' ';
      }
      spans.push(spanOf(piece, text.length, page));
      text += piece.text;
    }
    return { column, span, rowSpan, text, spans, isBold: pieces.every(({ isBold }) => isBold) };
  }

  #joinOf(text: string, piece: Piece, spans: Span[]): 'drop' | 'touch' | 'space' {
    // A lone dash stands for a number; only a word is divided.
    return spans.at(-1)!.end - spans.at(-1)!.start < 2 ? 'space' : joinsHyphen(text, piece.text, this.#knows);
  }
}

function goesOn(before: TableShape, next: TableShape): boolean {
  return (
    next.page === before.page + 1 &&
    next.isRuled === before.isRuled &&
    next.columnCount === before.columnCount &&
    next.middles.every((middle, at) => Math.abs(middle - before.middles[at]!) <= sameColumn)
  );
}

/** A label that covers several rows stands in each of them; its place stays the one where it is shown. */
function spreadDown(rows: CellText[][]): CellText[][] {
  const spread = rows.map((row) => [...row]);
  for (const [at, row] of rows.entries()) {
    for (const cell of row) {
      if (cell.rowSpan < 2 || cell.text.length > maxRepeated) continue;
      for (let below = at + 1; below < Math.min(at + cell.rowSpan, rows.length); below += 1) {
        const isFree = !spread[below]!.some(({ column }) => column === cell.column);
        if (isFree) spread[below]!.push({ ...cell, rowSpan: 1 });
      }
    }
  }
  for (const row of spread) row.sort((a, b) => a.column - b.column);
  return spread;
}

function plain(row: CellText[]): string {
  return row.map(({ column, text }) => `${column}:${text}`).join('\t');
}

function toSheetRow(row: CellText[], index: number): SheetRow {
  return {
    row: index + 1,
    cells: row.map(({ column, text, isBold }) => {
      const value = numberOf(text);
      return { column, text, isBold, ...(value === undefined ? {} : { value }) };
    }),
  };
}

function mergesOf(row: CellText[], index: number): CellRange[] {
  return row
    .filter(({ span, rowSpan }) => span > 1 || rowSpan > 1)
    .map(({ column, span, rowSpan }) => ({
      firstRow: index + 1,
      lastRow: index + rowSpan,
      firstColumn: column,
      lastColumn: column + span - 1,
    }));
}

/** A document says nothing of its numbers: a comma before other than three digits divides decimals. */
function numberOf(text: string): number | string | undefined {
  const hasComma = /\d,(?:\d{1,2}|\d{4,})\D*$/.test(text) || /\d\.\d{3}(?:\.\d{3})+/.test(text);
  return readFieldValue(text, hasComma);
}

function* titleParts(row: CellText[]): Generator<Part> {
  for (const { text, spans } of row) {
    yield { type: 'block', block: { kind: 'paragraph', text: `${text}\n`, spans } };
  }
}

function rowPart(row: CellText[], open: OpenTable, isHeader: boolean): Part {
  open.rows += 1;
  const cells: Cell[] = [];
  const spans: Span[] = [];
  let text = '';
  for (const cell of row) {
    while (cells.length < cell.column) {
      cells.push({ text: '', start: text.length });
      text += '\t';
    }
    const start = text.length;
    spans.push(...cell.spans.map((span) => ({ ...span, start: span.start + start, end: span.end + start })));
    text += cell.text;
    const value = isHeader ? undefined : numberOf(cell.text);
    cells.push({ text: cell.text, start, ...(value === undefined ? {} : { value }) });
    text += '\t';
  }
  const place = { table: open.table.table, row: open.rows, isHeader, cells };
  const block: Block = { kind: 'row', text: `${text.slice(0, -1)}\n`, spans, row: place };
  return { type: 'block', block };
}
