/** In which cells of a sheet of any size do words stand? */
import { useEffect, useState } from 'react';
import type { SheetInfo } from '../../../../api/types.ts';
import { findLimit, findPattern } from '../find/find-all.ts';
import type { DocumentViewProps } from '../view-props.ts';
import type { ActiveCell } from './move-active.ts';

/** Rows of one call. */
const rowsAtOnce = 1000;

export interface SheetSearch extends Pick<DocumentViewProps, 'find' | 'onFound' | 'loadRows'> {
  sheet: SheetInfo;
  /** Brings a cell on screen. */
  show(cell: ActiveCell): void;
}

export function useFindInSheet({ sheet, find, onFound, loadRows, show }: SheetSearch): void {
  const [cells, setCells] = useState<ActiveCell[]>([]);
  const words = find?.words;
  useEffect(() => {
    setCells([]);
    if (words === undefined) return;
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const found: ActiveCell[] = [];
      for (let from = 1; from <= sheet.rows && found.length < findLimit; from += rowsAtOnce) {
        const { rows } = await loadRows(sheet.name, from, rowsAtOnce);
        if (!isCurrent) return;
        found.push(...cellsWith(rows, words));
        setCells([...found]);
        onFound?.(found.length, false);
      }
      if (isCurrent) onFound?.(found.length, found.length < findLimit);
    };
    // A lost connection is told by the page.
    look().catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [sheet, words, loadRows, onFound]);
  const cell = words === undefined ? undefined : cells[find?.at ?? 0];
  const { row, column } = cell ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every cell that is to be shown
  useEffect(() => {
    if (row !== undefined && column !== undefined) show({ row, column });
  }, [row, column]);
}

function cellsWith(rows: { row: number; cells: string[] }[], words: string): ActiveCell[] {
  const pattern = findPattern(words);
  if (pattern === undefined) return [];
  return rows.flatMap(({ row, cells }) =>
    cells.flatMap((text, column) => (text.search(pattern) >= 0 ? { row, column } : [])),
  );
}
