/** Which lines of text stand in rows and columns although no line is drawn around them? */
import { readFieldValue } from '../sheet/field-value.ts';
import { isCellGap, isMarker, type Line } from './lines.ts';
import type { Rule } from './page-marks.ts';
import type { Piece } from './pieces.ts';
import type { ShapeCell, TableShape } from './table-shape.ts';

export interface TableLook {
  /** 1-based. */
  page: number;
  /** Lines drawn across the page, in the frame of the text that is upright as shown. */
  across: Rule[];
}

export type PageItem = { lines: Line[]; table?: undefined } | { table: TableShape };

const farthest = 2.2; // ems between two rows of one table, from foot to head
const widestPitch = 2; // ems between the middles of rows; those of a loose table say nothing of its labels
const longestLabel = 90; // UTF-16 units of a line that stands alone between rows
const longestSectionName = 40; // UTF-16 units of a line that may run over the columns of numbers
const mostColumns = 40; // more is a drawing
const mostLabels = 3; // such lines one after the other
const leastAligned = 0.8; // share of a column's cells whose edges stand below each other
const edgeEms = 0.45; // how far edges may differ
const leastNumbers = 0.5; // share of numbers to the right of the first column
const longestTextCell = 40; // UTF-16 units, on average, where columns hold no numbers
const leastTextCells = 3; // columns and rows of a table without numbers
const mostDoubled = 0.08; // share of cells that share a column with another of their row

/** Pieces that no wide gap divides. */
interface Stretch {
  pieces: Piece[];
  u0: number;
  u1: number;
  text: string;
  isNumber: boolean;
}

interface Candidate {
  line: Line;
  cells: Stretch[];
}

interface Column {
  u0: number;
  u1: number;
}

/** Splits lines in reading order into running lines and tables. Ruled tables come as lines of their own. */
export function itemsOf(lines: Line[], look: TableLook): PageItem[] {
  const items: PageItem[] = [];
  let open: Line[] = [];
  const close = (): void => {
    if (open.length > 0) items.push({ lines: open });
    open = [];
  };
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]!;
    const found = line.table || line.pieces.length < 2 ? undefined : tableFrom(lines, index, look);
    if (line.table || found) close();
    if (line.table) items.push({ table: line.table });
    else if (found) items.push({ table: found.shape });
    else open.push(line);
    index += found?.length ?? 1;
  }
  close();
  return items;
}

function tableFrom(
  lines: Line[],
  start: number,
  { page, across }: TableLook,
): { shape: TableShape; length: number } | undefined {
  const run = runFrom(lines, start);
  return tableOf(
    run.map((line) => ({ line, cells: stretchesOf(line) })),
    page,
    across,
  );
}

function tableOf(
  candidates: Candidate[],
  page: number,
  across: Rule[],
): { shape: TableShape; length: number } | undefined {
  const data = candidates.filter(isData);
  const isNumeric = data.length >= 2;
  const judged = isNumeric ? data : candidates.filter(({ cells }) => cells.length >= leastTextCells);
  if (judged.length < (isNumeric ? 2 : leastTextCells)) return undefined;
  const columns = columnsOf(judged);
  const prose = candidates.findIndex((line) => isProse(line, columns));
  if (prose >= 0) return prose < 2 ? undefined : tableOf(candidates.slice(0, prose), page, across);
  if (columns.length < 2 || (columns.length === 2 && judged.length < 3)) return undefined;
  if (!areAligned(judged, columns) || (columns.length === 2 && isContents(judged))) return undefined;
  if (isNumeric ? hasProseBeside(judged, columns) : !areShort(judged, columns)) return undefined;
  const kept = trimmed(candidates, columns, judged);
  const rows = joinedRows(rowGroups(kept, columns, across).flatMap((group) => rowsOf(group, columns)));
  if (rows.length < 2 || columns.length > mostColumns) return undefined;
  const middles = columns.map(({ u0, u1 }) => (u0 + u1) / 2);
  const shape = { rows, columnCount: columns.length, middles, isRuled: false, page };
  return { shape, length: kept.length };
}

