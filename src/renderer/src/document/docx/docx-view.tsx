/** How is a Word document shown with its cited words lit? */
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Anchor } from '../../../../api/anchor.ts';
import { useFindInFrame } from '../find/use-find-in-frame.ts';
import { DocumentFrame } from '../frame/frame.tsx';
import { lightRanges, settleOn } from '../frame/light-ranges.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { drawDocx } from './draw-docx.ts';
import { rangeInParagraph } from './range-in-paragraph.ts';

/**
 * The page stays paper in the dark theme: its own colours are made for it. Paragraphs out of sight are not laid out,
 * which makes a document of 300 pages open several times as fast; the margin keeps hanging numbers from being clipped.
 */
const paper = `
  .docx-wrapper { font-family: var(--serif, serif); }
  html { background: var(--ground-deep, #efebe2); }
  body { margin: 0; }
  .docx-wrapper { background: transparent !important; padding: 24px 16px 0 !important; min-width: min-content; }
  .docx-wrapper > section.docx { color-scheme: light; box-shadow: 0 1px 2px #00000024, 0 8px 24px #0000001a !important; margin-bottom: 24px !important; }
  .docx-wrapper article > p { content-visibility: auto; contain-intrinsic-size: auto 1.6em; overflow-clip-margin: 400px; }
  sup[data-note]::before { content: attr(data-note); }
  ::highlight(lectern-cited) { background-color: #ffe97acc; color: #1d1b17; }
`;

/** Room at each side of a page, in CSS pixels, as the style above gives it. */
const pageGap = 16;
/** Below this a line can't be read; the pane then scrolls sideways. */
const smallestFit = 0.55;

type Drawn = { state: 'drawing' } | { state: 'drawn'; frame: Document } | { state: 'failed' };

export function DocxView(props: DocumentViewProps) {
  const { view, anchors, visit, zoom, onPlace, onLit } = props;
  const { t } = useTranslation();
  const [frame, setFrame] = useState<Document>();
  const drawn = useDrawn(frame, view.viewUrl);
  // The note replaces the frame, so a later document must wait for a new one.
  useEffect(() => {
    if (drawn.state === 'failed') setFrame(undefined);
  }, [drawn]);

  useEffect(() => {
    if (drawn.state !== 'drawn') return;
    const { frame: page } = drawn;
    const adjust = (): void => fitWidth(page);
    adjust();
    page.defaultView?.addEventListener('resize', adjust);
    return () => page.defaultView?.removeEventListener('resize', adjust);
  }, [drawn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit lights the same anchors again
  useEffect(() => {
    if (drawn.state === 'drawing') return;
    if (drawn.state === 'failed') {
      if (anchors.length > 0) onLit(false);
      return;
    }
    const ranges = rangesOf(drawn.frame, anchors);
    const isLit = lightRanges(drawn.frame, ranges);
    if (ranges[0]) settleOn(drawn.frame, ranges[0]);
    if (anchors.length > 0) onLit(isLit);
  }, [drawn, anchors, visit]);

  useFindInFrame(drawn.state === 'drawn' ? drawn.frame : undefined, props);
  const scrolled = useCallback((share: number) => onPlace(`${Math.round(share * 100)} %`), [onPlace]);

  if (drawn.state === 'failed') return <p className="doc-note">{t('doc.broken')}</p>;
  return (
    <div className="docx-view">
      <DocumentFrame
        title={view.document.title}
        zoom={zoom}
        styleSheet={paper}
        onReady={setFrame}
        onScroll={scrolled}
      />
      {drawn.state === 'drawing' && (
        <p className="doc-note over" role="status">
          {t('doc.drawingLong')}
        </p>
      )}
    </div>
  );
}

const DRAWING: Drawn = { state: 'drawing' };

/** Fetches and draws the prepared view once for each address and frame; never tells of an earlier address. */
function useDrawn(frame: Document | undefined, url: string | undefined): Drawn {
  const [last, setLast] = useState<{ drawn: Drawn; url: string | undefined }>({ drawn: DRAWING, url });
  useEffect(() => {
    if (!frame) return;
    const abort = new AbortController();
    let free: (() => void) | undefined;
    const draw = async (): Promise<Drawn> => {
      const response = url === undefined ? undefined : await fetch(url, { signal: abort.signal });
      if (!response?.ok) return { state: 'failed' };
      const bytes = await response.blob();
      // Drawing holds the page for seconds in a long document: the words that say so must stand before.
      await nextPaint();
      free = await drawDocx(frame, bytes, abort.signal);
      return { state: 'drawn', frame };
    };
    draw().then(
      (drawn) => {
        if (abort.signal.aborted) free?.();
        else setLast({ drawn, url });
      },
      () => {
        if (!abort.signal.aborted) setLast({ drawn: { state: 'failed' }, url });
      },
    );
    return () => {
      abort.abort();
      free?.();
    };
  }, [frame, url]);
  return last.url === url ? last.drawn : DRAWING;
}

/** What was set before is on screen by then. In a window out of sight, where nothing is painted, at once. */
const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.visibilityState === 'hidden') resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });

/** A page wider than the pane is made smaller until its lines can be read without moving it sideways. */
function fitWidth(frame: Document): void {
  const view = frame.defaultView;
  if (!view) return;
  const widths = [...frame.querySelectorAll('section.docx')].map((page) =>
    Number.parseFloat(view.getComputedStyle(page).width),
  );
  const widest = Math.max(0, ...widths.filter(Number.isFinite)) + 2 * pageGap;
  const fit = Math.min(1, view.innerWidth / widest);
  frame.documentElement.style.setProperty('--fit', String(Math.max(smallestFit, fit)));
}

function rangesOf(frame: Document, anchors: Anchor[]): Range[] {
  return anchors.flatMap((anchor) => {
    if (anchor.kind !== 'element') return [];
    const paragraph = frame.getElementById(`lectern-${anchor.path}`)?.closest('p');
    return (paragraph && rangeInParagraph(paragraph, anchor.start, anchor.end)) ?? [];
  });
}
