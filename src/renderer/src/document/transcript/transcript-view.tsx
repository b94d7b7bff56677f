/** How is a transcript shown, with the time of each stretch of speech and the cited words lit? */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { findAll, findLimit } from '../find/find-all.ts';
import { type Marks, RowText } from '../text/row-text.tsx';
import { rowOfLine } from '../text/rows.ts';
import { useLoadedText } from '../text/use-loaded-text.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { type CueRows, litCues, toClock, toCueRows } from './cue-rows.ts';
import '../text/text-view.css';
import './transcript-view.css';

const ROW_HEIGHT = 28;
/** Above the first row and under the last, in CSS pixels. */
const padding = { paddingStart: 12, paddingEnd: 12 };

export function TranscriptView(props: DocumentViewProps) {
  const { t } = useTranslation();
  const { view, anchors, onLit } = props;
  const loaded = useLoadedText(view.viewUrl);
  const text = loaded.state === 'loaded' ? loaded.text : undefined;
  const speech = useMemo(() => (text === undefined ? undefined : toCueRows(text)), [text]);
  const hasFailed = loaded.state === 'failed' && anchors.length > 0;
  useEffect(() => {
    if (hasFailed) onLit(false);
  }, [hasFailed, onLit]);
  if (loaded.state === 'failed') return <p className="doc-note">{t('doc.broken')}</p>;
  if (!speech) return <p className="doc-note">{t('doc.drawing')}</p>;
  return <Speech {...props} speech={speech} />;
}

function Speech(props: DocumentViewProps & { speech: CueRows }) {
  const { view, anchors, quote, visit, zoom, onPlace, onLit, speech } = props;
  const { rows, cues } = speech;
  const scroller = useRef<HTMLElement>(null);
  const lit = useMemo(() => litCues(speech, anchors, quote), [speech, anchors, quote]);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT * zoom,
    overscan: 20,
    ...padding,
  });
  const firstVisible = virtualizer.range?.startIndex ?? 0;

  useEffect(() => {
    const now = cues[(rows.lines[firstVisible] ?? 1) - 1];
    if (now) onPlace(`${toClock(now.fromMs)} / ${toClock(cues.at(-1)!.toMs)}`);
  }, [firstVisible, cues, rows, onPlace]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another zoom makes other heights
  useEffect(() => {
    virtualizer.measure();
  }, [zoom]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit shows the same place again
  useEffect(() => {
    if (anchors.length === 0) return;
    const [first] = lit;
    if (first) virtualizer.scrollToIndex(rowAt(speech, first.start), { align: 'center' });
    onLit(first !== undefined);
  }, [lit, visit]);

  const marks = useMarks(props, lit);
  const { now } = marks;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every place that is to be shown
  useEffect(() => {
    if (now !== undefined) virtualizer.scrollToIndex(rowAt(speech, now.start), { align: 'center' });
  }, [now]);

  return (
    <section
      ref={scroller}
      className="text-view"
      aria-label={view.document.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ fontSize: `${zoom * 15}px` }}
    >
      <div className="text-rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => (
          <CueRow
            key={item.key}
            speech={speech}
            index={item.index}
            top={item.start}
            marks={marks}
            measure={virtualizer.measureElement}
          />
        ))}
      </div>
    </section>
  );
}

/** One row; the time stands at the first row of a cue. */
function CueRow(props: {
  speech: CueRows;
  index: number;
  top: number;
  marks: Marks;
  measure: (element: Element | null) => void;
}) {
  const { speech, index, top, marks, measure } = props;
  const { rows, cues } = speech;
  const line = rows.lines[index]!;
  const isFirst = index === 0 || rows.lines[index - 1] !== line;
  const cue = isFirst ? cues[line - 1] : undefined;
  return (
    <div
      ref={measure}
      data-index={index}
      className="text-row transcript-row"
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className="text-number" style={{ width: '10ch' }}>
        {cue && <time>{toClock(cue.fromMs)}</time>}
      </span>
      <RowText rows={rows} index={index} marks={marks} />
    </div>
  );
}

/** What is marked: the cited words, and those that the reader looks for. */
function useMarks(
  { speech, find, onFound }: DocumentViewProps & { speech: CueRows },
  lit: Marks['lit'],
): Marks {
  const words = find?.words;
  const found = useMemo(() => (words === undefined ? [] : findAll(speech.rows.text, words)), [speech, words]);
  useEffect(() => {
    if (words !== undefined) onFound?.(found.length, found.length < findLimit);
  }, [words, found, onFound]);
  const now = find === undefined ? undefined : found[find.at];
  return useMemo(() => ({ lit, found, now }), [lit, found, now]);
}

/** The row of the cue that holds an offset. */
function rowAt({ rows, starts }: CueRows, offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return rowOfLine(rows, low + 1);
}
