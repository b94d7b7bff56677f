/** Why was this passage chosen? */
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hit } from '../../../api/types.ts';

const listKeys: Record<string, string> = {
  keywords: 'keyword',
  keyword: 'keyword',
  exact: 'exact',
  meaning: 'meaning',
  vectors: 'meaning',
  starter: 'starter',
  title: 'title',
};

/** The engine's account of its stages is for logs; the page says the known ones in its own words, the rest as they are. */
export function moveInWords(move: string, t: TFunction): string {
  const phrase = /^forced: exact phrase "?(.*?)"?$/.exec(move);
  if (phrase) return t('passage.move.phrase', { words: phrase[1] });
  const forced = /^forced: (.+)$/.exec(move);
  if (forced) return t('passage.move.number', { what: forced[1] });
  const reranked = /^reranked: from (\d+) to (\d+)$/.exec(move);
  if (reranked) return t('passage.move.sorted', { from: Number(reranked[1]), to: Number(reranked[2]) });
  return move;
}

export function WhyThis({ hit, isOpen: opensWithAll }: { hit: Hit; isOpen: boolean }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(opensWithAll);
  useEffect(() => setOpen(opensWithAll), [opensWithAll]);
  const { lists, moves } = hit.why;
  return (
    <details className="why" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('passage.why')}</summary>
      <ul>
        <li>{t('passage.score', { percent: Math.round(hit.score * 100) })}</li>
        {lists.map(({ name, rank }) => {
          const key = listKeys[name];
          const list = key === undefined ? name : t(`passage.list.${key}`);
          return <li key={name}>{t('passage.rankIn', { list, rank })}</li>;
        })}
        {moves.map((move) => (
          <li key={move}>{moveInWords(move, t)}</li>
        ))}
        {lists.length + moves.length === 0 && <li>{t('passage.noReasons')}</li>}
      </ul>
    </details>
  );
}
