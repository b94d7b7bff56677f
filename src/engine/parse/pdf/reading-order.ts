/** In which order are the pieces of a page read, and which stand side by side on one line? */
import type { Piece } from './pieces.ts';

/** Pieces of one line from left to right, and the column that the line stands in. */
export interface Row {
  pieces: Piece[];
  /** Number of the column on its page, for telling where one ends. */
  column: number;
  columnStart: number;
  columnEnd: number;
}

// Pages with more pieces or lines than this are drawings or attacks: they are read line by line.
const maxPieces = 3000;
const maxBands = 600;
const maxGutters = 8;

const minGutterEms = 0.6;
const minColumnEms = 12; // narrower columns are the cells of a table
const minLines = 3;

interface Gutter {
  from: number;
  to: number;
}

/** Rows in reading order: line by line, but the left column before the right one where text stands in columns. */
export function readingOrder(pieces: Piece[]): Row[] {
  const rows: Row[] = [];
  let column = 0;
  const read = (region: Piece[]): void => {
    const bands = bandsOf(region);
    const isPlain = region.length > maxPieces || bands.length > maxBands;
    const failed: { gutter: Gutter; end: number }[] = [];
    let start = 0;
    for (let index = 0; index < bands.length; ) {
      const run = isPlain ? undefined : columnRun(bands, index, failed);
      if (!run) {
        index += 1;
        continue;
      }
      pushRows(bands.slice(start, index));
      read(run.left);
      read(run.right);
      index = run.end;
      start = index;
    }
    pushRows(bands.slice(start));
  };
  const pushRows = (bands: Piece[][]): void => {
    if (bands.length === 0) return;
    const columnStart = Math.min(...bands.map((band) => band[0]!.u0));
    const columnEnd = Math.max(...bands.map((band) => Math.max(...band.map((piece) => piece.u1))));
    for (const band of bands) rows.push({ pieces: inLine(band), column, columnStart, columnEnd });
    column += 1;
  };
  read(pieces);
  return rows;
}

/** Groups pieces whose middles are on one height; bands from top to bottom, pieces from left to right. */
export function bandsOf(pieces: Piece[]): Piece[][] {
  const sorted = pieces.toSorted((a, b) => a.v0 + a.v1 - (b.v0 + b.v1));
  const bands: Piece[][] = [];
  let middle = 0;
  let height = 0;
  for (const piece of sorted) {
    const own = (piece.v0 + piece.v1) / 2;
    const band = bands.at(-1);
    if (band && own - middle < 0.4 * Math.min(height, piece.v1 - piece.v0)) band.push(piece);
    else {
      bands.push([piece]);
      middle = own;
      height = piece.v1 - piece.v0;
    }
  }
  for (const band of bands) band.sort((a, b) => a.u0 - b.u0);
  return bands;
}

export function inLine(band: Piece[]): Piece[] {
  const isRtl = band.filter((piece) => piece.isRightToLeft).length * 2 > band.length;
  return isRtl ? band.toReversed() : band;
}

/** A stretch of bands from `start` that a gutter divides into two columns of prose. */
function columnRun(
  bands: Piece[][],
  start: number,
  failed: { gutter: Gutter; end: number }[],
): { left: Piece[]; right: Piece[]; end: number } | undefined {
  const gutters = guttersAt(bands, start);
  for (const gutter of gutters) {
    const middle = (gutter.from + gutter.to) / 2;
    // The same gutter failed from a band above: it fails from here too.
    if (failed.some((old) => start < old.end && old.gutter.from < middle && middle < old.gutter.to)) continue;
    const run = extend(bands, start, gutter);
    if (areColumns(run.left, run.right)) return run;
    failed.push({ gutter: run.gutter, end: run.end });
  }
  return undefined;
}

/** Gaps within a band, and between it and the next one where the columns' lines don't stand level. */
function guttersAt(bands: Piece[][], start: number): Gutter[] {
  const gutters: Gutter[] = [];
  const near = [...bands[start]!, ...(bands[start + 1] ?? [])].sort((a, b) => a.u0 - b.u0);
  let end = near[0]?.u1 ?? 0;
  for (const piece of near.slice(1)) {
    if (piece.u0 - end >= minGutterEms * piece.size) gutters.push({ from: end, to: piece.u0 });
    end = Math.max(end, piece.u1);
  }
  return gutters.slice(0, maxGutters);
}

function extend(
  bands: Piece[][],
  start: number,
  { from, to }: Gutter,
): { left: Piece[]; right: Piece[]; end: number; gutter: Gutter } {
  const left: Piece[] = [];
  const right: Piece[] = [];
  let end = start;
  for (; end < bands.length; end += 1) {
    const band = bands[end]!;
    let low = from;
    let high = to;
    for (const piece of band) {
      if ((piece.u0 + piece.u1) / 2 < (from + to) / 2) low = Math.max(low, piece.u1);
      else high = Math.min(high, piece.u0);
    }
    if (high - low < minGutterEms * band[0]!.size) break;
    from = low;
    to = high;
    for (const piece of band) (piece.u1 <= from ? left : right).push(piece);
  }
  return { left, right, end, gutter: { from, to } };
}

/** Columns of prose: wide, mostly full lines on both sides of the gutter, drawn one side after the other. */
function areColumns(allLeft: Piece[], allRight: Piece[]): boolean {
  const left = columnsOf(allLeft).at(-1) ?? [];
  const right = columnsOf(allRight)[0] ?? [];
  if (left.length < minLines || right.length < minLines) return false;
  const changes = sideChanges(left, right);
  if (changes <= 3) return Math.min(fillOf(left, widthOf), fillOf(right, widthOf)) >= 0.3;
  const fill = Math.min(fillOf(left, one), fillOf(right, one));
  return fill >= 0.7 && Math.min(left.length, right.length) >= 6;
}

/** Weighs a piece for fillOf: by its width the cells of a table inside a column count for little. */
const widthOf = (piece: Piece): number => piece.u1 - piece.u0;
const one = (): number => 1;

/** Splits pieces where nothing at all crosses a gutter: the far side of one may hold further columns. */
function columnsOf(pieces: Piece[]): Piece[][] {
  const columns: Piece[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const piece of pieces.toSorted((a, b) => a.u0 - b.u0)) {
    if (piece.u0 - end >= minGutterEms * piece.size) columns.push([]);
    columns.at(-1)!.push(piece);
    end = Math.max(end, piece.u1);
  }
  return columns;
}

/** Share of lines that reach most of the column's width; 0 for a column too narrow for prose. */
function fillOf(side: Piece[], weightOf: (piece: Piece) => number): number {
  const width = Math.max(...side.map((piece) => piece.u1)) - Math.min(...side.map((piece) => piece.u0));
  const size = side[side.length >> 1]!.size;
  if (width < minColumnEms * size) return 0;
  let [full, all] = [0, 0];
  for (const piece of side) {
    all += weightOf(piece);
    if (piece.u1 - piece.u0 >= 0.7 * width) full += weightOf(piece);
  }
  return full / Math.max(all, 1e-6);
}

/** How often the page's own order goes from one side to the other: a table changes in every row. */
function sideChanges(left: Piece[], right: Piece[]): number {
  const sides = [
    ...left.map((piece) => ({ order: piece.order, side: 0 })),
    ...right.map((piece) => ({ order: piece.order, side: 1 })),
  ].sort((a, b) => a.order - b.order);
  let changes = 0;
  for (let index = 1; index < sides.length; index += 1) {
    if (sides[index]!.side !== sides[index - 1]!.side) changes += 1;
  }
  return changes;
}
