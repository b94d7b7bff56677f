/** Which cells of a window are drawn, and how does each look? */
import type { MouseEvent } from 'react';
import { type CellRange, contains, overlaps, toColumnName } from './a1.ts';
import { boxOf, type Geometry, widthOf } from './grid-geometry.ts';
import type { ActiveCell } from './move-active.ts';
import type { SheetRowCache } from './sheet-rows.ts';

export interface CellsProps {
  geometry: Geometry;
  window: CellRange;
  cache: SheetRowCache;
  merges: CellRange[];
  lit: CellRange[];
  active: CellRange;
  onChoose(cell: ActiveCell): void;
}

export function Cells({ geometry, window, cache, merges, lit, active, onChoose }: CellsProps) {
  const rows = [];
  // Merged cells that begin above the window hang on their own row.
  const above = new Set(merges.map((range) => range.firstRow).filter((row) => row < window.firstRow));
  const numbers = [...above];
  for (let row = window.firstRow; row <= window.lastRow; row++) numbers.push(row);
  for (const row of numbers) {
    const cells = cache.row(row);
    const drawn = [];
    for (const range of cellsOfRow(row, window, merges)) {
      const text = cells?.[range.firstColumn] ?? '';
      const isLit = lit.some((one) => overlaps(one, range));
      const isActive = contains(active, row, range.firstColumn);
      if (
        text === '' &&
        !isLit &&
        !isActive &&
        range.firstColumn === range.lastColumn &&
        range.firstRow === range.lastRow
      )
        continue;
      const spill = spillOf(range, text, cells ?? [], geometry);
      drawn.push(<GridCell key={range.firstColumn} {...{ geometry, range, text, spill, isLit, isActive }} />);
    }
    // A row without a cell is no row to a screen reader.
    if (drawn.length === 0) continue;
    rows.push(
      // biome-ignore lint/a11y/useSemanticElements: see the grid
      // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid, which names its active cell
      <div
        key={row}
        role="row"
        aria-rowindex={row}
        className="sheet-row"
        data-loading={cells === undefined || undefined}
      >
        {drawn}
      </div>,
    );
  }
  const choose = (event: MouseEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const row = Math.min(geometry.rows, Math.floor((event.clientY - box.top) / geometry.rowHeight) + 1);
    const x = event.clientX - box.left;
    const column = geometry.starts.findLastIndex((start) => start <= x);
    onChoose({ row, column: Math.min(column, geometry.columns - 1) });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the grid itself moves the active cell by keys
    <div
      className="sheet-cells"
      role="presentation"
      style={{ width: geometry.width, height: geometry.height }}
      onClick={choose}
    >
      <Lines geometry={geometry} window={window} />
      {rows}
    </div>
  );
}

/** Lines between the cells of the window, so that empty ones are seen as cells. */
function Lines({ geometry, window }: Pick<CellsProps, 'geometry' | 'window'>) {
  const { rowHeight, starts } = geometry;
  const edges = Array.from(starts.slice(window.firstColumn + 1, window.lastColumn + 2));
  const style = {
    top: (window.firstRow - 1) * rowHeight,
    height: (window.lastRow - window.firstRow + 1) * rowHeight,
    backgroundSize: `100% ${rowHeight}px`,
  };
  return (
    <div className="sheet-lines" aria-hidden="true" style={style}>
      {edges.map((edge) => (
        <i key={edge} style={{ left: edge - 1 }} />
      ))}
    </div>
  );
}

/** Cells to draw in a row: each column of the window, merged ones once, at their first row. */
function cellsOfRow(row: number, window: CellRange, merges: CellRange[]): CellRange[] {
  const here = merges.filter((range) => range.firstRow <= row && row <= range.lastRow);
  const cells = here.filter((range) => range.firstRow === row);
  if (row < window.firstRow) return cells;
  for (let column = window.firstColumn; column <= window.lastColumn; column++) {
    if (here.some((range) => contains(range, row, column))) continue;
    cells.push({ firstRow: row, lastRow: row, firstColumn: column, lastColumn: column });
  }
  return cells.sort((a, b) => a.firstColumn - b.firstColumn);
}

/** Numbers, dates, percents and sums of money stand at the right. */
const NUMERIC =
  /^[-−–+(]*[$€£¥₽]?\s?[-−+]?\d[\d\s\u00a0\u202f.,:/-]*(?:[eE][-+]?\d+)?\s?(?:%|[$€£¥₽]|руб\.?|zł)?\)?$/u;

/** Last column that a text may run into: as far as it needs, over empty cells at its right. */
function spillOf(range: CellRange, text: string, cells: string[], geometry: Geometry): number {
  let last = range.lastColumn;
  if (range.firstColumn !== last || range.firstRow !== range.lastRow || NUMERIC.test(text.slice(0, 40)))
    return last;
  const right = geometry.starts[range.firstColumn]! + widthOf(text.split('\n')[0]!, geometry);
  while (last + 1 < geometry.columns && geometry.starts[last + 1]! < right && (cells[last + 1] ?? '') === '')
    last += 1;
  return last;
}

interface GridCellProps {
  geometry: Geometry;
  range: CellRange;
  text: string;
  /** Last column that its text runs into. */
  spill: number;
  isLit: boolean;
  isActive: boolean;
}

function GridCell({ geometry, range, text, spill, isLit, isActive }: GridCellProps) {
  const name = `${toColumnName(range.firstColumn)}${range.firstRow}`;
  const { top, left, width, height } = boxOf(geometry, { ...range, lastColumn: spill });
  const isTall = range.lastRow > range.firstRow;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid, which names its active cell
    <div
      id={`cell-${name}`}
      role="gridcell"
      className="sheet-cell"
      aria-colindex={range.firstColumn + 1}
      aria-selected={isActive}
      {...(isTall ? { 'aria-rowspan': range.lastRow - range.firstRow + 1 } : {})}
      {...(range.lastColumn > range.firstColumn
        ? { 'aria-colspan': range.lastColumn - range.firstColumn + 1 }
        : {})}
      data-cell={name}
      data-lit={isLit || undefined}
      data-number={(text.length < 40 && NUMERIC.test(text)) || undefined}
      data-tall={isTall || undefined}
      title={text.length > 12 ? text : undefined}
      style={{ top, left, width, height }}
    >
      {text}
    </div>
  );
}
