/** Which words of a page stand in a table that is drawn with lines, and in which of its cells? */
import type { Rule } from './page-marks.ts';
import type { Piece } from './pieces.ts';
import type { FrameRules } from './rules.ts';
import type { ShapeCell, TableShape } from './table-shape.ts';

const reach = 3; // points by which two lines may miss each other and still meet
const sameEdge = 3; // points; nearer edges are one
const leastOverhang = 8; // points; columns and rows at a table's open sides are wider
const maxMeetings = 400_000; // pairs of lines that are compared; more is a drawing
const maxCells = 20_000;
const maxColumns = 60; // more is a drawing
const leastCovered = 0.6; // share of a cell's side that a line must cover to part it from its neighbour
const leastFilled = 0.2; // share of cells with text: the grids of charts are empty

interface PlacedCell extends ShapeCell {
  row: number;
}

interface Grid {
  /** Edges of columns and of rows. */
  us: number[];
  vs: number[];
  across: Rule[];
  down: Rule[];
}

/** Tables of one direction of text, and the pieces that stand in none. */
export function ruledTables(
  pieces: Piece[],
  rules: FrameRules,
  page: number,
): { tables: { shape: TableShape; pieces: Piece[] }[]; rest: Piece[] } {
  const tables: { shape: TableShape; pieces: Piece[] }[] = [];
  let rest = pieces;
  for (const grid of gridsOf(rules)) {
    const inside = rest.filter((piece) => isInside(piece, grid));
    const shape = inside.length < 4 ? undefined : shapeOf(grid, inside, page);
    if (!shape) continue;
    tables.push({ shape, pieces: inside });
    const taken = new Set(inside);
    rest = rest.filter((piece) => !taken.has(piece));
  }
  return { tables, rest };
}

function isInside(piece: Piece, { us, vs }: Grid): boolean {
  const u = (piece.u0 + piece.u1) / 2;
  const v = (piece.v0 + piece.v1) / 2;
  return u > us[0]! && u < us.at(-1)! && v > vs[0]! && v < vs.at(-1)!;
}

