/** Which part of a sheet is on screen, and how does the cited cell come there? */
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { SheetInfo } from '../../../../api/types.ts';
import { type CellRange, overlaps } from './a1.ts';
import { boxOf, fitWidths, type Geometry, headerOver, visibleCells } from './grid-geometry.ts';
import type { MergedCells } from './merged-cells.ts';
import { type ActiveCell, cellRange } from './move-active.ts';
import type { SheetRowCache } from './sheet-rows.ts';

/** Rows by which the widths of columns are judged where the file gives none. */
const ROWS_FOR_WIDTHS = 100;

/** Widths that fit the first rows, once those are there; empty before. */
export function useFittedWidths(sheet: SheetInfo, cache: SheetRowCache): number[] {
  const count = Math.min(sheet.rows, ROWS_FOR_WIDTHS);
  useEffect(() => cache.want(1, Math.max(1, count)), [cache, count]);
  const isThere = cache.row(1) !== undefined;
  return useMemo(() => {
    if (!isThere) return [];
    return fitWidths(Array.from({ length: count }, (_, at) => ({ cells: cache.row(at + 1) ?? [] })));
  }, [isThere, count, cache]);
}

interface GridWindow {
  top: number;
  left: number;
  width: number;
  height: number;
}

/** The part of the canvas that can be seen, beside the letters and numbers. */
export function useWindow(scroller: RefObject<HTMLDivElement | null>, geometry: Geometry): GridWindow {
  const [box, setBox] = useState({ top: 0, left: 0, width: 800, height: 600 });
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = (): void => {
      const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
      setBox((before) =>
        before.top === scrollTop &&
        before.left === scrollLeft &&
        before.width === clientWidth &&
        before.height === clientHeight
          ? before
          : { top: scrollTop, left: scrollLeft, width: clientWidth, height: clientHeight },
      );
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  return {
    ...box,
    width: box.width - geometry.numbersWidth,
    height: Math.max(0, box.height - geometry.headHeight),
  };
}

/** Brings the first cited cell into the upper third, once for each visit and again when the widths change. */
export function useScrollToLit(given: {
  scroller: RefObject<HTMLDivElement | null>;
  geometry: Geometry;
  merges: MergedCells;
  lit: CellRange[];
  visit: number;
  setActive(cell: ActiveCell): void;
}): void {
  const { scroller, geometry, merges, lit, visit, setActive } = given;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit scrolls to the same cells again
  useLayoutEffect(() => {
    const first = lit[0];
    if (!first) return;
    const cell = { row: first.firstRow, column: first.firstColumn };
    setActive(cell);
    scrollToCell(scroller.current, geometry, merges, cell, 'third');
  }, [lit, visit, geometry]);
}

/** Lit when the first cited cell is drawn with its text; false when the sheet has no such cell. */
export function useReportLit(given: {
  lit: CellRange[];
  visit: number;
  cache: SheetRowCache;
  geometry: Geometry;
  seen: GridWindow;
  onLit(isLit: boolean): void;
}): void {
  const { lit, visit, cache, geometry, seen, onLit } = given;
  const first = lit[0];
  const isOutside =
    first !== undefined && (first.firstRow > geometry.rows || first.firstColumn >= geometry.columns);
  const isDrawn =
    first !== undefined &&
    !isOutside &&
    cache.row(first.firstRow) !== undefined &&
    overlaps(first, visibleCells(geometry, seen));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit wants its own answer
  useEffect(() => {
    if (isOutside) onLit(false);
    else if (isDrawn) onLit(true);
  }, [isOutside, isDrawn, lit, visit]);
}

/** Only the grid itself scrolls, never the page around it. */
export function scrollToCell(
  scroller: HTMLDivElement | null,
  geometry: Geometry,
  merges: MergedCells,
  cell: ActiveCell,
  where: 'third' | 'nearest',
): void {
  if (!scroller) return;
  const box = boxOf(geometry, merges.at(cell.row, cell.column) ?? cellRange(cell));
  const height = scroller.clientHeight - geometry.headHeight;
  const width = scroller.clientWidth - geometry.numbersWidth;
  // The names of the columns lie over the uppermost row.
  const covered = headerOver(geometry, cell.row) ? geometry.rowHeight : 0;
  const isAbove = box.top < scroller.scrollTop + covered;
  const isBelow = box.top + Math.min(box.height, height) > scroller.scrollTop + height;
  if (isAbove || isBelow) {
    if (where === 'third') scroller.scrollTop = box.top - height / 3;
    else scroller.scrollTop = isAbove ? box.top - covered : box.top + box.height - height;
  }
  const isLeft = box.left < scroller.scrollLeft;
  const isRight = box.left + Math.min(box.width, width) > scroller.scrollLeft + width;
  if (isLeft || isRight) {
    if (where === 'third') scroller.scrollLeft = box.left - width / 3;
    else scroller.scrollLeft = isLeft ? box.left : box.left + box.width - width;
  }
}

/** Says which rows are seen, of how many. */
export function useReportPlace(seen: GridWindow, geometry: Geometry, onPlace: (text: string) => void): void {
  const first = Math.floor(seen.top / geometry.rowHeight) + 1;
  const bottom = Math.floor((seen.top + seen.height) / geometry.rowHeight);
  const last = Math.max(first, Math.min(geometry.rows, bottom));
  useEffect(() => {
    onPlace(`${first.toLocaleString()}–${last.toLocaleString()} / ${geometry.rows.toLocaleString()}`);
  }, [first, last, geometry.rows, onPlace]);
}
