/** Which places does the reader walk through, and where is the reader now? */
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Citation, Hit } from '../../../api/types.ts';
import type { AnswerState } from '../ask/answer-state.ts';
import { documentColours } from '../ask/citations.ts';
import { placeOfCitation, placeOfHit, samePlace } from '../ask/sources.tsx';
import type { PlaceToOpen } from '../document/open-documents.ts';
import type { Documents } from '../document/use-documents.ts';
import { useAnnounce } from '../shell/live-region.tsx';

export interface Stops {
  hits: Hit[];
  citations: Citation[];
  current: PlaceToOpen | undefined;
  colourOf(documentId: number): string;
  open(place: PlaceToOpen): void;
  /** The sources of the answer, or the passages where there is none; round and round. */
  walk(step: 1 | -1): void;
  /** 1-based place of what is open among the stops, 0 when it is none of them. */
  stop: { index: number; count: number };
}

const noHits: Hit[] = [];
const noCitations: Citation[] = [];

export function useStops(state: AnswerState, documents: Documents): Stops {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const hits = state.search?.hits ?? noHits;
  const citations = state.answer?.citations ?? noCitations;
  const current = documents.active?.place;
  const colours = useMemo(() => documentColours(hits, citations), [hits, citations]);
  const stops = useMemo<PlaceToOpen[]>(
    () => (citations.length > 0 ? citations.map(placeOfCitation) : hits.map(placeOfHit)),
    [hits, citations],
  );
  const at = stops.findIndex((stop) => samePlace(current, stop));
  const openPlace = documents.open;
  const open = useCallback(
    (place: PlaceToOpen) => {
      openPlace(place);
      announce(t('announce.opened', { title: place.document.title }));
    },
    [openPlace, announce, t],
  );
  const walk = (step: 1 | -1): void => {
    const from = at < 0 && step === -1 ? 0 : at;
    const next = stops[(from + step + stops.length) % stops.length];
    if (next !== undefined) open(next);
  };
  return {
    hits,
    citations,
    current,
    colourOf: (documentId) => colours.get(documentId) ?? 'var(--ink-soft)',
    open,
    walk,
    stop: { index: at + 1, count: stops.length },
  };
}
