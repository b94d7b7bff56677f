/** Where does a passage stand, in words that a person would use? */
import type { TFunction } from 'i18next';
import type { Anchor } from '../../../api/anchor.ts';

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Words for one place; empty for an element, whose identifier says nothing to a person: its headings do. */
export function placeInWords(anchor: Anchor, t: TFunction): string {
  switch (anchor.kind) {
    case 'page':
      return t('place.page', { page: anchor.page });
    case 'cells':
      return t('place.cells', { sheet: anchor.sheet, range: anchor.range });
    case 'slide':
      return t('place.slide', { slide: anchor.slide });
    case 'lines':
      return t(anchor.from === anchor.to ? 'place.line' : 'place.lines', {
        from: anchor.from,
        to: anchor.to,
      });
    case 'time':
      return t('place.time', { from: clock(anchor.fromMs), to: clock(anchor.toMs) });
    case 'element':
      return '';
  }
}

/** Words for all the places of a passage: several pages as a range, else the first place, else its nearest heading. */
export function placesInWords(anchors: Anchor[], headings: string[], t: TFunction): string {
  const pages = anchors.flatMap((anchor) => (anchor.kind === 'page' ? [anchor.page] : []));
  const from = Math.min(...pages);
  const to = Math.max(...pages);
  if (pages.length > 1 && from < to) return t('place.pages', { from, to });
  const lines = anchors.flatMap((anchor) => (anchor.kind === 'lines' ? [anchor.from, anchor.to] : []));
  if (lines.length > 2) return t('place.lines', { from: Math.min(...lines), to: Math.max(...lines) });
  const first = anchors[0] === undefined ? '' : placeInWords(anchors[0], t);
  const heading = headings.at(-1);
  if (first !== '' || heading === undefined) return first;
  return t('place.section', { title: heading });
}
