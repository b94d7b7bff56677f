/** What does the page say, and what does it offer, when a call fails? */
import type { TFunction } from 'i18next';
import type { AppError, ErrorCode } from '../../api/errors.ts';

/** What the user can do next; the place that shows the failure knows how. */
export type FailureAction =
  | 'again'
  | 'change'
  | 'choose'
  | 'ledger'
  | 'read-again'
  | 'models'
  | 'reconnect'
  | 'reload';

/** Every code has an action; its words stand under `failure.<code>` of the languages. */
export const failureActions: Record<ErrorCode, FailureAction> = {
  BAD_REQUEST: 'change',
  FOLDER_NOT_FOUND: 'choose',
  FOLDER_KNOWN: 'choose',
  DOCUMENT_NOT_FOUND: 'ledger',
  DOCUMENT_CHANGED: 'read-again',
  DOCUMENT_UNREADABLE: 'read-again',
  LIBRARY_NEWER: 'reload',
  LIBRARY_BUSY: 'again',
  LIBRARY_DAMAGED: 'reload',
  MODEL_NOT_FOUND: 'models',
  MODEL_INVALID: 'models',
  MODEL_FAILED: 'again',
  MODEL_TOO_LARGE: 'models',
  DOWNLOAD_FAILED: 'again',
  QUESTIONS_INVALID: 'change',
  RUN_NOT_FOUND: 'again',
  ENGINE_GONE: 'reconnect',
  INTERNAL: 'again',
};

export interface FailureWords {
  text: string;
  /** The engine's own line, for those who want to know more. */
  detail: string;
  action: FailureAction;
  actionLabel: string;
}

export function failureWords(failure: Pick<AppError, 'code' | 'message'>, t: TFunction): FailureWords {
  const action = failureActions[failure.code];
  return {
    text: t(`failure.${failure.code}`),
    detail: failure.message,
    action,
    actionLabel: t(`failureAction.${action}`),
  };
}