/** A line that runs from the first column over the others: text between two tables. */
function isProse({ line, cells }: Candidate, columns: Column[]): boolean {
  const second = columns[1];
  const isLong = cells.length === 1 && line.text.length > longestSectionName;
  return isLong && second !== undefined && line.u0 <= columns[0]!.u1 && line.u1 > second.u1;
}

/** Lines from `start` that may be rows: near each other, in several stretches but for short labels in between. */
function runFrom(lines: Line[], start: number): Line[] {
  const first = lines[start]!;
  let end = start + 1;
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index]!;
    const last = lines[index - 1]!;
    const isNear = line.v0 - last.v1 <= farthest * line.size && line.v1 > last.v1;
    const isSameSize = Math.abs(line.size - first.size) <= 0.2 * first.size;
    if (line.table || line.column !== first.column || !isNear || !isSameSize) break;
    if (line.cells > 1 || stretchesOf(line).length > 1) end = index + 1;
    else if (index - end >= mostLabels || line.text.length > longestLabel) break;
  }
  return lines.slice(start, end);
}

/** Stretches of a line; a sign of currency belongs to the number after it, a per cent sign to the one before. */
function stretchesOf(line: Line): Stretch[] {
  const groups: Piece[][] = [];
  let before: Piece | undefined;
  let text = '';
  for (const piece of line.pieces) {
    const isMark = groups.length === 1 && isMarker(text) && !isNumber(piece.text);
    const isGap = before && (isCellGap(before, piece) || areFigures(before, piece));
    const isNew = !before || (isGap && !isMark && !isSign(text, piece.text));
    if (isNew) groups.push([]);
    text = isNew ? piece.text : `${text} ${piece.text}`;
    groups.at(-1)!.push(piece);
    before = piece;
  }
  return groups.map((pieces) => {
    const joined = pieces.map((piece) => piece.text).join(' ');
    return {
      pieces,
      u0: Math.min(...pieces.map((piece) => piece.u0)),
      u1: Math.max(...pieces.map((piece) => piece.u1)),
      text: joined,
      isNumber: isNumber(joined),
    };
  });
}

/** Figures drawn apart are two cells, however near they stand. */
function areFigures(before: Piece, piece: Piece): boolean {
  const gap = piece.u0 - before.u1;
  return gap > 0.5 * piece.size && isNumber(before.text) && isNumber(piece.text);
}

function isSign(before: string, text: string): boolean {
  return /^[$€£¥₽(]+$/.test(before) || /^[%)]+$/.test(text);
}

/** Numbers, days, and what stands in place of a number. */
function isNumber(text: string): boolean {
  if (/^(?:[$€£¥₽]\s*)?[-–—]+\s*%?\)?$|^n\/?[am]\.?$/iu.test(text)) return true;
  const value = text.replace(/\s*(?:pts?|bps?|x|×)$/iu, '').replace(/\s*\)$/, ')');
  return (
    readFieldValue(value, /,\d{1,2}$/.test(value)) !== undefined ||
    /^\(?[$€£]?\s*[\d.,]+\s*%?\)?$/.test(value)
  );
}

function isData({ cells }: Candidate): boolean {
  return cells.length > 1 && cells.slice(1).filter((cell) => cell.isNumber).length * 2 >= cells.length - 1;
}

/** Stretches that overlap from row to row share a column. */
function columnsOf(rows: Candidate[]): Column[] {
  const columns: Column[] = [];
  const cells = rows.flatMap((row) => row.cells).sort((a, b) => a.u0 - b.u0);
  for (const { u0, u1 } of cells) {
    const last = columns.at(-1);
    if (last && u0 < last.u1) last.u1 = Math.max(last.u1, u1);
    else columns.push({ u0, u1 });
  }
  return columns;
}

