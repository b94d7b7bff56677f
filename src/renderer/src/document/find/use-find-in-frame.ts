/** How are words found in a document that is drawn in a frame? */
import { useEffect, useMemo } from 'react';
import { settleOn } from '../frame/light-ranges.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { findLimit } from './find-all.ts';
import { markFound, rangesInElement } from './find-in-element.ts';

/** @param frame the frame's document once it is drawn */
export function useFindInFrame(
  frame: Document | undefined,
  { find, onFound }: Pick<DocumentViewProps, 'find' | 'onFound'>,
): void {
  const words = find?.words;
  const at = find?.at ?? 0;
  const ranges = useMemo(
    () => (frame === undefined || words === undefined ? [] : rangesInElement(frame.body, words)),
    [frame, words],
  );
  useEffect(() => {
    if (frame !== undefined && words !== undefined) onFound?.(ranges.length, ranges.length < findLimit);
  }, [frame, words, ranges, onFound]);
  useEffect(() => {
    if (frame === undefined) return;
    const now = ranges[at];
    markFound(frame, ranges, now);
    if (now !== undefined) settleOn(frame, now);
    return () => markFound(frame, [], undefined);
  }, [frame, ranges, at]);
}
