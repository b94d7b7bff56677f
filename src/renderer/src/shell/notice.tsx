/** How does the page say that something failed, and what to do about it? */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../api/errors.ts';
import { type FailureAction, failureWords } from '../failure-words.ts';

export interface NoticeProps {
  tone?: 'quiet' | 'amber';
  children: ReactNode;
  action?: { label: string; run(): void };
}

/** One line with at most one action; spoken when it appears. */
export function Notice({ tone = 'quiet', children, action }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role="status">
      <div className="notice-text">{children}</div>
      {action && (
        <button type="button" className="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}

export interface FailureNoticeProps {
  failure: Pick<AppError, 'code' | 'message'>;
  onAction(action: FailureAction): void;
  /** Words of this place, where they say more than the code's own. */
  text?: string | undefined;
}

export function FailureNotice({ failure, onAction, text }: FailureNoticeProps) {
  const { t } = useTranslation();
  const words = failureWords(failure, t);
  return (
    <Notice tone="amber" action={{ label: words.actionLabel, run: () => onAction(words.action) }}>
      <p>{text ?? words.text}</p>
      <details>
        <summary>{t('failureDetail')}</summary>
        <p className="soft">{words.detail}</p>
      </details>
    </Notice>
  );
}