/** Lines that meet make a grid; the largest comes first. */
function gridsOf({ across, down }: FrameRules): Grid[] {
  if (across.length < 2 || down.length < 1 || across.length * down.length > maxMeetings) return [];
  const parents = Array.from({ length: across.length + down.length }, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  for (const [index, a] of across.entries()) {
    for (const [other, d] of down.entries()) {
      const meets =
        d.at >= a.from - reach && d.at <= a.to + reach && a.at >= d.from - reach && a.at <= d.to + reach;
      if (meets) parents[rootOf(index)] = rootOf(across.length + other);
    }
  }
  const groups = new Map<number, { across: Rule[]; down: Rule[] }>();
  const groupOf = (index: number) => {
    const root = rootOf(index);
    const group = groups.get(root) ?? { across: [], down: [] };
    groups.set(root, group);
    return group;
  };
  for (const [index, rule] of across.entries()) groupOf(index).across.push(rule);
  for (const [index, rule] of down.entries()) groupOf(across.length + index).down.push(rule);
  return [...groups.values()]
    .map(gridOf)
    .filter(
      ({ us, vs }) =>
        us.length >= 3 && vs.length >= 3 && us.length <= maxColumns && us.length * vs.length <= maxCells,
    )
    .sort((a, b) => areaOf(b) - areaOf(a));
}

function areaOf({ us, vs }: Grid): number {
  return (us.at(-1)! - us[0]!) * (vs.at(-1)! - vs[0]!);
}

function gridOf({ across, down }: { across: Rule[]; down: Rule[] }): Grid {
  if (across.length === 0 || down.length === 0) return { us: [], vs: [], across, down };
  return { us: edges(down, across), vs: edges(across, down), across, down };
}

/** Places of the lines, and the far ends of those that cross them where a side of the table is open. */
function edges(lines: Rule[], crossing: Rule[]): number[] {
  const places: number[] = [];
  for (const { at } of lines) if (places.length === 0 || at - places.at(-1)! > sameEdge) places.push(at);
  // The second-farthest end: one long line alone opens no side.
  const starts = crossing.map(({ from }) => from).sort((a, b) => a - b);
  const ends = crossing.map(({ to }) => to).sort((a, b) => b - a);
  if (starts.length > 1 && places[0]! - starts[1]! > leastOverhang) places.unshift(starts[1]!);
  if (ends.length > 1 && ends[1]! - places.at(-1)! > leastOverhang) places.push(ends[1]!);
  return places;
}

/** Cells of a grid with their pieces; undefined where it is no table. */
function shapeOf(grid: Grid, pieces: Piece[], page: number): TableShape | undefined {
  const rowCount = grid.vs.length - 1;
  const columnCount = grid.us.length - 1;
  const regions = regionsOf(grid, rowCount, columnCount);
  const bounds = boundsOf(regions, columnCount);
  const cells = new Map<number, PlacedCell>();
  for (const piece of pieces) {
    const row = indexAt(grid.vs, (piece.v0 + piece.v1) / 2);
    const column = indexAt(grid.us, (piece.u0 + piece.u1) / 2);
    const number = regions[row * columnCount + column]!;
    let cell = cells.get(number);
    if (!cell) {
      cell = cellOf(bounds.get(number)!);
      if (!cell) return undefined;
      cells.set(number, cell);
    }
    cell.pieces.push(piece);
  }
  const shape = compact([...cells.values()], grid, page, columnCount);
  const full = shape.rows.filter((row) => row.length > 1).length;
  const isTable =
    shape.columnCount > 1 &&
    full >= 2 &&
    full * 2 >= shape.rows.length &&
    cells.size >= leastFilled * bounds.size;
  if (!isTable) return undefined;
  const isRtl = pieces.filter((piece) => piece.isRightToLeft).length * 2 > pieces.length;
  return isRtl ? mirrored(shape) : shape;
}

/** Index of the interval that holds `at`. */
function indexAt(places: number[], at: number): number {
  let index = 0;
  while (index < places.length - 2 && places[index + 1]! <= at) index += 1;
  return index;
}

/** Number of the cell that each field of the grid belongs to: fields without a line between them are one cell. */
function regionsOf(grid: Grid, rowCount: number, columnCount: number): Int32Array {
  const { us, vs } = grid;
  const regions = Int32Array.from({ length: rowCount * columnCount }, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (regions[root] !== root) {
      regions[root] = regions[regions[root]!]!;
      root = regions[root]!;
    }
    return root;
  };
  for (let row = 0; row < rowCount; row += 1) {
    for (let column = 0; column < columnCount; column += 1) {
      const own = row * columnCount + column;
      const isOpenRight =
        column + 1 < columnCount && !isCovered(grid.down, us[column + 1]!, vs[row]!, vs[row + 1]!);
      if (isOpenRight) regions[rootOf(own + 1)] = rootOf(own);
      const isOpenBelow =
        row + 1 < rowCount && !isCovered(grid.across, vs[row + 1]!, us[column]!, us[column + 1]!);
      if (isOpenBelow) regions[rootOf(own + columnCount)] = rootOf(own);
    }
  }
  return regions.map((_, index) => rootOf(index));
}

function isCovered(lines: Rule[], at: number, from: number, to: number): boolean {
  let covered = 0;
  for (const line of lines) {
    if (Math.abs(line.at - at) > sameEdge) continue;
    covered = Math.max(covered, Math.min(line.to, to) - Math.max(line.from, from));
  }
  return covered >= leastCovered * (to - from);
}

interface Bounds {
  top: number;
  bottom: number;
  left: number;
  right: number;
  fields: number;
}

function boundsOf(regions: Int32Array, columnCount: number): Map<number, Bounds> {
  const found = new Map<number, Bounds>();
  for (const [index, number] of regions.entries()) {
    const row = Math.floor(index / columnCount);
    const column = index % columnCount;
    const bounds = found.get(number);
    if (!bounds) found.set(number, { top: row, bottom: row, left: column, right: column, fields: 1 });
    else {
      bounds.bottom = row;
      bounds.left = Math.min(bounds.left, column);
      bounds.right = Math.max(bounds.right, column);
      bounds.fields += 1;
    }
  }
  return found;
}

/** An empty cell; undefined where the fields make no rectangle. */
function cellOf({ top, bottom, left, right, fields }: Bounds): PlacedCell | undefined {
  const [span, rowSpan] = [right - left + 1, bottom - top + 1];
  return fields === span * rowSpan ? { row: top, column: left, span, rowSpan, pieces: [] } : undefined;
}

/** Leaves out rows and columns in which no text begins: gaps of double lines, spacers. */
function compact(cells: PlacedCell[], { us }: Grid, page: number, columnCount: number): TableShape {
  const rowNumbers = [...new Set(cells.map(({ row }) => row))].sort((a, b) => a - b);
  const columns = Array.from({ length: columnCount }, (_, column) => column).filter((column) =>
    cells.some((cell) => cell.column === column),
  );
  const within = (places: number[], from: number, length: number): number =>
    places.filter((place) => place >= from && place < from + length).length;
  const rows = rowNumbers.map((row) =>
    cells
      .filter((cell) => cell.row === row)
      .sort((a, b) => a.column - b.column)
      .map(({ column, span, rowSpan, pieces }) => ({
        column: columns.indexOf(column),
        span: within(columns, column, span),
        rowSpan: within(rowNumbers, row, rowSpan),
        pieces,
      })),
  );
  const middles = columns.map((column) => (us[column]! + us[column + 1]!) / 2);
  return { rows, columnCount: columns.length, middles, isRuled: true, page };
}

/** Where the text runs from right to left, so do the columns. */
function mirrored(shape: TableShape): TableShape {
  const rows = shape.rows.map((row) =>
    row
      .map((cell) => ({ ...cell, column: shape.columnCount - cell.column - cell.span }))
      .sort((a, b) => a.column - b.column),
  );
  return { ...shape, rows, middles: shape.middles.toReversed() };
}
