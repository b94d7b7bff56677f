/** What does one line of the ledger say of its document? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Exclusion, ledgerStateOf } from '../../../api/ledger.ts';
import type { DocumentRow } from '../../../api/types.ts';
import type { LedgerEntry } from './use-ledger.ts';

export interface LedgerRowProps {
  /** Undefined while its page is on its way. */
  row: LedgerEntry | undefined;
  onOpen(row: DocumentRow): void;
  onRetry(row: DocumentRow): Promise<void>;
}

export function LedgerRow({ row, onOpen, onRetry }: LedgerRowProps) {
  if (row === undefined) return <td>…</td>;
  return 'id' in row ? (
    <DocumentLine row={row} onOpen={onOpen} onRetry={onRetry} />
  ) : (
    <ExclusionLine row={row} />
  );
}

function ExclusionLine({ row: { path, reason } }: { row: Exclusion }) {
  const { t } = useTranslation();
  return (
    <>
      <td className="ledger-document" title={path}>
        <span className="clip strong">
          <bdi>{path}</bdi>
        </span>
      </td>
      <td>{path.endsWith('/') && t('ledger.folder')}</td>
      <td className="ledger-state">
        <span className="badge old">{t('rowState.excluded')}</span>
        <span>{t(`exclusion.${reason}`)}</span>
        <details>
          <summary>{t('failureDetail')}</summary>
          <p className="soft">{t('todo.excluded')}</p>
        </details>
      </td>
      <td className="ledger-actions" />
    </>
  );
}

function DocumentLine({ row, onOpen, onRetry }: LedgerRowProps & { row: DocumentRow }) {
  const { t } = useTranslation();
  const [isReading, setReading] = useState(false);
  const { title, path, state, reason, message, warnings } = row;
  const inLedger = ledgerStateOf(row);
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
        <span className={inLedger === 'indexed' ? 'badge' : 'badge old'}>{t(`rowState.${inLedger}`)}</span>
        {reason && <span>{t(`reason.${reason}`)}</span>}
        {inLedger !== 'indexed' && (
          <details>
            <summary>{t('failureDetail')}</summary>
            <p>{t(`todo.${inLedger}`)}</p>
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
