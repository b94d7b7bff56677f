/** How are a million rows and thousands of columns of one sheet drawn, a window at a time? */
import { type KeyboardEvent, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SheetInfo } from '../../../../api/types.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { type CellRange, toColumnName } from './a1.ts';
import { type Geometry, headerOver, layOut, visibleCells } from './grid-geometry.ts';
import { readMerges } from './merged-cells.ts';
import { type ActiveCell, cellRange, moveActive } from './move-active.ts';
import { Cells, type CellsProps } from './sheet-cells.tsx';
import { SheetRowCache } from './sheet-rows.ts';
import { useFindInSheet } from './use-find-in-sheet.ts';
import {
  scrollToCell,
  useFittedWidths,
  useReportLit,
  useReportPlace,
  useScrollToLit,
  useWindow,
} from './use-grid.ts';

export interface SheetGridProps
  extends Pick<DocumentViewProps, 'visit' | 'zoom' | 'loadRows' | 'onPlace' | 'onLit' | 'find' | 'onFound'> {
  sheet: SheetInfo;
  /** Cited ranges of this sheet. */
  lit: CellRange[];
}

export function SheetGrid(props: SheetGridProps) {
  const { sheet, lit, visit, zoom, loadRows, onPlace, onLit } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const cache = useMemo(
    () => new SheetRowCache((from, count) => loadRows(sheet.name, from, count), redraw),
    [sheet, loadRows],
  );
  const merges = useMemo(() => readMerges(sheet.merges), [sheet]);
  const fitted = useFittedWidths(sheet, cache);
  const geometry = useMemo(() => layOut(sheet, fitted, zoom), [sheet, fitted, zoom]);
  const seen = useWindow(scroller, geometry);
  const [active, setActive] = useState<ActiveCell>({ row: 1, column: 0 });

  const window = visibleCells(geometry, seen);
  const shownMerges = merges.in(window);
  useEffect(() => {
    cache.want(window.firstRow, window.lastRow);
    // A merged cell that begins above the window shows the text of its first row.
    for (const range of shownMerges.slice(0, 20)) cache.want(range.firstRow, range.firstRow);
  });

  useScrollToLit({ scroller, geometry, merges, lit, visit, setActive });
  useReportLit({ lit, visit, cache, geometry, seen, onLit });
  useReportPlace(seen, geometry, onPlace);

  const show = (cell: ActiveCell, where: 'third' | 'nearest'): void => {
    setActive(cell);
    scrollToCell(scroller.current, geometry, merges, cell, where);
  };
  useFindInSheet({ ...props, show: (cell) => show(cell, 'third') });

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(seen.height / geometry.rowHeight) - 1);
    const next = moveActive(event, active, geometry, page, merges);
    if (!next) return;
    event.preventDefault();
    show(next, 'nearest');
  };

  const activeRange = merges.at(active.row, active.column) ?? cellRange(active);
  const activeName = `${toColumnName(activeRange.firstColumn)}${activeRange.firstRow}`;
  return (
    <>
      <CellBar name={activeName} text={cache.row(activeRange.firstRow)?.[activeRange.firstColumn] ?? ''} />
      {/* biome-ignore lint/a11y/useSemanticElements: a table element can't be drawn a window at a time */}
      <div
        className="sheet-scroller"
        ref={scroller}
        role="grid"
        aria-label={t('doc.sheetGrid', { name: sheet.name })}
        aria-rowcount={geometry.rows}
        aria-colcount={geometry.columns}
        aria-activedescendant={`cell-${activeName}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        style={{ fontSize: `${13 * zoom}px` }}
      >
        <Canvas
          {...{ geometry, window, cache, lit, active }}
          topRow={Math.floor(seen.top / geometry.rowHeight) + 1}
          merges={shownMerges}
          activeRange={activeRange}
          onChoose={setActive}
        />
      </div>
    </>
  );
}

interface CanvasProps extends StripProps, Omit<CellsProps, 'active'> {
  /** Uppermost row that is at least partly seen. */
  topRow: number;
  /** The active cell, with all that is merged with it. */
  activeRange: CellRange;
}

/** Letters above, numbers at the left, cells between: as large as the whole sheet, drawn where it is seen. */
function Canvas({ geometry, window, active, activeRange, topRow, ...cells }: CanvasProps) {
  const width = geometry.numbersWidth + geometry.width;
  const height = geometry.headHeight + geometry.height;
  return (
    <div className="sheet-canvas" role="presentation" style={{ width, height }}>
      <ColumnLetters geometry={geometry} window={window} active={active} topRow={topRow} />
      <div className="sheet-body" role="presentation" style={{ height: geometry.height }}>
        <RowNumbers geometry={geometry} window={window} active={active} />
        <Cells geometry={geometry} window={window} active={activeRange} {...cells} />
      </div>
    </div>
  );
}

/** The whole text of the active cell, which the grid may cut off. */
function CellBar({ name, text }: { name: string; text: string }) {
  return (
    <div className="sheet-cell-bar">
      <span className="sheet-cell-name">{name}</span>
      <span className="sheet-cell-text">{text}</span>
    </div>
  );
}

interface StripProps {
  geometry: Geometry;
  window: CellRange;
  active: ActiveCell;
}

function ColumnLetters({ geometry, window, active, topRow }: StripProps & { topRow: number }) {
  const letters = [];
  for (let column = window.firstColumn; column <= window.lastColumn; column++) {
    const left = geometry.numbersWidth + geometry.starts[column]!;
    const width = geometry.starts[column + 1]! - geometry.starts[column]!;
    letters.push(
      <div
        key={column}
        className="sheet-letter"
        data-active={column === active.column || undefined}
        style={{ left, width }}
      >
        {toColumnName(column)}
      </div>,
    );
  }
  return (
    <div className="sheet-letters" aria-hidden="true" style={{ height: geometry.headHeight }}>
      {letters}
      <div className="sheet-corner" style={{ width: geometry.numbersWidth }} />
      <ColumnNames geometry={geometry} window={window} topRow={topRow} />
    </div>
  );
}

/** The names of the columns, once their own row is scrolled away. */
function ColumnNames({ geometry, window, topRow }: Omit<StripProps, 'active'> & { topRow: number }) {
  const header = headerOver(geometry, topRow);
  if (!header) return null;
  const { starts, numbersWidth, rowHeight, headHeight } = geometry;
  const names = [];
  for (let column = window.firstColumn; column <= window.lastColumn; column++) {
    const name = header.columns[column] ?? '';
    const style = { left: numbersWidth + starts[column]!, width: starts[column + 1]! - starts[column]! };
    names.push(
      <div key={column} className="sheet-name" title={name} style={style}>
        {name}
      </div>,
    );
  }
  return (
    <div className="sheet-names" style={{ top: headHeight, height: rowHeight }}>
      {names}
      <div className="sheet-corner sheet-number-of-names" style={{ width: numbersWidth }}>
        {header.firstRow}
      </div>
    </div>
  );
}

function RowNumbers({ geometry, window, active }: StripProps) {
  const numbers = [];
  for (let row = window.firstRow; row <= window.lastRow; row++) {
    const style = { top: (row - 1) * geometry.rowHeight, height: geometry.rowHeight };
    numbers.push(
      <div key={row} className="sheet-number" data-active={row === active.row || undefined} style={style}>
        {row}
      </div>,
    );
  }
  return (
    <div
      className="sheet-numbers"
      aria-hidden="true"
      style={{ width: geometry.numbersWidth, height: geometry.height }}
    >
      {numbers}
    </div>
  );
}
