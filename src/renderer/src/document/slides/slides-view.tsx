/** How are the slides of a presentation shown with the cited words lit? */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Anchor } from '../../../../api/anchor.ts';
import { useFindInFrame } from '../find/use-find-in-frame.ts';
import { addBaseStyle, DocumentFrame } from '../frame/frame.tsx';
import { lightRanges, rangeInElement, settleOn } from '../frame/light-ranges.ts';
import { sanitisePage } from '../html/sanitise-page.ts';
import { useLoadedText } from '../text/use-loaded-text.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { fitSlides } from './fit-slides.ts';
import { fitText } from './fit-text.ts';

/**
 * Slides stay as they were painted, in the dark theme too; what stands around them goes with the page. Sizes of what isn't part of a
 * slide are divided by the scale of the slides, so that they stay as large as text.
 */
const paper = `
  html { background: var(--ground-deep, #efebe2); color: var(--ink, #23211c); }
  body { padding: calc(16px / var(--fit, 1)) calc(14px / var(--fit, 1)) calc(24px / var(--fit, 1)); width: max-content; min-width: calc(100% - 28px / var(--fit, 1)); font-family: var(--sans, sans-serif); }
  .slide { color-scheme: light; box-shadow: 0 0 0 calc(1px / var(--fit, 1)) #00000014, 0 1px 3px #00000024, 0 10px 30px #00000014; }
  .deck-slide { content-visibility: auto; contain-intrinsic-size: auto 700px; overflow-clip-margin: 40px; padding-bottom: calc(6px / var(--fit, 1)); }
  .deck-slide::before { display: block; padding: 0 0 calc(5px / var(--fit, 1)) calc(1px / var(--fit, 1)); font: 600 calc(12px / var(--fit, 1)) / 1.4 var(--sans, sans-serif); color: var(--ink-soft, #655f54); font-variant-numeric: tabular-nums; }
  .deck-slide[data-hidden] .slide { outline: calc(2px / var(--fit, 1)) dashed var(--line-strong, #cbc3b2); outline-offset: calc(3px / var(--fit, 1)); }
  .aside { margin-top: calc(10px / var(--fit, 1)); padding: calc(10px / var(--fit, 1)) calc(14px / var(--fit, 1)); border: calc(1px / var(--fit, 1)) solid var(--line, #e0dacd); border-radius: calc(8px / var(--fit, 1)); background: var(--paper, #fffdf8); font: calc(14px / var(--fit, 1)) / 1.5 var(--sans, sans-serif); }
  .aside::before { display: block; margin-bottom: calc(4px / var(--fit, 1)); font-weight: 600; font-size: calc(12px / var(--fit, 1)); color: var(--ink-soft, #655f54); }
  .aside p { margin: 0 0 calc(4px / var(--fit, 1)); white-space: pre-wrap; }
  .slide ::highlight(lectern-cited) { background-color: #ffe97acc; color: #1d1b17; }
  ::highlight(lectern-cited) { background-color: #ffe97a; color: #1d1b17; }
`;

export function SlidesView(props: DocumentViewProps) {
  const { view, anchors, visit, zoom, onPlace, onLit } = props;
  const { t } = useTranslation();
  const loaded = useLoadedText(view.viewUrl);
  const [frame, setFrame] = useState<Document>();
  const [last, setLast] = useState<{ frame: Document; text: string }>();
  const text = loaded.state === 'loaded' ? loaded.text : undefined;
  // What stands in the frame may still be the document before.
  const drawn = last !== undefined && last.text === text ? last.frame : undefined;
  const styleSheet = useMemo(() => paper + labels(t), [t]);

  useEffect(() => {
    if (!frame || text === undefined) return;
    drawPage(frame, text, styleSheet);
    for (const slide of slidesOf(frame)) {
      slide.setAttribute('aria-label', t('place.slide', { slide: Number(slide.dataset.slide) }));
    }
    const stops = [fitSlides(frame), fitText(frame)];
    setLast({ frame, text });
    onPlace(placeOf(frame));
    return () => {
      for (const stop of stops) stop();
    };
  }, [frame, text, styleSheet, t, onPlace]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit lights the same anchors again
  useEffect(() => {
    if (!drawn) {
      if (loaded.state === 'failed' && anchors.length > 0) onLit(false);
      return;
    }
    const ranges = rangesOf(drawn, anchors);
    const isLit = lightRanges(drawn, ranges);
    if (ranges[0]) settleOn(drawn, ranges[0]);
    if (anchors.length > 0) onLit(isLit);
  }, [drawn, anchors, visit, loaded.state]);

  useFindInFrame(drawn, props);
  const scrolled = useCallback(() => {
    if (frame) onPlace(placeOf(frame));
  }, [frame, onPlace]);

  if (loaded.state === 'failed') return <p className="doc-note">{t('doc.broken')}</p>;
  return (
    <DocumentFrame
      title={view.document.title}
      zoom={zoom}
      styleSheet={styleSheet}
      onReady={setFrame}
      onScroll={scrolled}
    />
  );
}

/** Words of the page's language around the slides; drawn by style, they are no part of the text. */
function labels(t: (key: string) => string): string {
  const word = (key: string): string => JSON.stringify(t(`doc.${key}`));
  return `
    .deck-slide::before { content: attr(aria-label); }
    .deck-slide[data-hidden]::before { content: attr(aria-label) " · " ${word('sheetHidden')}; }
    [data-aside="notes"]::before { content: ${word('slideNotes')}; }
    [data-aside="comments"]::before { content: ${word('slideComments')}; }
    [data-aside="beside"]::before { content: ${word('slideBeside')}; }
  `;
}

/** Replaces the frame's content; the frame's own style goes after the slides'. */
function drawPage(frame: Document, html: string, styleSheet: string): void {
  const page = sanitisePage(html);
  const styles = [...page.querySelectorAll('head style')].map((style) => frame.adoptNode(style));
  const body = page.querySelector('body');
  frame.head.replaceChildren(...styles);
  if (body) frame.documentElement.replaceChild(frame.adoptNode(body), frame.body);
  addBaseStyle(frame, styleSheet);
}

function slidesOf(frame: Document): HTMLElement[] {
  return [...frame.querySelectorAll<HTMLElement>('.deck-slide')];
}

function rangesOf(frame: Document, anchors: Anchor[]): Range[] {
  return anchors.flatMap((anchor) => {
    if (anchor.kind !== 'slide') return [];
    const slide = frame.querySelector(`.deck-slide[data-slide="${anchor.slide}"]`);
    if (!slide || anchor.shape === undefined) return [];
    const element = slide.querySelector(`[data-block="${CSS.escape(anchor.shape)}"]`);
    if (!element) return [];
    return rangeInElement(element, anchor.start ?? 0, anchor.end ?? element.textContent.length) ?? [];
  });
}

/** The slide in the upper third of what is seen, where cited words are brought, such as "3 / 12". */
function placeOf(frame: Document): string {
  const slides = slidesOf(frame);
  const eye = (frame.defaultView?.innerHeight ?? 0) / 3;
  const at = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > eye);
  return `${(at < 0 ? slides.length - 1 : at) + 1} / ${slides.length}`;
}
