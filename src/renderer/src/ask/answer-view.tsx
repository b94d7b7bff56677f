/** How does an answer appear, grow and stand? */
import { Fragment, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../api/types.ts';
import type { FailureAction } from '../failure-words.ts';
import { FailureNotice, Notice } from '../shell/notice.tsx';
import { type AnswerState, isRunning } from './answer-state.ts';
import { paragraphs, pieces, streamedLines, withMarks } from './answer-text.ts';
import { Sentence } from './sentence.tsx';
import { ComingChip } from './source-chip.tsx';

export interface AnswerViewProps {
  state: AnswerState;
  /** No model writes: the answer will be a few sentences. */
  isBrief: boolean;
  /** The line under the answer: what was searched, and what can be done. */
  children: React.ReactNode;
  onAction(action: FailureAction): void;
  /** Takes the focus when a question was asked, so that the keys walk the sources. */
  headingRef: RefObject<HTMLHeadingElement | null>;
}

/** The room of a streaming answer is fixed beforehand, so that the passages under it never move. */
export function AnswerView({ state, isBrief, children, onAction, headingRef }: AnswerViewProps) {
  const { t } = useTranslation();
  const clip = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(false);
  const isOver = useOverflow(clip, `${state.run} ${state.text.length} ${state.phase} ${isWhole}`);
  useFollowTail(clip, state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question starts with the fixed room again
  useEffect(() => setWhole(false), [state.run]);

  const isFixed = state.hasReserve && !isWhole;
  return (
    <section
      className={['answer-area', isFixed ? 'fixed' : '', isBrief ? 'brief' : ''].join(' ')}
      aria-labelledby="answer-heading"
      aria-busy={isRunning(state)}
    >
      <h2 id="answer-heading" className="unseen" ref={headingRef} tabIndex={-1}>
        {t('answer.title')}
      </h2>
      <div
        hidden={state.answer?.mode === 'refused'}
        className={isFixed && isOver ? 'answer-clip over' : 'answer-clip'}
        ref={clip}
        data-testid="answer-text"
      >
        <Head state={state} />
        {state.answer === undefined ? (
          <Streaming text={state.text} isOver={!isRunning(state)} />
        ) : (
          <Whole answer={state.answer} />
        )}
      </div>
      {state.failure && <FailureNotice failure={state.failure} onAction={onAction} />}
      {state.answer?.failure && (
        <FailureNotice failure={state.answer.failure} text={t('answer.broken')} onAction={onAction} />
      )}
      {state.phase === 'stopped' && (
        <Notice action={{ label: t('ask.askAgain'), run: () => onAction('again') }}>
          {t('ask.cancelled')}
        </Notice>
      )}
      {state.hasReserve && state.answer && (isOver || isWhole) && (
        <button type="button" className="link" onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'answer.less' : 'answer.whole')}
        </button>
      )}
      {children}
    </section>
  );
}

/** One line above the answer: what is going on, then the bare figure or how the answer was made. */
function Head({ state }: { state: AnswerState }) {
  const { t, i18n } = useTranslation();
  const { answer } = state;
  if (answer?.short) return <p className="short">{answer.short}</p>;
  if (answer === undefined) {
    return state.phase === 'answering' ? <p className="head-line">{t('ask.writing')}</p> : null;
  }
  if (state.askedAtMs !== undefined) {
    const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
    return <p className="head-line">{t('ask.earlierAnswer', { when: when.format(state.askedAtMs) })}</p>;
  }
  if (answer.mode === 'extractive' || answer.mode === 'computed') {
    return <p className="head-line">{t(`answer.${answer.mode}`)}</p>;
  }
  return state.hasReserve ? (
    <p className="head-line">{answer.model && t('answer.by', { model: answer.model })}</p>
  ) : null;
}

function Streaming({ text, isOver }: { text: string; isOver: boolean }) {
  return (
    <div className="answer">
      {streamedLines(text, isOver).map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines only ever grow at the end
        <p key={row}>
          {withMarks(line).map(({ text: words, tail, numbers }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces only ever grow at the end
            <Fragment key={index}>
              {words}
              <span className="together">
                {tail}
                {numbers.map((number) => (
                  <ComingChip key={number} number={number} />
                ))}
              </span>
            </Fragment>
          ))}
        </p>
      ))}
    </div>
  );
}

function Whole({ answer }: { answer: Answer }) {
  if (answer.mode === 'refused') return null;
  if (answer.sentences.length === 0) {
    return (
      <div className="answer">
        <p>{pieces(answer.answer).map((piece) => (piece.kind === 'text' ? piece.text : ''))}</p>
      </div>
    );
  }
  return (
    <div className="answer">
      {paragraphs(answer).map((placed) => (
        <p key={placed[0]?.index}>
          {placed.map((one) => (
            <Sentence key={one.index} placed={one} />
          ))}
        </p>
      ))}
    </div>
  );
}

function useOverflow(ref: RefObject<HTMLElement | null>, changes: string): boolean {
  const [isOver, setOver] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again whenever the content changed
  useLayoutEffect(() => {
    const element = ref.current;
    if (element !== null) setOver(element.scrollHeight > element.clientHeight + 2);
  }, [changes]);
  return isOver;
}

/** Follows the newest line while the answer streams, unless the reader scrolled away from it. */
function useFollowTail(ref: RefObject<HTMLElement | null>, state: AnswerState): void {
  const height = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per piece of text
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const wasAtTail = element.scrollTop + element.clientHeight >= height.current - 4;
    height.current = element.scrollHeight;
    if (state.phase === 'answering' && wasAtTail) element.scrollTop = element.scrollHeight;
    if (state.phase === 'done') element.scrollTop = 0;
  }, [state.text, state.phase]);
}
