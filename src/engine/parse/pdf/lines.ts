/** What does each line of a page read, and where does each of its words stand? */
import type { Span } from '../../document.ts';
import { aslant, type GlyphPage } from './glyphs.ts';
import type { PageContent } from './pdfium.ts';
import { type Piece, piecesOfPage } from './pieces.ts';
import { type Row, readingOrder } from './reading-order.ts';
import { ruledTables } from './ruled-tables.ts';
import { type FrameRules, rulesInFrame } from './rules.ts';
import type { TableShape } from './table-shape.ts';

/** One line of text with spans relative to it; cells of a table's row are separated by tabs. */
export interface Line {
  text: string;
  spans: Span[];
  /** As in Piece: `u` in reading direction, `v` from line to line. */
  u0: number;
  u1: number;
  v0: number;
  v1: number;
  size: number;
  isBold: boolean;
  /** Stretches separated by tabs. */
  cells: number;
  /** From left to right, or from right to left where the line runs so. */
  pieces: Piece[];
  /** A whole table that is drawn with lines; the text is that of all its cells. */
  table?: TableShape;
  /** Differs where two lines can't belong to one paragraph: another column, another direction. */
  column: number;
  columnStart: number;
  columnEnd: number;
  /** How far down the page as shown its middle stands: 0 is the top edge, 1 the bottom edge. */
  down: number;
}

/** Bullets of lists. */
export const bullet = /^[•‣◦⁃∙·●○■□▪▫►▶➢➤✓✔*–—-]$/u;
/** Numbers and letters of lists and headings, standing alone. */
const marker = /^(?:\(?(?:\d{1,3}(?:\.\d{1,3}){0,5}|[a-zа-я]|[ivxlc]{1,6})[.)]?|§\s?\d+(?:\.\d+)*)$/iu;

/** Lines of a page in reading order; a table that is drawn with lines is one of them. `page` is 1-based. */
export function linesOfPage({ glyphs, marks }: PageContent, page: number): Line[] {
  const lines: Line[] = [];
  const frames = new Map<number, FrameRules>();
  const rulesOf = (direction: number): FrameRules => {
    const rules = frames.get(direction) ?? rulesInFrame(marks, direction);
    frames.set(direction, rules);
    return rules;
  };
  for (const { direction, pieces } of piecesOfPage(glyphs, (turn) => rulesOf(turn).down)) {
    const shown = direction === aslant ? pieces : withTables(pieces, rulesOf(direction), page);
    lines.push(...linesOfPieces(shown, page, glyphs, (lines.at(-1)?.column ?? 0) + 1));
  }
  return lines;
}

/** Lines of pieces that run one way, in reading order; their columns are numbered from `column`. `page` is 1-based. */
export function linesOfPieces(
  pieces: Piece[],
  page: number,
  shown: Pick<GlyphPage, 'visible' | 'quarterTurns'>,
  column = 1,
): Line[] {
  const lines: Line[] = [];
  for (const row of readingOrder(pieces)) {
    for (const part of partsOf(row)) {
      const line = lineOf(part, column + row.column, page);
      line.down = downOf(line, shown);
      if (line.text.trim() !== '') lines.push(line);
    }
  }
  return lines;
}

/** Each table as one piece, so that the order of reading goes around it and never through it. */
function withTables(pieces: Piece[], rules: FrameRules, page: number): Piece[] {
  const { tables, rest } = ruledTables(pieces, rules, page);
  const wholes = tables.map(({ shape, pieces: inside }): Piece => {
    const first = inside[0]!;
    return {
      ...first,
      text: '',
      u0: Math.min(...inside.map((piece) => piece.u0)),
      u1: Math.max(...inside.map((piece) => piece.u1)),
      v0: Math.min(...inside.map((piece) => piece.v0)),
      v1: Math.max(...inside.map((piece) => piece.v1)),
      order: Math.min(...inside.map((piece) => piece.order)),
      table: shape,
    };
  });
  return wholes.length === 0 ? pieces : [...rest, ...wholes];
}

/** A table is a line of its own, also where words stand beside its middle. */
function partsOf(row: Row): Row[] {
  if (!row.pieces.some(({ table }) => table)) return [row];
  const words = row.pieces.filter(({ table }) => !table);
  const tables = row.pieces.filter(({ table }) => table).map((piece) => ({ ...row, pieces: [piece] }));
  return words.length > 0 ? [{ ...row, pieces: words }, ...tables] : tables;
}

function lineOf(row: Row, column: number, page: number): Line {
  const first = row.pieces[0]!;
  const { table } = first;
  const pieces = table ? table.rows.flatMap((cells) => cells.flatMap((cell) => cell.pieces)) : row.pieces;
  const spans: Span[] = [];
  let text = '';
  let cells = 1;
  let before: Piece | undefined;
  for (const piece of pieces) {
    if (before) {
      const isCell = isCellGap(before, piece) && !isMarker(text);
      if (isCell) cells += 1;
      text += isCell ? '\t' : ' ';
    }
    spans.push(spanOf(piece, text.length, page));
    text += piece.text;
    before = piece;
  }
  return {
    text,
    spans,
    u0: Math.min(...row.pieces.map((piece) => piece.u0)),
    u1: Math.max(...row.pieces.map((piece) => piece.u1)),
    v0: Math.min(...row.pieces.map((piece) => piece.v0)),
    v1: Math.max(...row.pieces.map((piece) => piece.v1)),
    size: pieces.reduce((widest, piece) => (piece.text.length > widest.text.length ? piece : widest)).size,
    isBold: pieces.every((piece) => piece.isBold),
    cells,
    pieces,
    ...(table ? { table } : {}),
    column,
    columnStart: row.columnStart,
    columnEnd: row.columnEnd,
    down: 0.5,
  };
}

/** Wider than any space of a justified line. */
export function isCellGap(before: Piece, piece: Piece): boolean {
  const gap = piece.isRightToLeft ? before.u0 - piece.u1 : piece.u0 - before.u1;
  return gap > 1.2 * Math.max(before.size, piece.size);
}

/** A bullet or number stands in front of its text, it is no cell. */
export function isMarker(text: string): boolean {
  return bullet.test(text) || marker.test(text);
}

/** The place of a piece whose text begins at `start` of a block's text. */
export function spanOf(piece: Piece, start: number, page: number): Span {
  const span: Span = {
    start,
    end: start + piece.text.length,
    anchor: { kind: 'page', page, boxes: [piece.box] },
  };
  if (piece.stops.length > 2) span.stops = { direction: piece.direction, at: piece.stops };
  return span;
}

function downOf(line: Line, { visible, quarterTurns }: Pick<GlyphPage, 'visible' | 'quarterTurns'>): number {
  const { anchor } = line.spans[0]!;
  const box = anchor.kind === 'page' ? anchor.boxes[0] : undefined;
  if (!box) return 0.5;
  const across = (box.x + box.width / 2 - visible.x) / Math.max(visible.width, 1);
  const up = (box.y + box.height / 2 - visible.y) / Math.max(visible.height, 1);
  return [1 - up, across, up, 1 - across][quarterTurns]!;
}
