/** Which rows does a table of a Word document have, and which of them name its columns? */
import { docx as limits } from '../../config.ts';
import type { Cell, Part, Span, Table } from '../../document.ts';
import type { CellRange } from '../sheet/a1.ts';
import { readFieldValue } from '../sheet/field-value.ts';
import { columnNames, findHeader, type SheetRow } from '../sheet/find-header.ts';
import type { StoryParagraph } from './paragraph-builder.ts';
import { toText } from './paragraph-text.ts';
import type { CellMerge, StoryEvent } from './walk-state.ts';

interface DocxCell {
  column: number;
  span: number;
  merge: CellMerge;
  paragraphs: StoryParagraph[];
}

interface DocxRow {
  number: number;
  isHeader: boolean;
  cells: DocxCell[];
}

/** Longest text that is repeated down a merged cell, in UTF-16 units: a label, not a chapter. */
const MAX_REPEATED = 200;

/** One outermost table; tables inside its cells belong to the cell. Rows wait only until the header is decided. */
export class DocxTable {
  /** Open tables, this one included. */
  depth = 1;
  readonly #name: string;
  #nextTable: number;
  #table: Table | undefined;
  #isLayout = false;
  #waiting: DocxRow[] = [];
  #rows = 0;
  #row: DocxRow | undefined;
  #cell: DocxCell | undefined;
  /** Cells that are merged downwards at present, by column. */
  readonly #merged = new Map<number, StoryParagraph[]>();

  constructor(name: string, table: number) {
    this.#name = name;
    this.#nextTable = table;
  }

  get nextTable(): number {
    return this.#nextTable;
  }

  addParagraph(paragraph: StoryParagraph): void {
    if (paragraph.text.trim() !== '') this.#cell?.paragraphs.push(paragraph);
  }

  take(event: StoryEvent): (Part | StoryParagraph)[] {
    if (this.depth > 1) return [];
    if (event.type === 'row-start') this.#row = { number: ++this.#rows, isHeader: false, cells: [] };
    else if (event.type === 'cell-start') {
      const before = this.#row?.cells.at(-1);
      const column = before ? before.column + before.span : 0;
      this.#cell = { column, span: 1, merge: 'none', paragraphs: [] };
    } else if (event.type === 'cell-end' && this.#cell) {
      this.#cell.span = event.span;
      this.#cell.merge = event.merge;
      this.#row?.cells.push(this.#cell);
      this.#cell = undefined;
    } else if (event.type === 'row-end' && this.#row) {
      const row = this.#row;
      row.isHeader = event.isHeader;
      this.#row = undefined;
      return this.#addRow(row);
    }
    return [];
  }

  end(): (Part | StoryParagraph)[] {
    return this.#decide(true);
  }

  #addRow(row: DocxRow): (Part | StoryParagraph)[] {
    this.#fill(row);
    if (row.cells.every((cell) => cell.paragraphs.length === 0)) return [];
    if (this.#table) return [this.#block(row, this.#table, false)];
    if (this.#isLayout) return row.cells.flatMap((cell) => cell.paragraphs);
    this.#waiting.push(row);
    return this.#waiting.length >= limits.headerLookahead ? this.#decide(false) : [];
  }

  /** Repeats a label that is merged downwards in each of its rows; its anchor stays the place where it is shown. */
  #fill(row: DocxRow): void {
    for (const cell of row.cells) {
      if (cell.merge === 'start') this.#merged.set(cell.column, cell.paragraphs);
      else if (cell.merge === 'none') this.#merged.delete(cell.column);
      else if (cell.paragraphs.length === 0) {
        const above = this.#merged.get(cell.column) ?? [];
        const length = above.reduce((sum, paragraph) => sum + paragraph.text.length, 0);
        if (length <= MAX_REPEATED) cell.paragraphs = above;
      }
    }
  }

