/** How is a passage shown: what it is, where it stands, and why it was chosen? */
import { type CSSProperties, memo, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hit, Range } from '../../../api/types.ts';
import { fileNameBeside } from '../document/file-name.ts';
import { citationsOf } from './citations.ts';
import { excerpt } from './excerpt.ts';
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
  const fileName = fileNameBeside(document.title, document.path);
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
          {fileName && (
            <bdi className="clip" title={document.path}>
              {fileName}
            </bdi>
          )}
          <span>
            {t(`kind.${document.kind}`)}
            {place !== '' && ` · ${place}`}
          </span>
          {document.isArchived && <span className="badge old">{t('passage.archived')}</span>}
        </span>
      </header>
      <PassageText text={hit.text} matches={hit.matches} isCode={document.kind === 'code'} />
      <WhyThis hit={hit} isOpen={showsWhy} />
    </article>
  );
}

interface PassageTextProps {
  text: string;
  matches: Range[];
  isCode: boolean;
}

/** Of a long passage, the part with most of the question's words; the rest on demand. */
const PassageText = memo(function PassageText({ text, matches, isCode }: PassageTextProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const part = useMemo(() => excerpt(text, matches), [text, matches]);
  const isCut = part.start > 0 || part.end < text.length;
  const shown = isWhole ? { start: 0, end: text.length } : part;
  return (
    <>
      <p className={isCode ? 'card-text code' : 'card-text'}>
        {shown.start > 0 && '… '}
        {withMatches(text, matches, shown)}
        {shown.end < text.length && ' …'}
      </p>
      {isCut && (
        <button type="button" className="link card-more" onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'answer.less' : 'passage.whole')}
        </button>
      )}
    </>
  );
});

function withMatches(text: string, matches: Range[], shown: Range): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = shown.start;
  for (const { start, end } of [...matches].sort((one, other) => one.start - other.start)) {
    if (start < from || end > shown.end) continue;
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  parts.push(text.slice(from, shown.end));
  return parts;
}
