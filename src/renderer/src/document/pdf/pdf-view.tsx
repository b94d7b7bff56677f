/** How is a PDF read on screen, with the cited places lit? */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Box } from '../../../../api/anchor.ts';
import type { DocumentViewProps } from '../view-props.ts';
import {
  boxesOnScreen,
  fittedScale,
  type PageSize,
  pageAt,
  pageSize,
  pagesToDraw,
  pageTops,
  scrollToBoxes,
} from './pdf-geometry.ts';
import { PdfPage } from './pdf-page.tsx';
import { type OpenPdf, usePdf } from './use-pdf.ts';
import './pdf-view.css';

/** `zoom` counts from the width of the pane: at 1 the widest page fills it. */
export function PdfView(props: DocumentViewProps) {
  const { t } = useTranslation();
  const { view, anchors, onLit } = props;
  const pdf = usePdf(view.originalUrl);
  const hasFailed = pdf === 'failed' && anchors.length > 0;
  useEffect(() => {
    if (hasFailed) onLit(false);
  }, [hasFailed, onLit]);
  if (pdf === 'failed') return <p className="doc-note">{t('doc.broken')}</p>;
  if (pdf === 'opening') return <p className="doc-note">{t('doc.drawing')}</p>;
  return <Pages key={view.originalUrl} {...props} pdf={pdf} />;
}

function Pages({ pdf, view, anchors, visit, zoom, onPlace, onLit }: DocumentViewProps & { pdf: OpenPdf }) {
  const pane = useRef<HTMLDivElement>(null);
  const [{ size, scrollTop }, look] = usePane(pane);
  const scale = fittedScale(pdf.pages, size.width, zoom);
  const tops = useMemo(() => pageTops(pdf.pages.map((page) => pageSize(page, scale))), [pdf.pages, scale]);
  const lit = useMemo(() => boxesByPage(anchors), [anchors]);
  const first = anchors.find((anchor) => anchor.kind === 'page');

  useKeepPlace(pane, tops, look);
  useScrollToLit(pane, {
    pdf,
    scale,
    tops,
    lit,
    first: first?.page,
    visit,
    anchors,
    isMeasured: size.width > 0,
  });
  const drawn = useLitReport({ pdf, first: first?.page, lit, anchors, visit, onLit });

  const current = pageAt(tops, scrollTop + size.height / 2);
  useEffect(() => onPlace(`${current + 1} / ${pdf.pages.length}`), [current, pdf.pages.length, onPlace]);

  const { from, to } = size.width > 0 ? pagesToDraw(tops, scrollTop, size.height) : { from: 0, to: 0 };
  const shown = Array.from({ length: to - from }, (_, at) => from + at);
  const widest = Math.max(...pdf.pages.slice(from, to).map((page) => pageSize(page, scale).width), 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has the focus
    <section ref={pane} className="pdf-pane" aria-label={view.document?.title} tabIndex={0}>
      <div className="pdf-pages" style={{ height: tops.at(-1), minWidth: widest }}>
        {shown.map((index) => (
          <PdfPage
            key={index}
            pdf={pdf}
            index={index}
            box={pdf.pages[index]!}
            scale={scale}
            top={tops[index]!}
            lit={lit.get(index + 1) ?? noBoxes}
            onDrawn={drawn.onDrawn}
            onFailed={drawn.onFailed}
          />
        ))}
      </div>
    </section>
  );
}

const noBoxes: Box[] = [];

function boxesByPage(anchors: DocumentViewProps['anchors']): Map<number, Box[]> {
  const pages = new Map<number, Box[]>();
  for (const anchor of anchors) {
    if (anchor.kind === 'page') pages.set(anchor.page, [...(pages.get(anchor.page) ?? []), ...anchor.boxes]);
  }
  return pages;
}

/** Size and scroll position of the pane, taken at most once a frame. */
function usePane(
  pane: React.RefObject<HTMLDivElement | null>,
): [{ size: PageSize; scrollTop: number }, () => void] {
  const [state, setState] = useState({ size: { width: 0, height: 0 }, scrollTop: 0 });
  const look = useCallback(() => {
    const element = pane.current;
    if (!element) return;
    const { clientWidth: width, clientHeight: height, scrollTop } = element;
    setState((before) =>
      before.size.width === width && before.size.height === height && before.scrollTop === scrollTop
        ? before
        : { size: { width, height }, scrollTop },
    );
  }, [pane]);
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    let frame = 0;
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    look();
    const observer = new ResizeObserver(later);
    observer.observe(element);
    element.addEventListener('scroll', later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener('scroll', later);
    };
  }, [pane, look]);
  return [state, look];
}

