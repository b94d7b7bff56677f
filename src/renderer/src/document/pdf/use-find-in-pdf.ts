/** How are words found in a PDF, of which only a few pages are drawn? */
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { findAll, findLimit } from '../find/find-all.ts';
import { markFound, rangesInElement } from '../find/find-in-element.ts';
import type { DocumentViewProps } from '../view-props.ts';
import type { Pane } from './use-pane.ts';

/** Pages between two tellings of how many were found. */
const tellEveryPages = 20;

export interface PdfSearch extends Pick<DocumentViewProps, 'find' | 'onFound'> {
  document: PDFDocumentProxy;
  element: RefObject<HTMLDivElement | null>;
  pane: Pane;
  tops: number[];
  /** Changes whenever a page was drawn. */
  drawn: number;
}

export function useFindInPdf(search: PdfSearch): void {
  const { document: pdf, find, element, pane, tops, drawn } = search;
  const words = find?.words;
  const counts = useCounts(search);
  const target = useMemo(() => placeOf(counts, find?.at ?? 0), [counts, find?.at]);
  const shown = useRef('');
  const latest = useRef({ pane, tops });
  latest.current = { pane, tops };

  // The page that is not drawn yet is brought on screen first; its words are marked when it is.
  const wanted = target === undefined ? '' : `${pdf.fingerprints[0]} ${words} ${target.page} ${target.nth}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every place that is to be shown
  useEffect(() => {
    const page = target && element.current?.querySelector(`[data-page="${target.page + 1}"] .textLayer`);
    if (target === undefined || page) return;
    const { pane: now, tops: at } = latest.current;
    now.scrollTo({ top: at[target.page]!, left: element.current?.scrollLeft ?? 0 });
  }, [wanted]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `drawn` tells of pages that appeared or went
  useEffect(() => {
    const host = element.current;
    if (host === null || words === undefined) return;
    const all: Range[] = [];
    let now: Range | undefined;
    for (const layer of host.querySelectorAll('.textLayer')) {
      const ranges = rangesInElement(layer, words);
      const page = Number(layer.closest<HTMLElement>('[data-page]')?.dataset.page) - 1;
      if (page === target?.page) now = ranges[Math.min(target.nth, ranges.length - 1)];
      all.push(...ranges);
    }
    markFound(document, all, now);
    if (now !== undefined && shown.current !== wanted) {
      shown.current = wanted;
      bringOnScreen(now, host, latest.current.pane);
    }
    return () => markFound(document, [], undefined);
  }, [words, wanted, drawn]);
}

function bringOnScreen(range: Range, host: HTMLElement, pane: Pane): void {
  const place = range.getBoundingClientRect();
  const box = host.getBoundingClientRect();
  if (place.top >= box.top + 8 && place.bottom <= box.bottom - 8) return;
  pane.scrollTo({
    top: host.scrollTop + place.top - box.top - box.height / 3,
    left: host.scrollLeft,
  });
}

/** How often the words stand on each page, page by page as they are read. */
function useCounts({ document: pdf, find, onFound }: PdfSearch): number[] {
  const [counts, setCounts] = useState<number[]>([]);
  const words = find?.words;
  useEffect(() => {
    setCounts([]);
    if (words === undefined) return;
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const found: number[] = [];
      let total = 0;
      for (let page = 1; page <= pdf.numPages && total < findLimit && isCurrent; page++) {
        const count = findAll(await pageText(pdf, page), words).length;
        found.push(count);
        total += count;
        const isFirst = total === count && count > 0;
        if (isCurrent && (isFirst || page % tellEveryPages === 0)) {
          setCounts([...found]);
          onFound?.(total, false);
        }
      }
      if (!isCurrent) return;
      setCounts(found);
      onFound?.(total, total < findLimit);
    };
    // A document that was closed meanwhile has nothing to be found in.
    look().catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [pdf, words, onFound]);
  return counts;
}

/** The same text as the layer over the drawn page. */
async function pageText(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent({ disableNormalization: true });
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

function placeOf(counts: number[], at: number): { page: number; nth: number } | undefined {
  let before = 0;
  for (const [page, count] of counts.entries()) {
    if (at < before + count) return { page, nth: at - before };
    before += count;
  }
  return undefined;
}
