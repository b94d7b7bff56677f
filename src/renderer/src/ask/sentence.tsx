/** How does a sentence of the answer show how well its sources carry it? */
import type { TFunction } from 'i18next';
import { Fragment } from 'react';
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
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a marked sentence only explains itself, to the keyboard as to the pointer */}
      <span
        className={['s', sentence.support, isLit ? 'lit' : ''].join(' ')}
        tabIndex={reason === '' ? undefined : 0}
        aria-describedby={isPeeked ? peekId : undefined}
        onPointerEnter={(event) => point(event.currentTarget)}
        onPointerLeave={leave}
        onFocus={(event) => {
          if (event.currentTarget.matches(':focus-visible')) point(event.currentTarget);
        }}
        onBlur={leave}
      >
        {text}
      </span>
      {cited.map((citation) => (
        <Fragment key={citation.number}>
          {/* A word joiner: the number never begins a line. */}
          {'\u2060'}
          <SourceChip citation={citation} />
        </Fragment>
      ))}{' '}
    </>
  );
}
