/** Where is the reader in the scrolled area, and how is that place kept while pages change their size? */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { type PageSize, pageAt } from './pdf-geometry.ts';

export interface Pane {
  size: PageSize;
  scrollTop: number;
  scrollTo(place: { top: number; left: number }): void;
  /** Where the pane was scrolled to last; the element itself may have been moved by a shrinking content since. */
  lastTop: RefObject<number>;
}

/** Size and scroll position of an element; renders at most once a frame. */
export function usePane(element: RefObject<HTMLDivElement | null>): Pane {
  const [state, setState] = useState({ size: { width: 0, height: 0 }, scrollTop: 0 });
  const lastTop = useRef(0);
  const look = useCallback(() => {
    const pane = element.current;
    if (!pane) return;
    const { clientWidth: width, clientHeight: height, scrollTop } = pane;
    setState((before) =>
      before.size.width === width && before.size.height === height && before.scrollTop === scrollTop
        ? before
        : { size: { width, height }, scrollTop },
    );
  }, [element]);
  const scrollTo = useCallback(
    (place: { top: number; left: number }) => {
      element.current?.scrollTo({ ...place, behavior: 'instant' });
      lastTop.current = element.current?.scrollTop ?? 0;
      look();
    },
    [element, look],
  );
  useLayoutEffect(() => {
    const pane = element.current;
    if (!pane) return;
    let frame = 0;
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    const onScroll = (): void => {
      lastTop.current = pane.scrollTop;
      later();
    };
    look();
    const observer = new ResizeObserver(later);
    observer.observe(pane);
    pane.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      pane.removeEventListener('scroll', onScroll);
    };
  }, [element, look]);
  return { ...state, scrollTo, lastTop };
}

/** The line at this share of the pane's height stays where it is; lit places are brought near it. */
const keptShare = 0.4;

/** Keeps the reader's line in place when pages above turn out larger, or the zoom changes. */
export function useKeepPlace(element: RefObject<HTMLDivElement | null>, pane: Pane, tops: number[]): void {
  const before = useRef(tops);
  const { lastTop, scrollTo } = pane;
  useLayoutEffect(() => {
    const old = before.current;
    before.current = tops;
    if (!element.current || old === tops || old.length !== tops.length) return;
    const offset = element.current.clientHeight * keptShare;
    const line = lastTop.current + offset;
    const page = pageAt(old, line);
    const share = (line - old[page]!) / Math.max(old[page + 1]! - old[page]!, 1);
    const top = tops[page]! + share * (tops[page + 1]! - tops[page]!) - offset;
    scrollTo({ top, left: element.current.scrollLeft });
  }, [element, tops, lastTop, scrollTo]);
}
