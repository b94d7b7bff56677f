/** How is a PDF read on screen, with the cited places lit? */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Box } from '../../../../api/anchor.ts';
import type { DocumentViewProps } from '../view-props.ts';
import {
  boxesOnScreen,
  fittedScales,
  type PageSize,
  pageAt,
  pageSize,
  pagesToDraw,
  pageTops,
  scrollToBoxes,
} from './pdf-geometry.ts';
import { PdfPage } from './pdf-page.tsx';
import { useFindInPdf } from './use-find-in-pdf.ts';
import { type Pane, useKeepPlace, usePane } from './use-pane.ts';
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

function Pages(props: DocumentViewProps & { pdf: OpenPdf }) {
  const { pdf, view, anchors, visit, zoom, onPlace, onLit } = props;
  const element = useRef<HTMLDivElement>(null);
  const pane = usePane(element);
  const { size, scrollTop } = pane;
  const scales = useMemo(() => fittedScales(pdf.pages, size.width, zoom), [pdf.pages, size.width, zoom]);
  const sizes = useMemo(
    () => pdf.pages.map((page, index) => pageSize(page, scales[index]!)),
    [pdf.pages, scales],
  );
  const tops = useMemo(() => pageTops(sizes), [sizes]);
  const lit = useMemo(() => boxesByPage(anchors), [anchors]);
  const first = anchors.find((anchor) => anchor.kind === 'page');

  useKeepPlace(element, pane, tops);
  useScrollToLit(pane, {
    pdf,
    scales,
    tops,
    lit,
    first: first?.page,
    visit,
    anchors,
    size,
  });
  const reportDrawn = useLitReport({ pdf, first: first?.page, lit, anchors, visit, onLit });
  const [drawn, setDrawn] = useState(0);
  const onChange = useCallback(
    (index: number, isDrawn: boolean | undefined) => {
      reportDrawn(index, isDrawn);
      setDrawn((count) => count + 1);
    },
    [reportDrawn],
  );
  useFindInPdf({
    ...{ document: pdf.document, element, pane, tops, drawn },
    ...{ find: props.find, onFound: props.onFound },
  });

  const current = pageAt(tops, scrollTop + size.height / 2);
  useEffect(() => onPlace(`${current + 1} / ${pdf.pages.length}`), [current, pdf.pages.length, onPlace]);

  const { from, to } = size.width > 0 ? pagesToDraw(tops, scrollTop, size.height) : { from: 0, to: 0 };
  const shown = Array.from({ length: to - from }, (_, at) => from + at);
  const widest = Math.max(...sizes.slice(from, to).map((page) => page.width), 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has the focus
    <section ref={element} className="pdf-pane" aria-label={view.document?.title} tabIndex={0}>
      <div className="pdf-pages" style={{ height: tops.at(-1), minWidth: widest }}>
        {shown.map((index) => (
          <PdfPage
            key={index}
            pdf={pdf}
            index={index}
            box={pdf.pages[index]!}
            scale={scales[index]!}
            top={tops[index]!}
            lit={lit.get(index + 1) ?? noBoxes}
            onChange={onChange}
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

interface Target {
  pdf: OpenPdf;
  scales: number[];
  tops: number[];
  lit: Map<number, Box[]>;
  first: number | undefined;
  visit: number;
  anchors: DocumentViewProps['anchors'];
  size: PageSize;
}

/** Scrolls to the first lit place once for every visit, as soon as the size of its page is known. */
function useScrollToLit(pane: Pane, target: Target): void {
  const latest = useRef(target);
  latest.current = target;
  const { pdf, first, visit, anchors, size } = target;
  const isMeasured = size.width > 0;
  const { loadPage } = pdf;
  const { scrollTo } = pane;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit or new anchors scroll again, other changes don't
  useEffect(() => {
    if (first === undefined || !isMeasured || first > pdf.pages.length) return;
    let isCurrent = true;
    let frame = 0;
    const scroll = (): void => {
      // A frame later: the page's true size has reached the layout by then.
      frame = requestAnimationFrame(() => {
        const { scales, tops, lit, size, pdf: now } = latest.current;
        const scale = scales[first - 1] ?? 1;
        const page = now.pages[first - 1];
        if (!isCurrent || !page) return;
        const boxes = boxesOnScreen(lit.get(first) ?? noBoxes, page, scale);
        const left = Math.max((size.width - pageSize(page, scale).width) / 2, 0);
        scrollTo(scrollToBoxes(boxes, tops[first - 1]!, left, size));
      });
    };
    loadPage(first - 1).then(scroll, scroll);
    return () => {
      isCurrent = false;
      cancelAnimationFrame(frame);
    };
  }, [scrollTo, loadPage, first, visit, anchors, isMeasured]);
}

/** Reports once for every visit whether the first lit place could be drawn. */
function useLitReport(
  about: Pick<Target, 'pdf' | 'first' | 'lit' | 'anchors' | 'visit'> & Pick<DocumentViewProps, 'onLit'>,
) {
  const { pdf, first, lit, anchors, visit, onLit } = about;
  const [drawnPages, setDrawnPages] = useState<ReadonlyMap<number, boolean | undefined>>(new Map());
  const onChange = useCallback((index: number, isDrawn: boolean | undefined) => {
    setDrawnPages((before) => (before.get(index) === isDrawn ? before : new Map(before).set(index, isDrawn)));
  }, []);
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
  return onChange;
}
