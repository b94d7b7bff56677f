/** What is shown beside a source's number, or beside a marked sentence, when it is pointed at? */
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KindBadge } from '../document/kind-badge.tsx';
import { hitOf } from './citations.ts';
import { placesInWords } from './place-in-words.ts';
import { peekId } from './source-chip.tsx';
import { type Peek, useSources } from './sources.tsx';

/** Pixels between the card and what it explains, and between it and the window's edge. */
const gap = 6;
const edge = 8;

export function PeekCard() {
  const { peek } = useSources();
  return peek === undefined ? null : <Card peek={peek} />;
}

function Card({ peek }: { peek: Peek }) {
  const { t } = useTranslation();
  const { hits, colourOf, setPeek, keepPeek, dropPeek } = useSources();
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<CSSProperties>({ visibility: 'hidden', left: 0, top: 0 });
  useLayoutEffect(() => {
    const box = ref.current?.getBoundingClientRect();
    if (box === undefined) return;
    const left = Math.max(edge, Math.min(peek.near.left, window.innerWidth - box.width - edge));
    const below = peek.near.bottom + gap;
    const fits = below + box.height < window.innerHeight - edge;
    setPlace({ left, top: fits ? below : Math.max(edge, peek.near.top - gap - box.height) });
  }, [peek]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      dropPeek();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [dropPeek]);
  const pointer = { onPointerEnter: keepPeek, onPointerLeave: () => setPeek(undefined) };
  if (peek.what.kind === 'reason') {
    return (
      <div ref={ref} id={peekId} role="tooltip" className="peek reason" style={place} {...pointer}>
        {peek.what.text}
      </div>
    );
  }
  const { citation } = peek.what;
  const where = placesInWords(citation.anchors, hitOf(citation, hits)?.headings ?? [], t);
  return (
    <div
      ref={ref}
      id={peekId}
      role="tooltip"
      className="peek"
      {...pointer}
      style={{ ...place, '--c': colourOf(citation.document.id) } as CSSProperties}
    >
      <blockquote>{citation.quote}</blockquote>
      <p className="peek-where">
        <KindBadge kind={citation.document.kind} />
        <span className="strong">{citation.document.title}</span>
        {where !== '' && <span>{where}</span>}
        {citation.document.isArchived && <span className="badge old">{t('passage.archived')}</span>}
      </p>
      <p className="peek-path">{citation.document.path}</p>
    </div>
  );
}
