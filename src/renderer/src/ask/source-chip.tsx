/** How does the number of a source look and act? */
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Citation } from '../../../api/types.ts';
import { hitOf } from './citations.ts';
import { placesInWords } from './place-in-words.ts';
import { useSources } from './sources.tsx';

export const peekId = 'peek';

export function nearOf(element: Element): { left: number; right: number; top: number; bottom: number } {
  const { left, right, top, bottom } = element.getClientRects()[0] ?? element.getBoundingClientRect();
  return { left, right, top, bottom };
}

export function SourceChip({ citation }: { citation: Citation }) {
  const { t } = useTranslation();
  const sources = useSources();
  const { number, document } = citation;
  const place = placesInWords(citation.anchors, hitOf(citation, sources.hits)?.headings ?? [], t);
  const isPeeked = sources.peek?.what.kind === 'source' && sources.peek.what.citation.number === number;
  const show = (element: Element): void => {
    sources.light([number]);
    sources.setPeek({ what: { kind: 'source', citation }, near: nearOf(element) });
  };
  const hide = (): void => {
    sources.light(undefined);
    sources.setPeek(undefined);
  };
  return (
    <button
      type="button"
      className={sources.lit.has(number) ? 'cite lit' : 'cite'}
      style={{ '--c': sources.colourOf(document.id) } as CSSProperties}
      aria-label={t(place === '' ? 'answer.sourceOfNoPlace' : 'answer.sourceOf', {
        number,
        title: document.title,
        place,
      })}
      aria-describedby={isPeeked ? peekId : undefined}
      data-source={number}
      onClick={() => sources.openCitation(citation)}
      onPointerEnter={(event) => show(event.currentTarget)}
      onPointerLeave={hide}
      onFocus={(event) => {
        if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget);
      }}
      onBlur={hide}
    >
      {number}
    </button>
  );
}

/** The number while the answer streams: its source is named once the answer is whole. */
export function ComingChip({ number }: { number: number }) {
  return <span className="cite coming">{number}</span>;
}
