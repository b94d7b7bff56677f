/** What does one line of the ledger say of its document? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { causesOf, type Exclusion } from '../../../api/ledger.ts';
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
      <td>{t(path.endsWith('/') ? 'ledger.folder' : 'ledger.file')}</td>
      <td className="ledger-state wide" colSpan={2}>
        <span className="badge">{t('ledger.state.excluded')}</span>
        <span>
          {t(`ledger.why.${reason}`)} <span className="soft">{t(`ledger.todo.${reason}`)}</span>
        </span>
      </td>
    </>
  );
}

function DocumentLine({ row, onOpen, onRetry }: LedgerRowProps & { row: DocumentRow }) {
  const { t } = useTranslation();
  const [isReading, setReading] = useState(false);
  const { title, path, state, ledgerState, message, warnings } = row;
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
        <span className={ledgerState === 'indexed' ? 'badge' : 'badge old'}>
          {t(`ledger.state.${ledgerState}`)}
        </span>
        {causesOf(row).map((cause) => (
          <span key={cause}>
            {t(`ledger.why.${cause}`)} <span className="soft">{t(`ledger.todo.${cause}`)}</span>
          </span>
        ))}
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
        {state !== 'failed' && (
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
