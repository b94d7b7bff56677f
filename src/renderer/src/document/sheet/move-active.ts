/** To which cell does a key lead? */
import type { KeyboardEvent } from 'react';
import type { CellRange } from './a1.ts';
import type { Geometry } from './grid-geometry.ts';
import type { MergedCells } from './merged-cells.ts';

/** Row 1-based, column 0-based. */
export interface ActiveCell {
  row: number;
  column: number;
}

export function cellRange({ row, column }: ActiveCell): CellRange {
  return { firstRow: row, lastRow: row, firstColumn: column, lastColumn: column };
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Undefined for keys that mean nothing here. `page`: rows that fit into the window. */
export function moveActive(
  { key, ctrlKey, metaKey, altKey }: Key,
  active: ActiveCell,
  { rows, columns }: Pick<Geometry, 'rows' | 'columns'>,
  page: number,
  merges: MergedCells,
): ActiveCell | undefined {
  if (altKey) return undefined; // Alt with arrows walks through what was read
  const isFar = ctrlKey || metaKey;
  const merged = merges.at(active.row, active.column);
  const top = merged?.firstRow ?? active.row;
  const bottom = merged?.lastRow ?? active.row;
  const left = merged?.firstColumn ?? active.column;
  const right = merged?.lastColumn ?? active.column;
  const { row, column } = active;
  const targets: Record<string, ActiveCell> = {
    ArrowDown: { row: isFar ? rows : bottom + 1, column },
    ArrowUp: { row: isFar ? 1 : top - 1, column },
    ArrowRight: { row, column: isFar ? columns - 1 : right + 1 },
    ArrowLeft: { row, column: isFar ? 0 : left - 1 },
    PageDown: { row: row + page, column },
    PageUp: { row: row - page, column },
    Home: { row: isFar ? 1 : row, column: 0 },
    End: { row: isFar ? rows : row, column: columns - 1 },
  };
  const target = targets[key];
  if (!target) return undefined;
  return {
    row: Math.max(1, Math.min(rows, target.row)),
    column: Math.max(0, Math.min(columns - 1, target.column)),
  };
}
