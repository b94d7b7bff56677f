/** How does the reader look for words in the open document? */
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Find } from './use-find.ts';

export function FindBar({ find, onLeave }: { find: Find; onLeave(): void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is asked for
  useEffect(() => input.current?.select(), [find.opened]);
  const leave = (): void => {
    find.close();
    onLeave();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isNone = find.found === undefined || find.found.count === 0;
  return (
    <search className="find">
      <input
        ref={input}
        type="search"
        value={find.text}
        placeholder={t('find.label')}
        aria-label={t('find.label')}
        onChange={(event) => find.type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="tools-text" role="status">
        <FoundWords find={find} />
      </span>
      <span className="tools-group">
        <Step words={t('find.previous')} isOff={isNone} run={() => find.step(-1)}>
          <ChevronUp size={15} aria-hidden />
        </Step>
        <Step words={t('find.next')} isOff={isNone} run={() => find.step(1)}>
          <ChevronDown size={15} aria-hidden />
        </Step>
        <Step words={t('find.close')} isOff={false} run={leave}>
          <X size={15} aria-hidden />
        </Step>
      </span>
    </search>
  );
}

function FoundWords({ find }: { find: Find }) {
  const { t } = useTranslation();
  const { request, found } = find;
  if (request === undefined) return null;
  if (found === undefined || (found.count === 0 && !found.isWhole)) return t('find.looking');
  if (found.count === 0) return t('find.none');
  return t(found.isWhole ? 'find.at' : 'find.atLeast', { at: request.at + 1, count: found.count });
}

interface StepProps {
  words: string;
  isOff: boolean;
  run(): void;
  children: React.ReactNode;
}

function Step({ words, isOff, run, children }: StepProps) {
  return (
    <button type="button" className="icon" aria-label={words} title={words} disabled={isOff} onClick={run}>
      {children}
    </button>
  );
}
