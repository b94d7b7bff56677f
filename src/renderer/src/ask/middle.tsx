/** What stands in the middle: the question, its answer, the passages, or a way to begin? */
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Scope } from '../../../api/types.ts';
import type { FailureAction } from '../failure-words.ts';
import { type Library, writesAnswers } from '../library/use-library.ts';
import { useAnnounce } from '../shell/live-region.tsx';
import { Notice } from '../shell/notice.tsx';
import { type AnswerState, isRunning } from './answer-state.ts';
import { wholeSentences, withoutMarks } from './answer-text.ts';
import { AnswerView } from './answer-view.tsx';
import { AskField } from './ask-field.tsx';
import { CoverageLine } from './coverage-line.tsx';
import { PassageCard } from './passage-card.tsx';
import { PeekCard } from './peek-card.tsx';
import { tidyScope } from './scope.ts';
import type { Asking } from './use-answer.ts';

export interface MiddleProps {
  asking: Asking;
  library: Library;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  /** A question to be put into the field; a new object each time. */
  recalled: { question: string } | undefined;
  scope: Scope;
  onScope(scope: Scope): void;
  onAction(action: FailureAction): void;
  /** Asks for the list of what a question in this scope did not search, or only in part. */
  onNotRead(scope: Scope): void;
}

export function Middle(props: MiddleProps) {
  const { asking, library, fieldRef, recalled, scope, onScope, onAction } = props;
  const { state } = asking;
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const scroll = useRef<HTMLElement>(null);
  useReadAloud(state);

  const ask = (question: string, isSearchOnly: boolean, within: Scope = scope): void => {
    asking.ask(question, tidyScope(within), isSearchOnly);
    scroll.current?.scrollTo(0, 0);
  };
  // The focus leaves the field once an answer is under way: n and p then walk its sources.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per question
  useEffect(() => {
    if (state.search !== undefined && document.activeElement === fieldRef.current) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [state.run, state.search]);

  const act = (action: FailureAction): void => {
    if (action === 'again' || action === 'reconnect') ask(state.question, state.isSearchOnly);
    else if (action === 'change') fieldRef.current?.focus();
    else onAction(action);
  };

  return (
    <section className="middle" aria-label={t('app.question')}>
      <h1 className="unseen">{t('app.name')}</h1>
      <AskField
        fieldRef={fieldRef}
        recalled={recalled}
        scope={scope}
        onScope={onScope}
        folders={library.folders}
        isRunning={isRunning(state)}
        onAsk={ask}
        onStop={asking.stop}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key */}
      <section className="scroll" ref={scroll} tabIndex={0} aria-label={t('app.result')}>
        {state.phase === 'idle' ? (
          <Ready library={library} />
        ) : (
          <Result
            {...props}
            state={state}
            heading={heading}
            onAction={act}
            onWiden={() => {
              onScope({});
              ask(state.question, state.isSearchOnly, {});
            }}
          />
        )}
      </section>
      <PeekCard />
    </section>
  );
}

interface ResultProps extends MiddleProps {
  state: AnswerState;
  heading: RefObject<HTMLHeadingElement | null>;
  onWiden(): void;
}

