/** Which sources has the answer, which are lit, and how are they opened? */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { Citation, Hit } from '../../../api/types.ts';
import type { PlaceToOpen } from '../document/open-documents.ts';
import { citationsOf, documentColours } from './citations.ts';

/** What is shown beside the pointer or the focus: a source, or why a sentence is marked. */
export interface Peek {
  /** A source's number, or the sentence's number for a reason. */
  what: { kind: 'source'; citation: Citation } | { kind: 'reason'; sentence: number; text: string };
  /** Where the thing that is explained stands on screen. */
  near: { left: number; right: number; top: number; bottom: number };
}

export interface Sources {
  hits: Hit[];
  citations: Citation[];
  colourOf(documentId: number): string;
  /** Numbers of the sources that are lit, in the answer and among the passages. */
  lit: ReadonlySet<number>;
  light(numbers: number[] | undefined): void;
  peek: Peek | undefined;
  /** Undefined hides it, a little later, so that the pointer can reach it. */
  setPeek(peek: Peek | undefined): void;
  /** The pointer reached it. */
  keepPeek(): void;
  /** Hides it at once. */
  dropPeek(): void;
  openCitation(citation: Citation): void;
  openHit(hit: Hit): void;
  /** The place that the document pane shows. */
  current: PlaceToOpen | undefined;
}

const SourcesContext = createContext<Sources | undefined>(undefined);

export function useSources(): Sources {
  const sources = useContext(SourcesContext);
  if (sources === undefined) throw new Error('A part of the answer stands outside its SourcesProvider.');
  return sources;
}

export const placeOfCitation = (citation: Citation): PlaceToOpen => ({
  document: citation.document,
  start: citation.start,
  end: citation.end,
  anchors: citation.anchors,
  quote: citation.quote,
  number: citation.number,
});

export const placeOfHit = (hit: Hit): PlaceToOpen => ({
  document: hit.document,
  start: hit.start,
  end: hit.end,
  anchors: hit.anchors,
  quote: hit.text,
});

export const samePlace = (one: PlaceToOpen | undefined, other: PlaceToOpen): boolean =>
  one !== undefined &&
  one.document.id === other.document.id &&
  one.start === other.start &&
  one.end === other.end;

export interface SourcesProviderProps {
  hits: Hit[];
  citations: Citation[];
  current: PlaceToOpen | undefined;
  open(place: PlaceToOpen): void;
  children: ReactNode;
}

export function SourcesProvider({ hits, citations, current, open, children }: SourcesProviderProps) {
  const [pointed, setPointed] = useState<number[]>();
  const { peek, setPeek, keepPeek, dropPeek } = usePeek();
  const colours = useMemo(() => documentColours(hits, citations), [hits, citations]);
  const value = useMemo<Sources>(() => {
    const opened = citations.filter((citation) => samePlace(current, placeOfCitation(citation)));
    return {
      hits,
      citations,
      colourOf: (documentId) => colours.get(documentId) ?? 'var(--ink-soft)',
      lit: new Set(pointed ?? opened.map(({ number }) => number)),
      light: setPointed,
      peek,
      setPeek,
      keepPeek,
      dropPeek,
      openCitation: (citation) => open(placeOfCitation(citation)),
      openHit: (hit) => {
        const cited = citationsOf(hit, citations)[0];
        open(cited === undefined ? placeOfHit(hit) : placeOfCitation(cited));
      },
      current,
    };
  }, [hits, citations, colours, pointed, peek, setPeek, keepPeek, dropPeek, current, open]);
  return <SourcesContext value={value}>{children}</SourcesContext>;
}

/** How long the pointer may take from a number to its card, in milliseconds. */
const graceMs = 140;

function usePeek(): Pick<Sources, 'peek' | 'setPeek' | 'keepPeek' | 'dropPeek'> {
  const [peek, show] = useState<Peek>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keepPeek = useCallback(() => clearTimeout(timer.current), []);
  const dropPeek = useCallback(() => {
    clearTimeout(timer.current);
    show(undefined);
  }, []);
  const setPeek = useCallback((next: Peek | undefined) => {
    clearTimeout(timer.current);
    if (next === undefined) timer.current = setTimeout(() => show(undefined), graceMs);
    else show(next);
  }, []);
  return { peek, setPeek, keepPeek, dropPeek };
}
