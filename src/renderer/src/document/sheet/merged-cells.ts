/** Which cells of a sheet are drawn as one? */
import { type CellRange, contains, fromRangeName, overlaps } from './a1.ts';

export interface MergedCells {
  /** Merged ranges that reach into a window. */
  in(window: CellRange): CellRange[];
  /** The merged range that holds a cell. */
  at(row: number, column: number): CellRange | undefined;
}

export function readMerges(names: string[]): MergedCells {
  const ranges = names.map(fromRangeName).filter((range) => range !== undefined);
  return {
    in: (window) => ranges.filter((range) => overlaps(range, window)),
    at: (row, column) => ranges.find((range) => contains(range, row, column)),
  };
}
