/** Why was this passage chosen? */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hit } from '../../../api/types.ts';

/** The engine's names of its lists, in the page's words; another name is shown as it is. */
function listKey(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower.startsWith('keyword') || lower.startsWith('stem')) return 'keyword';
  if (lower.startsWith('exact') || lower.startsWith('word')) return 'exact';
  if (lower.startsWith('vector') || lower.startsWith('meaning')) return 'meaning';
  if (lower.includes('phrase')) return 'phrase';
  if (lower.includes('number')) return 'number';
  if (lower.includes('title')) return 'title';
  return undefined;
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
          const key = listKey(name);
          const list = key === undefined ? name : t(`passage.list.${key}`);
          return <li key={name}>{t('passage.rankIn', { list, rank })}</li>;
        })}
        {moves.map((move) => (
          <li key={move}>{move}</li>
        ))}
        {lists.length + moves.length === 0 && <li>{t('passage.noReasons')}</li>}
      </ul>
    </details>
  );
}
