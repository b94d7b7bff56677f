/** What stands at the foot: how much is searchable, what needs attention, what answers? */
import { useTranslation } from 'react-i18next';
import type { DocumentState, Status } from '../../../api/types.ts';

export interface FooterProps {
  status: Status | undefined;
  onLedger(state: DocumentState | undefined): void;
  onSettings(): void;
  onShortcuts(): void;
}

export function Footer({ status, onLedger, onSettings, onShortcuts }: FooterProps) {
  const { t } = useTranslation();
  return (
    <footer className="foot">
      {status && <Counts status={status} onLedger={onLedger} />}
      <span className="foot-gap" />
      {status && (
        <>
          <span className="foot-method">{t(`foot.${status.method}`)}</span>
          <button type="button" className="link clip foot-model" onClick={onSettings}>
            {modelInWords(status, t)}
          </button>
        </>
      )}
      <span className="foot-private">{t('foot.private')}</span>
      <button
        type="button"
        className="key"
        aria-label={t('foot.shortcuts')}
        title={t('foot.shortcuts')}
        onClick={onShortcuts}
      >
        <kbd aria-hidden>?</kbd>
      </button>
    </footer>
  );
}

function Counts({ status, onLedger }: { status: Status; onLedger(state: DocumentState | undefined): void }) {
  const { t } = useTranslation();
  const { indexed, waiting, failed } = status.counts;
  if (indexed + waiting + failed === 0) return null;
  return (
    <>
      <button type="button" className="link" onClick={() => onLedger(undefined)}>
        {t('foot.searchable', { searchable: indexed, count: indexed + waiting + failed })}
      </button>
      {waiting > 0 && (
        <button type="button" className="link" onClick={() => onLedger('waiting')}>
          {t('foot.waiting', { count: waiting })}
        </button>
      )}
      {failed > 0 && (
        <button type="button" className="link" onClick={() => onLedger('failed')}>
          {t('foot.attention', { count: failed })}
        </button>
      )}
    </>
  );
}

function modelInWords(status: Status, t: ReturnType<typeof useTranslation>['t']): string {
  const generator = status.models.find(({ kind, state }) => kind === 'generator' && state === 'ready');
  if (generator === undefined) return t('foot.noModel');
  const { name, device } = generator;
  if (device === undefined) return t('foot.modelIdle', { name });
  return t('foot.model', { name, device: device === 'CPU' ? t('foot.cpu') : device });
}