  #decide(isWhole: boolean): (Part | StoryParagraph)[] {
    const rows = this.#waiting;
    this.#waiting = [];
    if (rows.length === 0) return [];
    // One column, or one row with long text side by side: a frame around paragraphs.
    this.#isLayout = rows.every(
      ({ cells }) => cells.filter((cell) => cell.paragraphs.length > 0).length === 1,
    );
    if (this.#isLayout) return rows.flatMap((row) => row.cells.flatMap((cell) => cell.paragraphs));
    const merges = mergesOf(rows);
    const shown = rows.map(toSheetRow);
    const marked = rows.findIndex((row) => !row.isHeader);
    const header = marked > 0 ? { titles: 0, rows: marked } : findHeader(shown, merges, isWhole);
    const titles = rows.slice(0, header.titles);
    const data = rows.slice(header.titles);
    const columns = columnNames(shown.slice(header.titles, header.titles + header.rows), merges);
    this.#table = {
      table: this.#nextTable++,
      name: this.#name,
      isSheet: false,
      isHidden: false,
      columns,
      merges: [],
      widths: [],
    };
    const table = this.#table;
    return [
      ...titles.flatMap((row) => row.cells.flatMap((cell) => cell.paragraphs)),
      { type: 'table', table },
      ...data.map((row, at) => this.#block(row, table, at < header.rows)),
    ];
  }

  #block(row: DocxRow, table: Table, isHeader: boolean): Part {
    const cells: Cell[] = [];
    const spans: Span[] = [];
    let text = '';
    for (const cell of row.cells) {
      while (cells.length < cell.column) {
        cells.push({ text: '', start: text.length });
        text += '\t';
      }
      const start = text.length;
      for (const paragraph of cell.paragraphs) {
        if (text.length > start) text += '\n';
        const shown = toText(paragraph);
        const offset = text.length;
        // A tab divides cells; inside one it is a space, as long as itself.
        text += shown.text.replaceAll('\t', ' ');
        spans.push(
          ...shown.spans.map((span) => ({ ...span, start: span.start + offset, end: span.end + offset })),
        );
        if (text.length > limits.maxBlockLength) break;
      }
      const cellText = text.slice(start);
      const value = isHeader ? undefined : readFieldValue(cellText, hasDecimalComma(cellText));
      cells.push({ text: cellText, start, ...(value === undefined ? {} : { value }) });
      text += '\t';
    }
    text = `${text.slice(0, -1)}\n`;
    const place = { table: table.table, row: row.number, isHeader, cells };
    return { type: 'block', block: { kind: 'row', text, spans, row: place } };
  }
}

/** A document says nothing of its numbers: a comma before other than three digits divides decimals. */
function hasDecimalComma(text: string): boolean {
  return /\d,(?:\d{1,2}|\d{4,})\D*$/.test(text) || /\d\.\d{3}(?:\.\d{3})+/.test(text);
}

function toSheetRow(row: DocxRow): SheetRow {
  return {
    row: row.number,
    cells: row.cells
      .filter((cell) => cell.paragraphs.length > 0)
      .map((cell) => {
        const text = cell.paragraphs.map((paragraph) => paragraph.text.trim()).join(' ');
        const value = readFieldValue(text, hasDecimalComma(text));
        const isBold = cell.paragraphs.every((paragraph) => paragraph.isBold);
        return { column: cell.column, text, isBold, ...(value === undefined ? {} : { value }) };
      }),
  };
}

function mergesOf(rows: DocxRow[]): CellRange[] {
  const merges: CellRange[] = [];
  for (const row of rows) {
    for (const cell of row.cells) {
      const lastColumn = cell.column + cell.span - 1;
      if (cell.merge === 'on') {
        const above = merges.findLast((range) => range.firstColumn === cell.column);
        if (above) above.lastRow = row.number;
      } else if (cell.span > 1 || cell.merge === 'start') {
        const { number } = row;
        merges.push({ firstRow: number, lastRow: number, firstColumn: cell.column, lastColumn });
      }
    }
  }
  return merges;
}
