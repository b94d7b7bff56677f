/** What is known of the question that was asked last? A pure account of its events. */
import type { AppError } from '../../../api/errors.ts';
import type { Answer, ConversationDetail, Scope, SearchResult } from '../../../api/types.ts';

export interface AnswerState {
  /** idle: nothing asked. stopped: cancelled by the user, what came is kept. */
  phase: 'idle' | 'searching' | 'answering' | 'done' | 'failed' | 'stopped';
  question: string;
  scope?: Scope;
  /** Passages only. */
  isSearchOnly: boolean;
  search?: SearchResult;
  /** Streamed so far. */
  text: string;
  answer?: Answer;
  failure?: AppError;
  conversationId?: number;
  /** When it was answered, for one of the earlier questions. */
  askedAtMs?: number;
  /** The passages came before the answer, so room was reserved for it. */
  hasReserve: boolean;
  /** Rises with every question. */
  run: number;
}

export const nothingAsked: AnswerState = {
  phase: 'idle',
  question: '',
  isSearchOnly: false,
  text: '',
  hasReserve: false,
  run: 0,
};

export type AnswerAction =
  | { type: 'ask'; question: string; scope: Scope | undefined; isSearchOnly: boolean }
  | { type: 'passages'; search: SearchResult; withAnswer: boolean }
  | { type: 'text'; text: string }
  | { type: 'done'; answer: Answer; conversationId: number }
  | { type: 'failed'; failure: AppError }
  | { type: 'stopped' }
  | { type: 'recall'; conversation: ConversationDetail }
  | { type: 'clear' };

export function reduceAnswer(state: AnswerState, action: AnswerAction): AnswerState {
  switch (action.type) {
    case 'ask': {
      const { question, scope, isSearchOnly } = action;
      return { ...nothingAsked, phase: 'searching', question, scope, isSearchOnly, run: state.run + 1 };
    }
    case 'passages':
      return {
        ...state,
        search: action.search,
        phase: state.isSearchOnly ? 'done' : 'answering',
        hasReserve: action.withAnswer,
      };
    case 'text':
      return { ...state, text: state.text + action.text };
    case 'done':
      return { ...state, phase: 'done', answer: action.answer, conversationId: action.conversationId };
    case 'failed':
      return { ...state, phase: 'failed', failure: action.failure };
    case 'stopped':
      return isRunning(state) ? { ...state, phase: 'stopped' } : state;
    case 'recall': {
      const { id, question, scope, search, answer, askedAtMs } = action.conversation;
      const past: AnswerState = { ...nothingAsked, phase: 'done', run: state.run + 1, askedAtMs };
      return { ...past, question, scope, search, answer, text: answer.answer, conversationId: id };
    }
    case 'clear':
      return { ...nothingAsked, run: state.run + 1 };
  }
}

export const isRunning = (state: AnswerState): boolean =>
  state.phase === 'searching' || state.phase === 'answering';
