/** Which rows, columns and headers does a table of a page have? */
import { html as limits } from '../../config.ts';
import type { Span } from '../../document.ts';
import { attribute, type Element, isElement, isText, type Node } from './clean-tree.ts';
import { InlineText } from './inline-text.ts';
import type { NumberedBlocks } from './number-blocks.ts';

/** One cell; `isRepeated` where a span over rows or columns says it again. */
export interface TableCell {
  text: string;
  spans: Span[];
  isHeader: boolean;
  isRepeated: boolean;
}

export interface TableGrid {
  rows: TableCell[][];
  /** Leading rows that name the columns. */
  headerRows: number;
  columns: string[];
}

/** Longest text that a row span repeats, UTF-16 units. */
const MAX_REPEATED_LENGTH = 200;
/** Most rows that are taken for a header without markup that says so. */
const MAX_HEADER_ROWS = 4;
/** Text of a cell that is prose in a layout rather than data, UTF-16 units. */
const MAX_CELL_LENGTH = 2_000;

const emptyCell = (): TableCell => ({ text: '', spans: [], isHeader: false, isRepeated: true });

/** Rows of a table, without those of tables inside it. */
function rowsOf(table: Element): { row: Element; isHead: boolean }[] {
  const rows: { row: Element; isHead: boolean }[] = [];
  for (const part of table.childNodes) {
    if (!isElement(part)) continue;
    if (part.tagName === 'tr') rows.push({ row: part, isHead: false });
    if (!['thead', 'tbody', 'tfoot'].includes(part.tagName)) continue;
    for (const row of part.childNodes) {
      if (isElement(row) && row.tagName === 'tr') rows.push({ row, isHead: part.tagName === 'thead' });
    }
  }
  return rows;
}

const cellsOf = (row: Element): Element[] =>
  row.childNodes.filter(
    (node): node is Element => isElement(node) && (node.tagName === 'td' || node.tagName === 'th'),
  );

/** A table that only places things on the page: tables or headings inside it, one column, or cells full of prose. */
export function isLayout(table: Element): boolean {
  const rows = rowsOf(table).map(({ row }) => cellsOf(row));
  if (Math.max(0, ...rows.map((cells) => cells.length)) < 2) return true;
  return rows.some((cells) => cells.some((cell) => holdsLayout(cell)));
}

function holdsLayout(cell: Element): boolean {
  let length = 0;
  const waiting: Node[] = [...cell.childNodes];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (isText(node)) length += node.value.trim().length;
    if (!isElement(node)) continue;
    if (/^(table|h[1-6]|nav|article|main)$/.test(node.tagName)) return true;
    waiting.push(...node.childNodes);
  }
  return length > MAX_CELL_LENGTH;
}

/** Cells in a grid, with the names of its columns. */
export function readTable(table: Element, numbered: NumberedBlocks): TableGrid {
  const rows: TableCell[][] = [];
  let marked = 0;
  const held: { cell: TableCell; left: number }[] = [];
  for (const { row, isHead } of rowsOf(table)) {
    const cells = readRow(row, numbered, held);
    const isMarked =
      isHead ||
      (cells.some((cell) => cell.text !== '') && cells.every((cell) => cell.isHeader || cell.text === ''));
    if (isMarked && marked === rows.length) marked++;
    rows.push(cells);
  }
  const headerRows = marked > 0 ? marked : guessHeaderRows(rows);
  return { rows, headerRows, columns: nameColumns(rows.slice(0, headerRows)) };
}

function spanOf(element: Element, name: string): number {
  const value = Number.parseInt(attribute(element, name) ?? '1', 10);
  return Number.isNaN(value) ? 1 : Math.min(limits.maxSpan, Math.max(1, value));
}

/** `held` are the cells that reach down from earlier rows, by column. */
function readRow(
  row: Element,
  numbered: NumberedBlocks,
  held: { cell: TableCell; left: number }[],
): TableCell[] {
  const cells: TableCell[] = [];
  const fillHeld = (): void => {
    for (let reach = held[cells.length]; reach && reach.left > 0; reach = held[cells.length]) {
      reach.left--;
      cells.push({ ...reach.cell, isRepeated: true });
    }
  };
  for (const element of cellsOf(row)) {
    fillHeld();
    const { text, spans } = readCell(element, numbered);
    const cell = { text, spans, isHeader: element.tagName === 'th', isRepeated: false };
    const below = spanOf(element, 'rowspan') - 1;
    const width = spanOf(element, 'colspan');
    for (let i = 0; i < width && cells.length < limits.maxSpan; i++) {
      const again =
        i === 0 ? cell : { ...emptyCell(), isHeader: cell.isHeader, text: cell.isHeader ? text : '' };
      const repeats = i === 0 && text.length <= MAX_REPEATED_LENGTH;
      if (below > 0) held[cells.length] = { cell: repeats ? cell : emptyCell(), left: below };
      cells.push(again);
    }
  }
  fillHeld();
  return cells;
}

function readCell(cell: Element, numbered: NumberedBlocks): { text: string; spans: Span[] } {
  const inline = new InlineText();
  const visit = (node: Node): void => {
    if (isText(node)) inline.add(node.value, numbered.placeOf(node), false);
    if (!isElement(node)) return;
    const isBreak = node.tagName === 'br' || numbered.ids.has(node);
    if (isBreak) inline.breakWord();
    node.childNodes.forEach(visit);
    if (isBreak) inline.breakWord();
  };
  cell.childNodes.forEach(visit);
  return inline.take();
}

/** Figures, with signs, currency and per cent; a bare year names a column. */
const isFigure = (text: string): boolean =>
  /\d/.test(text) && !/\p{L}{3,}/u.test(text) && !/^(19|20)\d\d$/.test(text.trim());

/** Without markup: leading rows whose first cell is empty, or a first row of names above a row with figures. */
function guessHeaderRows(rows: TableCell[][]): number {
  if (rows.length < 2) return 0;
  let count = 0;
  const isNaming = (row: TableCell[]): boolean => {
    const filled = row.filter((cell) => cell.text !== '');
    return filled.length > 0 && filled.every((cell) => !isFigure(cell.text));
  };
  while (count < MAX_HEADER_ROWS && count < rows.length - 1) {
    const row = rows[count]!;
    if (row[0]?.text !== '' || !isNaming(row)) break;
    count++;
  }
  if (count > 0) return count;
  const [first, ...others] = rows;
  const isFull = first!.every((cell) => cell.text !== '' && cell.text.length <= 60);
  const figuresBelow = others.some((row) => row.some((cell) => isFigure(cell.text)));
  return isFull && isNaming(first!) && figuresBelow ? 1 : 0;
}

/** Each column's header texts from top to bottom, without repeats. */
function nameColumns(header: TableCell[][]): string[] {
  const width = Math.max(0, ...header.map((row) => row.length));
  return Array.from({ length: width }, (_, column) => {
    const names = header.map((row) => row[column]?.text ?? '').filter((name) => name !== '');
    return names.filter((name, i) => names.indexOf(name) === i).join(' ');
  });
}
