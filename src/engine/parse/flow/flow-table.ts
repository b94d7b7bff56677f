/** Which rows does a table of a flowing document have, and which of them name its columns? */
import type { ElementAnchor } from '../../../api/anchor.ts';
import { docx as limits } from '../../config.ts';
import type { Part } from '../../document.ts';
import type { CellRange } from '../sheet/a1.ts';
import { readFieldValue } from '../sheet/field-value.ts';
import { columnNames, findHeader, type SheetRow } from '../sheet/find-header.ts';
import type { FlowCell, FlowParts } from './flow-parts.ts';

export interface FlowTableCell {
  text: string;
  /** Columns that it takes, at least 1. */
  span: number;
  /** Whether it begins or goes on a cell over several rows. */
  merge: 'none' | 'start' | 'on';
  isBold?: boolean;
}

export interface FlowTableRow {
  cells: FlowTableCell[];
  /** The document itself calls it a header. */
  isHeader: boolean;
}

/** Longest text that is repeated down a merged cell, in UTF-16 units: a label, not a chapter. */
const MAX_REPEATED = 200;

/** A cell that stands in a row, at its column. */
interface PlacedCell extends FlowTableCell {
  column: number;
}

/** The table's parts. One column, or one filled cell in each row, is a frame around paragraphs and becomes such. */
export function* flowTable(flow: FlowParts, rows: readonly FlowTableRow[], name = ''): Generator<Part> {
  const placed = rows
    .map(({ cells, isHeader }, at) => ({ row: at + 1, cells: place(cells), isHeader }))
    .filter(({ cells }) => cells.some(({ text }) => text.trim() !== ''));
  if (placed.every(({ cells }) => cells.filter(({ text }) => text.trim() !== '').length === 1)) {
    for (const { cells } of placed) yield* paragraphs(flow, cells);
    return;
  }
  const merges = mergesOf(placed);
  const shown = placed.slice(0, limits.headerLookahead).map(toSheetRow);
  const marked = placed.findIndex((row) => !row.isHeader);
  const isWhole = placed.length <= limits.headerLookahead;
  const header = marked > 0 ? { titles: 0, rows: marked } : findHeader(shown, merges, isWhole);
  const named = placed.slice(header.titles, header.titles + header.rows).map(toSheetRow);
  for (const { cells } of placed.slice(0, header.titles)) yield* paragraphs(flow, cells);
  const { part, table } = flow.table(columnNames(named, merges), name);
  yield part;
  const reaching = new Map<number, Reaching>();
  for (const [at, { row, cells }] of placed.slice(header.titles).entries()) {
    const made = flow.row(table, row, toFlowCells(cells, at < header.rows, reaching), at < header.rows);
    if (!made) continue;
    remember(made, cells, reaching);
    yield made;
  }
}

/** What a cell that reaches down says, and where. */
interface Reaching {
  text: string;
  anchor: ElementAnchor;
}

function* paragraphs(flow: FlowParts, cells: readonly FlowTableCell[]): Generator<Part> {
  for (const { text } of cells) {
    for (const paragraph of text.split('\n')) {
      const part = flow.block('paragraph', paragraph);
      if (part) yield part;
    }
  }
}

function place(cells: readonly FlowTableCell[]): PlacedCell[] {
  let column = 0;
  return cells.map((cell) => {
    const placed = { ...cell, column };
    column += Math.max(1, cell.span);
    return placed;
  });
}

function toSheetRow({ row, cells }: { row: number; cells: PlacedCell[] }): SheetRow {
  return {
    row,
    cells: cells
      .filter(({ text }) => text.trim() !== '')
      .map(({ column, text, isBold }) => {
        const value = fieldValue(text);
        return { column, text, isBold: isBold ?? false, ...(value === undefined ? {} : { value }) };
      }),
  };
}

/** A document says nothing of its numbers: a comma before other than three digits divides decimals. */
function fieldValue(text: string): number | string | undefined {
  const hasDecimalComma = /\d,(?:\d{1,2}|\d{4,})\D*$/.test(text) || /\d\.\d{3}(?:\.\d{3})+/.test(text);
  return readFieldValue(text, hasDecimalComma);
}

function toFlowCells(
  cells: readonly PlacedCell[],
  isHeader: boolean,
  reaching: ReadonlyMap<number, Reaching>,
): FlowCell[] {
  const row: FlowCell[] = [];
  for (const { column, text, merge } of cells) {
    while (row.length < column) row.push('');
    const above = merge === 'on' && text.trim() === '' ? reaching.get(column) : undefined;
    const value = isHeader ? undefined : fieldValue(above?.text ?? text);
    row.push({
      text: above?.text ?? text,
      repeats: above?.anchor,
      ...(value === undefined ? {} : { value }),
    });
  }
  return row;
}

/** Keeps the labels that reach down into the rows below, with the place where they are shown. */
function remember(part: Part, cells: readonly PlacedCell[], reaching: Map<number, Reaching>): void {
  if (part.type !== 'block') return;
  const { row, spans } = part.block;
  for (const { column, merge } of cells) {
    if (merge === 'on') continue;
    reaching.delete(column);
    const made = row?.cells[column];
    const span = spans.find((one) => one.start === made?.start);
    if (merge !== 'start' || !made || made.text.length > MAX_REPEATED) continue;
    if (span?.anchor.kind === 'element') reaching.set(column, { text: made.text, anchor: span.anchor });
  }
}

function mergesOf(rows: readonly { row: number; cells: PlacedCell[] }[]): CellRange[] {
  const merges: CellRange[] = [];
  const open = new Map<number, CellRange>();
  for (const { row, cells } of rows) {
    for (const { column, span, merge } of cells) {
      const above = open.get(column);
      if (merge === 'on' && above) above.lastRow = row;
      if (merge === 'on' || (span < 2 && merge === 'none')) continue;
      const range = { firstRow: row, lastRow: row, firstColumn: column, lastColumn: column + span - 1 };
      if (merge === 'start') open.set(column, range);
      merges.push(range);
    }
  }
  return merges;
}
