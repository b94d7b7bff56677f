/** How is a passage shown: what it is, where it stands, and why it was chosen? */
import { type CSSProperties, memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hit, Range } from '../../../api/types.ts';
import { citationsOf } from './citations.ts';
import { placesInWords } from './place-in-words.ts';
import { SourceChip } from './source-chip.tsx';
import { placeOfHit, samePlace, useSources } from './sources.tsx';
import { WhyThis } from './why-this.tsx';

export interface PassageCardProps {
  hit: Hit;
  /** Rises when all reasons are asked for. */
  showsWhy: boolean;
}

export function PassageCard({ hit, showsWhy }: PassageCardProps) {
  const { t } = useTranslation();
  const sources = useSources();
  const { document } = hit;
  const cited = citationsOf(hit, sources.citations);
  const place = placesInWords(hit.anchors, hit.headings, t);
  const isOpen =
    cited.some(({ number }) => sources.lit.has(number)) || samePlace(sources.current, placeOfHit(hit));
  return (
    <article
      className={isOpen ? 'card open' : 'card'}
      style={{ '--c': sources.colourOf(document.id) } as CSSProperties}
      aria-label={document.title}
      data-passage={hit.rank}
      onPointerEnter={() => sources.light(cited.map(({ number }) => number))}
      onPointerLeave={() => sources.light(undefined)}
    >
      <div className="card-marks">
        {cited.length === 0 ? (
          <span className="dot" aria-hidden />
        ) : (
          cited.map((citation) => <SourceChip key={citation.number} citation={citation} />)
        )}
      </div>
      <header className="card-head">
        <h3>
          <button
            type="button"
            className="card-title"
            title={document.path}
            aria-label={t('passage.open', { title: document.title })}
            onClick={() => sources.openHit(hit)}
          >
            {document.title}
          </button>
        </h3>
        <span className="card-where">
          {t(`kind.${document.kind}`)}
          {place !== '' && ` · ${place}`}
          {document.isArchived && <span className="badge old">{t('passage.archived')}</span>}
        </span>
      </header>
      <PassageText text={hit.text} matches={hit.matches} />
      <WhyThis hit={hit} isOpen={showsWhy} />
    </article>
  );
}

const PassageText = memo(function PassageText({ text, matches }: { text: string; matches: Range[] }) {
  const parts: React.ReactNode[] = [];
  let from = 0;
  for (const { start, end } of [...matches].sort((one, other) => one.start - other.start)) {
    if (start < from || end > text.length) continue;
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  parts.push(text.slice(from));
  return <p className="card-text">{parts}</p>;
});