function Result({ state, heading, library, onAction, onNotRead, onWiden }: ResultProps) {
  const { t } = useTranslation();
  const [showsWhy, setShowsWhy] = useState(false);
  const { search, answer } = state;
  // Decided once per question: what is known of the models later must not change the room that was kept.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const isBrief = useMemo(() => writesAnswers(library) === false, [state.run]);
  const isRefused = answer?.mode === 'refused';
  const isNothing =
    search?.judgement === 'nothing' && (answer === undefined || isRefused) && !isRunning(state);
  const hits = isNothing ? (search?.hits.slice(0, 3) ?? []) : (search?.hits ?? []);
  return (
    <>
      <AnswerView state={state} isBrief={isBrief} onAction={onAction} headingRef={heading}>
        {state.phase === 'searching' && (
          <p className="working" role="status">
            {t('ask.searching', { count: library.status?.counts.indexed ?? 0 })}
          </p>
        )}
        {(isNothing || isRefused) && (
          <NoAnswer
            state={state}
            nearest={hits.length}
            hasDocuments={(library.status?.counts.indexed ?? 0) > 0}
            onWiden={onWiden}
          />
        )}
        {search && (
          <CoverageLine
            question={state.question}
            search={search}
            answer={answer}
            showsWhy={showsWhy}
            onWhy={() => setShowsWhy(!showsWhy)}
            onNotRead={() => onNotRead(search.scope ?? state.scope ?? {})}
          />
        )}
      </AnswerView>
      {hits.length > 0 && (
        <section aria-labelledby="passages-heading">
          <h2 className="label" id="passages-heading">
            {t(isNothing ? 'passage.nearest' : 'passage.title')}
          </h2>
          {hits.map((hit) => (
            <PassageCard key={`${hit.document.id} ${hit.start}`} hit={hit} showsWhy={showsWhy} />
          ))}
        </section>
      )}
    </>
  );
}

interface NoAnswerProps {
  state: AnswerState;
  /** How many passages stand below. */
  nearest: number;
  /** The library holds some, wherever the question looked. */
  hasDocuments: boolean;
  onWiden(): void;
}

/** Why there is no answer: no document to search, nothing that fits, or nothing that answers. */
function NoAnswer({ state, nearest, hasDocuments, onWiden }: NoAnswerProps) {
  const { t } = useTranslation();
  const { search, scope } = state;
  const isNothing = search?.judgement === 'nothing';
  const [title, help] =
    search?.coverage.searched === 0 && nearest === 0
      ? scope === undefined && !hasDocuments
        ? [t('answer.noDocument'), t('answer.noDocumentHelp')]
        : [t('answer.outOfScope'), t('answer.outOfScopeHelp')]
      : isNothing
        ? [
            t('answer.nothing'),
            nearest === 0 ? t('answer.nothingAtAll') : t('answer.nothingHelp', { count: nearest }),
          ]
        : [t('answer.refused'), t('answer.refusedHelp')];
  return (
    <Notice action={scope && { label: t('answer.widen'), run: onWiden }}>
      <p className="strong">{title}</p>
      <p className="soft">{help}</p>
    </Notice>
  );
}

/** Before the first question: what can be asked, and how. */
function Ready({ library }: { library: Library }) {
  const { t } = useTranslation();
  const indexed = library.status?.counts.indexed ?? 0;
  return (
    <div className="ready">
      <p className="ready-title">{t('ask.readyTitle')}</p>
      <p className="soft">
        {library.isWorking ? t('ask.readying') : library.status && t('ask.ready', { count: indexed })}
      </p>
    </div>
  );
}

/** Says each sentence of a streaming answer once it is whole. */
function useReadAloud(state: AnswerState): void {
  const { t, i18n } = useTranslation();
  const announce = useAnnounce();
  const said = useRef({ run: -1, next: 0, hits: false });
  useEffect(() => {
    if (said.current.run !== state.run) said.current = { run: state.run, next: 0, hits: false };
    if (state.askedAtMs !== undefined) return;
    if (state.search !== undefined && !said.current.hits) {
      said.current.hits = true;
      announce(t('announce.found', { count: state.search.hits.length }));
    }
    const isOver = !isRunning(state) && state.phase !== 'idle';
    const language =
      state.search?.language === 'und' ? i18n.language : (state.search?.language ?? i18n.language);
    const { sentences, next } = wholeSentences(state.text, said.current.next, language, isOver);
    said.current.next = next;
    for (const sentence of sentences) announce(withoutMarks(sentence));
    if (state.phase === 'done' && sentences.length > 0) announce(t('announce.done'));
  }, [state, announce, t, i18n.language]);
}
