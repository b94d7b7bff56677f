/** What does one line of the ledger say of its document? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../api/types.ts';

export interface LedgerRowProps {
  /** Undefined while its page is on its way. */
  row: DocumentRow | undefined;
  onOpen(row: DocumentRow): void;
  onRetry(row: DocumentRow): Promise<void>;
}

export function LedgerRow({ row, onOpen, onRetry }: LedgerRowProps) {
  const { t } = useTranslation();
  const [isReading, setReading] = useState(false);
  if (row === undefined) return <td>…</td>;
  const { title, path, state, reason, message, warnings } = row;
  const slash = path.lastIndexOf('/');
  return (
    <>
      <td className="ledger-document" title={path}>
        <span className="clip strong">{title}</span>
        <span className="clip soft">
          <bdi>{title === path.slice(slash + 1) ? path.slice(0, Math.max(0, slash)) : path}</bdi>
        </span>
      </td>
      <td>{row.kind && t(`kind.${row.kind}`)}</td>
      <td className="ledger-state">
        <span className={state === 'indexed' ? 'badge' : 'badge old'}>{t(`ledger.rowState.${state}`)}</span>
        {reason && <span>{t(`reason.${reason}`)}</span>}
        {state === 'indexed' && warnings.length > 0 && <span>{t('ledger.partly')}</span>}
        {(message || warnings.length > 0) && (
          <details>
            <summary>{t('failureDetail')}</summary>
            {message && <p className="soft">{message}</p>}
            {warnings.map((warning) => (
              <p className="soft" key={`${warning.code} ${warning.message}`}>
                {warning.message}
              </p>
            ))}
          </details>
        )}
      </td>
      <td className="ledger-actions">
        {state === 'indexed' && (
          <button
            type="button"
            className="button"
            aria-label={t('ledger.openLong', { title })}
            onClick={() => onOpen(row)}
          >
            {t('ledger.open')}
          </button>
        )}
        <button
          type="button"
          className="button"
          disabled={isReading}
          aria-label={t('ledger.retryLong', { title })}
          onClick={() => {
            setReading(true);
            void onRetry(row).finally(() => setReading(false));
          }}
        >
          {t(isReading ? 'ledger.retrying' : 'ledger.retry')}
        </button>
      </td>
    </>
  );
}
