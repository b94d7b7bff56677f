/** What was read, what was not, and why? */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../api/errors.ts';
import type { LedgerFilter as StateFilter } from '../../../api/ledger.ts';
import type { DocumentRow, Scope } from '../../../api/types.ts';
import { toAppError } from '../engine/connection.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { FailureNotice, Notice } from '../shell/notice.tsx';
import { csvInWords } from './csv.ts';
import { LedgerFilters } from './ledger-filters.tsx';
import { LedgerRow } from './ledger-row.tsx';
import { type Ledger, type LedgerFilter, useLedger, wholeTable } from './use-ledger.ts';

export interface LedgerDialogProps {
  initialState: StateFilter | undefined;
  /** Opens with only what a question in this scope is asked of. */
  initialScope: Scope | undefined;
  onOpen(row: DocumentRow): void;
  /** Counts may have changed. */
  onRead(): void;
  onClose(): void;
}

/** Height of a row before it is measured, in pixels. */
const rowHeight = 60;

export function LedgerDialog(props: LedgerDialogProps) {
  const { initialState, initialScope, onOpen, onRead, onClose } = props;
  const { t } = useTranslation();
  const engine = useEngine();
  const [state, setState] = useState<StateFilter | undefined>(initialState);
  const [text, setText] = useState('');
  const [scope, setScope] = useState(initialScope);
  const filter: LedgerFilter = { state, text: useDeferredValue(text.trim()), scope };
  const ledger = useLedger(filter);
  const [failure, setFailure] = useState<AppError>();
  const [isExporting, setExporting] = useState(false);

  const exportCsv = async (): Promise<void> => {
    setExporting(true);
    const table = await wholeTable(engine, filter).finally(() => setExporting(false));
    const url = URL.createObjectURL(new Blob([csvInWords(table, t)], { type: 'text/csv;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'lectern-documents.csv';
    link.click();
    URL.revokeObjectURL(url);
  };
  const retry = (row: DocumentRow): Promise<void> =>
    engine.documents.retry({ id: row.id }).then(
      (read) => {
        ledger.replace(read);
        onRead();
      },
      (error: unknown) => setFailure(toAppError(error)),
    );
  const shown = failure ?? ledger.failure;
  return (
    <Dialog title={t('ledger.title')} closeLabel={t('ledger.close')} size="wide" onClose={onClose}>
      <LedgerTools
        state={state}
        onState={setState}
        text={text}
        onText={setText}
        ledger={ledger}
        isOfQuestion={scope !== undefined}
        onEverything={() => setScope(undefined)}
        isExporting={isExporting}
        onExport={() => {
          exportCsv().catch((error: unknown) => setFailure(toAppError(error)));
        }}
      />
      {shown && <FailureNotice failure={shown} onAction={() => setFailure(undefined)} />}
      {ledger.total === 0 ? (
        <Notice
          action={{
            label: t('ledger.clear'),
            run: () => {
              setState(undefined);
              setText('');
              setScope(undefined);
            },
          }}
        >
          {t(text === '' ? 'ledger.empty' : 'ledger.emptyFilter')}
        </Notice>
      ) : (
        <LedgerList ledger={ledger} onOpen={onOpen} onRetry={retry} />
      )}
    </Dialog>
  );
}

interface LedgerToolsProps {
  state: StateFilter | undefined;
  onState(state: StateFilter | undefined): void;
  text: string;
  onText(text: string): void;
  ledger: Ledger;
  isOfQuestion: boolean;
  onEverything(): void;
  isExporting: boolean;
  onExport(): void;
}

function LedgerTools(props: LedgerToolsProps) {
  const { state, onState, text, onText, ledger, isOfQuestion, onEverything, isExporting, onExport } = props;
  const { t } = useTranslation();
  const { total, counts } = ledger;
  return (
    <div className="ledger-tools">
      <LedgerFilters state={state} onState={onState} counts={counts} />
      {isOfQuestion && (
        <p className="ledger-scope">
          {t('ledger.ofQuestion')}
          <button type="button" className="link" onClick={onEverything}>
            {t('ledger.ofEverything')}
          </button>
        </p>
      )}
      <input
        type="search"
        data-first
        value={text}
        placeholder={t('ledger.find')}
        aria-label={t('ledger.find')}
        onChange={(event) => onText(event.target.value)}
      />
      <span className="soft" role="status">
        {total === undefined
          ? t('ledger.loading')
          : t(state === 'excluded' ? 'ledger.leftOut' : 'ledger.count', { count: total })}
      </span>
      <button type="button" className="button" disabled={isExporting || !total} onClick={onExport}>
        {t(isExporting ? 'ledger.exporting' : 'ledger.export')}
      </button>
    </div>
  );
}

interface LedgerListProps {
  ledger: Ledger;
  onOpen(row: DocumentRow): void;
  onRetry(row: DocumentRow): Promise<void>;
}

function LedgerList({ ledger, onOpen, onRetry }: LedgerListProps) {
  const { t } = useTranslation();
  const scroll = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: ledger.total ?? 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const from = items[0]?.index;
  const to = items.at(-1)?.index;
  const { need } = ledger;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again only when the range on screen changes
  useEffect(() => {
    if (from !== undefined && to !== undefined) need(from, to);
  }, [from, to]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key
    <section className="ledger" ref={scroll} tabIndex={0} aria-label={t('ledger.title')}>
      <table aria-label={t('ledger.title')} aria-rowcount={(ledger.total ?? 0) + 1}>
        <thead>
          <tr className="ledger-row head" aria-rowindex={1}>
            <th scope="col">{t('ledger.document')}</th>
            <th scope="col">{t('ledger.kindColumn')}</th>
            <th scope="col">{t('ledger.stateColumn')}</th>
            <th scope="col" className="ledger-actions">
              {t('ledger.actions')}
            </th>
          </tr>
        </thead>
        <tbody style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => (
            <tr
              key={item.key}
              className="ledger-row"
              aria-rowindex={item.index + 2}
              data-index={item.index}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <LedgerRow row={ledger.rowAt(item.index)} onOpen={onOpen} onRetry={onRetry} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
