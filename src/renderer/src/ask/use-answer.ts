/** How is a question put to the engine, followed and stopped? */
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { AppError } from '../../../api/errors.ts';
import type { AnswerEvent, Scope } from '../../../api/types.ts';
import { cancelled, type EngineClient, toAppError } from '../engine/connection.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { type AnswerAction, type AnswerState, nothingAsked, reduceAnswer } from './answer-state.ts';

export interface Asking {
  state: AnswerState;
  ask(question: string, scope: Scope | undefined, isSearchOnly: boolean): void;
  stop(): void;
  /** Shows an earlier answer again. */
  recall(conversationId: number): void;
  clear(): void;
}

/**
 * How long passages wait for their answer, in milliseconds, so that both appear together and no room has to be reserved.
 * Where a model writes, well under the 100 ms that a person notices; without one the whole answer soon follows, and a
 * short wait is better than room that stays empty under a short answer.
 */
const togetherMs = { written: 60, extractive: 300 };

export function useAnswer(onAnswered: () => void, isWritten: boolean): Asking {
  const engine = useEngine();
  const [state, dispatch] = useReducer(reduceAnswer, nothingAsked);
  const running = useRef<AbortController>(undefined);
  const answered = useRef(onAnswered);
  answered.current = onAnswered;
  const waitMs = useRef(togetherMs.written);
  waitMs.current = isWritten ? togetherMs.written : togetherMs.extractive;

  const begin = useCallback((): AbortSignal => {
    running.current?.abort();
    running.current = new AbortController();
    return running.current.signal;
  }, []);

  useEffect(() => () => running.current?.abort(), []);

  const ask = useCallback(
    (question: string, scope: Scope | undefined, isSearchOnly: boolean) => {
      const signal = begin();
      dispatch({ type: 'ask', question, scope, isSearchOnly });
      const send = (action: AnswerAction): void => {
        if (!signal.aborted) dispatch(action);
      };
      const work = isSearchOnly
        ? searchOnly(engine, question, scope, signal, send)
        : followAnswer(engine, { question, scope }, waitMs.current, signal, send);
      work.then(
        () => {
          if (!signal.aborted) answered.current();
        },
        (error: unknown) => {
          if (!cancelled(error, signal)) send({ type: 'failed', failure: toAppError(error) });
        },
      );
    },
    [engine, begin],
  );

  const stop = useCallback(() => {
    running.current?.abort();
    dispatch({ type: 'stopped' });
  }, []);

  const recall = useCallback(
    (id: number) => {
      const signal = begin();
      engine.conversations.get({ id }, { signal }).then(
        (conversation) => {
          if (!signal.aborted) dispatch({ type: 'recall', conversation });
        },
        (error: unknown) => {
          if (!cancelled(error, signal)) dispatch({ type: 'failed', failure: toAppError(error) });
        },
      );
    },
    [engine, begin],
  );

  const clear = useCallback(() => {
    begin();
    dispatch({ type: 'clear' });
  }, [begin]);

  return { state, ask, stop, recall, clear };
}

async function searchOnly(
  engine: EngineClient,
  question: string,
  scope: Scope | undefined,
  signal: AbortSignal,
  send: (action: AnswerAction) => void,
): Promise<void> {
  const search = await engine.search({ question, scope, limit: 20 }, { signal });
  send({ type: 'passages', search, withAnswer: false });
}

async function followAnswer(
  engine: EngineClient,
  asked: { question: string; scope: Scope | undefined },
  waitMs: number,
  signal: AbortSignal,
  send: (action: AnswerAction) => void,
): Promise<void> {
  let held: AnswerEvent[] | undefined;
  let isDone = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (event: AnswerEvent, hasReserve: boolean): void => {
    if (event.type === 'passages') send({ type: 'passages', search: event.search, withAnswer: hasReserve });
    else send(event);
  };
  const release = (hasReserve: boolean): void => {
    clearTimeout(timer);
    const events = held ?? [];
    held = undefined;
    for (const event of events) show(event, hasReserve);
  };
  try {
    for await (const event of await engine.ask(asked, { signal })) {
      isDone ||= event.type === 'done';
      if (event.type === 'passages') {
        held = [event];
        timer = setTimeout(() => release(true), waitMs);
      } else if (held !== undefined) {
        held.push(event);
        if (event.type === 'done') release(false);
      } else {
        show(event, true);
      }
    }
  } finally {
    release(true);
  }
  // Only an engine that goes away ends a stream like this; what streamed stays.
  if (!isDone)
    throw new AppError('ENGINE_GONE', 'The answer broke off: the reading engine went away: ask again.');
}
