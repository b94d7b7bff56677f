/** How does a sentence of the answer show how well its sources carry it? */
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { AnswerSentence } from '../../../api/types.ts';
import type { PlacedSentence } from './answer-text.ts';
import { nearOf, peekId, SourceChip } from './source-chip.tsx';
import { useSources } from './sources.tsx';

/** Why a sentence is marked; empty when its sources carry it. */
export function supportReason(sentence: AnswerSentence, t: TFunction): string {
  if (sentence.support === 'supported') return '';
  const words = t(`answer.${sentence.support}`);
  if (sentence.missing.length === 0) return words;
  const what = sentence.missing.join(sentence.missing.length > 1 ? '; ' : '');
  return t('answer.missing', { count: sentence.missing.length, what });
}

export function Sentence({ placed }: { placed: PlacedSentence }) {
  const { t } = useTranslation();
  const sources = useSources();
  const { sentence, index, text } = placed;
  const reason = supportReason(sentence, t);
  const isLit = sentence.citations.some((number) => sources.lit.has(number));
  const isPeeked = sources.peek?.what.kind === 'reason' && sources.peek.what.sentence === index;
  const point = (element: Element): void => {
    sources.light(sentence.citations);
    if (reason !== '')
      sources.setPeek({ what: { kind: 'reason', sentence: index, text: reason }, near: nearOf(element) });
  };
  const leave = (): void => {
    sources.light(undefined);
    if (reason !== '') sources.setPeek(undefined);
  };
  const cited = sentence.citations.flatMap(
    (number) => sources.citations.find((one) => one.number === number) ?? [],
  );
  const [head, tail] = cutBeforeLastWord(text);
  const part = (words: string, isFirst: boolean) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: a marked sentence only explains itself, to the keyboard as to the pointer
    <span
      className={['s', sentence.support, isLit ? 'lit' : ''].join(' ')}
      tabIndex={isFirst && reason !== '' ? 0 : undefined}
      aria-describedby={isFirst && isPeeked ? peekId : undefined}
      onPointerEnter={(event) => point(event.currentTarget)}
      onPointerLeave={leave}
      onFocus={(event) => {
        if (event.currentTarget.matches(':focus-visible')) point(event.currentTarget);
      }}
      onBlur={leave}
    >
      {words}
    </span>
  );
  return (
    <>
      {head !== '' && part(head, true)}
      {/* The last word and the numbers stay together: a number never begins a line. */}
      <span className="together">
        {part(tail, head === '')}
        {cited.map((citation) => (
          <SourceChip key={citation.number} citation={citation} />
        ))}
      </span>{' '}
    </>
  );
}

function cutBeforeLastWord(text: string): [head: string, tail: string] {
  const at = text.lastIndexOf(' ') + 1;
  return [text.slice(0, at), text.slice(at)];
}