/** Each column holds at most one cell of a row, and their left or right edges or middles stand below each other. */
function areAligned(rows: Candidate[], columns: Column[]): boolean {
  let [doubled, count] = [0, 0];
  const byColumn = columns.map((): Stretch[] => []);
  for (const { cells } of rows) {
    const taken = new Set<number>();
    for (const cell of cells) {
      const index = columns.findIndex(({ u0, u1 }) => cell.u0 >= u0 && cell.u1 <= u1);
      if (taken.has(index)) doubled += 1;
      taken.add(index);
      byColumn[index]?.push(cell);
      count += 1;
    }
  }
  if (doubled > mostDoubled * count) return false;
  const numbers = byColumn.slice(1).flat();
  const isNumeric = numbers.filter((cell) => cell.isNumber).length >= leastNumbers * numbers.length;
  const size = rows[0]!.line.size;
  const aligned = byColumn.filter((cells) => cells.length > 1 && standBelow(cells, edgeEms * size));
  const filled = byColumn.filter((cells) => cells.length > 1);
  return aligned.length >= Math.max(2, filled.length * leastAligned) || (isNumeric && aligned.length > 1);
}

function standBelow(cells: Stretch[], tolerance: number): boolean {
  const edges = [
    cells.map(({ u0 }) => u0),
    cells.map(({ u1 }) => u1),
    cells.map(({ u0, u1 }) => (u0 + u1) / 2),
  ];
  return edges.some((places) => {
    const middle = places.toSorted((a, b) => a - b)[places.length >> 1]!;
    const near = places.filter((place) => Math.abs(place - middle) <= tolerance);
    return near.length >= leastAligned * places.length;
  });
}

/** A table of contents: numbers of pages that only grow. */
function isContents(rows: Candidate[]): boolean {
  const numbers = rows.map(({ cells }) => Number(cells.at(-1)!.text));
  return rows.length > 3 && numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!);
}

/** Without numbers only short words, drawn row by row, make a table. */
function areShort(rows: Candidate[], columns: Column[]): boolean {
  if (columns.length < leastTextCells) return false;
  const cells = rows.flatMap((row) => row.cells);
  const length = cells.reduce((sum, cell) => sum + cell.text.length, 0);
  if (length > longestTextCell * cells.length) return false;
  return areByRow(rows);
}

/** The page's own order goes from row to row; that of two columns of text goes down first. */
function areByRow(rows: Candidate[]): boolean {
  let last = -1;
  return rows.every((row) => {
    const orders = row.cells.flatMap(({ pieces }) => pieces.map(({ order }) => order));
    const isLater = Math.min(...orders) > last;
    last = Math.max(...orders);
    return isLater;
  });
}

/** Beside the rows stands a column of running text. */
function hasProseBeside(rows: Candidate[], columns: Column[]): boolean {
  if (areByRow(rows)) return false;
  return columns.slice(1).some(({ u0, u1 }) => {
    const cells = rows.flatMap((row) => row.cells.filter((cell) => cell.u0 >= u0 && cell.u1 <= u1));
    const length = cells.reduce((sum, cell) => sum + cell.text.length, 0);
    return length > longestTextCell * cells.length;
  });
}

/** Leaves out labels below the last row with cells. */
function trimmed(candidates: Candidate[], columns: Column[], judged: Candidate[]): Candidate[] {
  const last = judged.at(-1)!;
  let end = candidates.indexOf(last) + 1;
  // What hangs below the last row: the rest of a label or of a text cell.
  while (end < candidates.length && candidates[end]!.cells.length > 1) end += 1;
  const width = columns.at(-1)!.u1 - columns[0]!.u0;
  const kept = candidates.slice(0, end);
  const wide = kept.findIndex(({ line, cells }) => cells.length === 1 && line.u1 - line.u0 > width);
  return wide > kept.indexOf(last) ? kept.slice(0, wide) : kept;
}

/**
 * Lines that make one row: those between two drawn lines, where such lines part the rows; else those that overlap or
 * stand nearer to each other than the rows do.
 */
