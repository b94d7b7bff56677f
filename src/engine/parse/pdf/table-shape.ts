/** What is a table on one page, before its words are joined? */
import type { Piece } from './pieces.ts';

export interface ShapeCell {
  /** 0-based; how many columns and rows it covers. */
  column: number;
  span: number;
  rowSpan: number;
  pieces: Piece[];
}

export interface TableShape {
  /** Cells with text by row, ascending by column. Rows without text are left out. */
  rows: ShapeCell[][];
  columnCount: number;
  /** Middle of each column in u, for telling whether a table goes on overleaf. */
  middles: number[];
  /** Drawn with lines: its columns can't be mistaken. */
  isRuled: boolean;
  page: number;
}