/** Keeps the line at the pane's upper edge in place when pages above turn out larger, or the zoom changes. */
function useKeepPlace(pane: React.RefObject<HTMLDivElement | null>, tops: number[], look: () => void): void {
  const before = useRef(tops);
  useLayoutEffect(() => {
    const element = pane.current;
    const old = before.current;
    before.current = tops;
    if (!element || old === tops || old.length !== tops.length) return;
    const page = pageAt(old, element.scrollTop);
    const share = (element.scrollTop - old[page]!) / Math.max(old[page + 1]! - old[page]!, 1);
    element.scrollTop = tops[page]! + share * (tops[page + 1]! - tops[page]!);
    look();
  }, [pane, tops, look]);
}

interface Target {
  pdf: OpenPdf;
  scale: number;
  tops: number[];
  lit: Map<number, Box[]>;
  first: number | undefined;
  visit: number;
  anchors: DocumentViewProps['anchors'];
  isMeasured: boolean;
}

/** Scrolls to the first lit place once for every visit, as soon as the size of its page is known. */
function useScrollToLit(pane: React.RefObject<HTMLDivElement | null>, target: Target): void {
  const latest = useRef(target);
  latest.current = target;
  const { pdf, first, visit, anchors, isMeasured } = target;
  const { loadPage } = pdf;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit or new anchors scroll again, other changes don't
  useEffect(() => {
    if (first === undefined || !isMeasured || first > pdf.pages.length) return;
    let isCurrent = true;
    let frame = 0;
    const scroll = (): void => {
      // A frame later: the page's true size has reached the layout by then.
      frame = requestAnimationFrame(() => {
        const { scale, tops, lit, pdf: now } = latest.current;
        const element = pane.current;
        const page = now.pages[first - 1];
        if (!isCurrent || !element || !page) return;
        const boxes = boxesOnScreen(lit.get(first) ?? noBoxes, page, scale);
        const left = Math.max((element.scrollWidth - pageSize(page, scale).width) / 2, 0);
        element.scrollTo(
          scrollToBoxes(boxes, tops[first - 1]!, left, {
            width: element.clientWidth,
            height: element.clientHeight,
          }),
        );
      });
    };
    loadPage(first - 1).then(scroll, scroll);
    return () => {
      isCurrent = false;
      cancelAnimationFrame(frame);
    };
  }, [pane, loadPage, first, visit, anchors, isMeasured]);
}

/** Reports once for every visit whether the first lit place could be drawn. */
function useLitReport(
  about: Pick<Target, 'pdf' | 'first' | 'lit' | 'anchors' | 'visit'> & Pick<DocumentViewProps, 'onLit'>,
) {
  const { pdf, first, lit, anchors, visit, onLit } = about;
  const [drawnPages, setDrawnPages] = useState<ReadonlyMap<number, boolean>>(new Map());
  const note = useCallback((index: number, isDrawn: boolean) => {
    setDrawnPages((before) => (before.get(index) === isDrawn ? before : new Map(before).set(index, isDrawn)));
  }, []);
  const onDrawn = useCallback((index: number) => note(index, true), [note]);
  const onFailed = useCallback((index: number) => note(index, false), [note]);
  const page = first === undefined ? undefined : pdf.pages[first - 1];
  const drawn = first === undefined ? undefined : drawnPages.get(first - 1);
  const hasBoxes =
    page !== undefined && first !== undefined && boxesOnScreen(lit.get(first) ?? noBoxes, page, 1).length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every visit is answered, also one to the same place
  useEffect(() => {
    if (anchors.length === 0) return;
    if (page === undefined || drawn === false) onLit(false);
    else if (drawn) onLit(hasBoxes);
  }, [page, drawn, hasBoxes, anchors, visit, onLit]);
  return { onDrawn, onFailed };
}