function rowGroups(lines: Candidate[], columns: Column[], across: Rule[]): Candidate[][] {
  const [from, to] = [columns[0]!.u0, columns.at(-1)!.u1];
  const rules = across.filter((rule) => Math.min(rule.to, to) - Math.max(rule.from, from) > (to - from) / 2);
  const isRuledOff = (a: Candidate, b: Candidate): boolean =>
    rules.some(({ at }) => at > middleOf(a) && at < middleOf(b));
  const data = lines.filter(isData);
  const pairs = data.slice(1).map((row, at) => ({ before: data[at]!, row }));
  const parted = pairs.filter(({ before, row }) => isRuledOff(before, row)).length;
  const isByRules = parted >= 0.9 * pairs.length;
  const pitches = pairs.map(({ before, row }) => middleOf(row) - middleOf(before)).sort((a, b) => a - b);
  const pitch = Math.min(pitches[pitches.length >> 2] ?? 0, widestPitch * lines[0]!.line.size);
  const groups: Candidate[][] = [];
  for (const line of lines) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last && (isByRules ? !isRuledOff(last, line) : areOneRow(last, line, pitch));
    if (isNear) groups.at(-1)!.push(line);
    else groups.push([line]);
  }
  return groups;
}

function middleOf({ line }: Candidate): number {
  return (line.v0 + line.v1) / 2;
}

function areOneRow(above: Candidate, below: Candidate, pitch: number): boolean {
  if (isData(above) && isData(below)) return false;
  const overlap = above.line.v1 - below.line.v0;
  const height = Math.min(above.line.v1 - above.line.v0, below.line.v1 - below.line.v0);
  return overlap > 0.25 * height || middleOf(below) - middleOf(above) < 0.85 * pitch;
}

/** A group is one row, but for names of columns that cover several: each of their lines is a row. */
function rowsOf(group: Candidate[], columns: Column[]): ShapeCell[][] {
  const rows = group.map(({ cells }) => inColumns(cells, columns));
  if (rows.some((row) => row.some(({ span }) => span > 1))) return rows;
  const whole: ShapeCell[] = [];
  for (const cell of rows.flat()) {
    const same = whole.find(({ column }) => column === cell.column);
    if (same) same.pieces.push(...cell.pieces);
    else whole.push(cell);
  }
  return [whole.sort((a, b) => a.column - b.column)];
}

function inColumns(cells: Stretch[], columns: Column[]): ShapeCell[] {
  const found: ShapeCell[] = [];
  for (const cell of cells) {
    const covered = columns.flatMap((column, index) =>
      Math.min(cell.u1, column.u1) - Math.max(cell.u0, column.u0) > 0 ? [index] : [],
    );
    const first = covered[0] ?? nearest(cell, columns);
    // The name of a row may reach over the columns to its right where those are empty.
    const isLabel = first === 0 && cells.length === 1;
    const span = isLabel || cell.isNumber ? 1 : Math.max(covered.length, 1);
    const last = found.at(-1);
    if (last && first < last.column + last.span) last.pieces.push(...cell.pieces);
    else found.push({ column: first, span, rowSpan: 1, pieces: [...cell.pieces] });
  }
  return found;
}

function nearest(cell: Stretch, columns: Column[]): number {
  const middle = (cell.u0 + cell.u1) / 2;
  const distances = columns.map(({ u0, u1 }) => Math.abs((u0 + u1) / 2 - middle));
  return distances.indexOf(Math.min(...distances));
}

/** A row's name that goes on in the next line belongs to the row that has the numbers. */
function joinedRows(rows: ShapeCell[][]): ShapeCell[][] {
  const joined: ShapeCell[][] = [];
  for (const row of rows) {
    const before = joined.at(-1);
    const label = row[0]!;
    const lone = before?.length === 1 && before[0]!.column === 0 ? before[0] : undefined;
    const goesOn = label.column === 0 && /^[\p{Ll}(]/u.test(label.pieces[0]!.text);
    if (lone && goesOn && row.length > 1) {
      label.pieces.unshift(...lone.pieces);
      joined[joined.length - 1] = row;
    } else if (before && row.length === 1 && goesOn && before[0]!.column === 0) {
      before[0]!.pieces.push(...label.pieces);
    } else joined.push(row);
  }
  return joined;
}
