/** How are plain text and code shown, with line numbers and the cited words lit, at any size? */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { findAll, findLimit } from '../find/find-all.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { type Marks, RowText } from './row-text.tsx';
import { litRanges, type Rows, toRows } from './rows.ts';
import { useLoadedText } from './use-loaded-text.ts';
import './text-view.css';

/** Above this many rows all have one height: measuring a million wrapped rows would freeze the page. */
const MAX_WRAPPED_ROWS = 50_000;
const ROW_HEIGHT = 22;
/** Above the first row and under the last, in CSS pixels. */
const padding = { paddingStart: 12, paddingEnd: 12 };

export function TextView(props: DocumentViewProps) {
  const { t } = useTranslation();
  const { view, anchors, onLit } = props;
  const loaded = useLoadedText(view.viewUrl);
  const text = loaded.state === 'loaded' ? loaded.text : undefined;
  const rows = useMemo(() => (text === undefined ? undefined : toRows(text)), [text]);
  const hasFailed = loaded.state === 'failed' && anchors.length > 0;
  useEffect(() => {
    if (hasFailed) onLit(false);
  }, [hasFailed, onLit]);
  if (loaded.state === 'failed') return <p className="doc-note">{t('doc.broken')}</p>;
  if (!rows) return <p className="doc-note">{t('doc.drawing')}</p>;
  return <TextRows {...props} rows={rows} />;
}

function TextRows(props: DocumentViewProps & { rows: Rows }) {
  const { view, anchors, quote, visit, zoom, onPlace, onLit, rows } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const wraps = rows.count <= MAX_WRAPPED_ROWS;
  const lit = useMemo(() => litRanges(rows, anchors, quote), [rows, anchors, quote]);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT * zoom,
    overscan: 20,
    ...padding,
  });
  const lastLine = rows.lines[rows.count - 1]!;
  const firstVisible = virtualizer.range?.startIndex ?? 0;

  useEffect(() => {
    onPlace(`${rows.lines[firstVisible]} / ${lastLine}`);
  }, [firstVisible, lastLine, rows, onPlace]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another zoom makes other heights
  useEffect(() => {
    virtualizer.measure();
  }, [zoom]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit shows the same place again
  useEffect(() => {
    if (anchors.length === 0) return;
    const [first] = lit;
    if (first) virtualizer.scrollToIndex(rowAt(rows, first.start), { align: 'center' });
    onLit(first !== undefined);
  }, [lit, visit]);

  const marks = useMarks(props, lit);
  const { now } = marks;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every place that is to be shown
  useEffect(() => {
    if (now !== undefined) virtualizer.scrollToIndex(rowAt(rows, now.start), { align: 'center' });
  }, [now]);

  const isCode = view.document.kind !== 'text';
  const digits = String(lastLine).length;
  return (
    <section
      ref={scroller}
      className={isCode ? 'text-view text-view-code' : 'text-view'}
      aria-label={view.document.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ fontSize: `${zoom * 14}px` }}
    >
      <div
        className="text-rows"
        style={{ height: virtualizer.getTotalSize(), minWidth: wraps ? undefined : 'max-content' }}
      >
        {virtualizer.getVirtualItems().map((item) => (
          <TextRow
            key={item.key}
            rows={rows}
            index={item.index}
            top={item.start}
            numberWidth={`${digits + 4}ch`}
            marks={marks}
            measure={wraps ? virtualizer.measureElement : undefined}
          />
        ))}
      </div>
    </section>
  );
}

/** What is marked in the rows: the cited words, and those that the reader looks for. */
function useMarks({ rows, find, onFound }: DocumentViewProps & { rows: Rows }, lit: Marks['lit']): Marks {
  const words = find?.words;
  const found = useMemo(() => (words === undefined ? [] : findAll(rows.text, words)), [rows, words]);
  useEffect(() => {
    if (words !== undefined) onFound?.(found.length, found.length < findLimit);
  }, [words, found, onFound]);
  const now = find === undefined ? undefined : found[find.at];
  return useMemo(() => ({ lit, found, now }), [lit, found, now]);
}

/** One row on screen; only rows that wrap have to be measured. */
function TextRow(props: {
  rows: Rows;
  index: number;
  top: number;
  numberWidth: string;
  marks: Marks;
  measure: ((element: Element | null) => void) | undefined;
}) {
  const { rows, index, top, numberWidth, marks, measure } = props;
  return (
    <div
      ref={measure}
      data-index={index}
      data-line={rows.lines[index]}
      className={measure ? 'text-row' : 'text-row text-row-whole'}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className="text-number" aria-hidden="true" style={{ width: numberWidth }}>
        {isFirstOfLine(rows, index) ? rows.lines[index] : ''}
      </span>
      <RowText rows={rows} index={index} marks={marks} />
    </div>
  );
}

const isFirstOfLine = (rows: Rows, index: number): boolean =>
  index === 0 || rows.lines[index - 1] !== rows.lines[index];

/** Row that holds an offset. */
function rowAt(rows: Rows, offset: number): number {
  let [low, high] = [0, rows.count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows.starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
