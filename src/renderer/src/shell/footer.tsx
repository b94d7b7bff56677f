/** What stands at the foot: how much is searchable, what needs attention, what answers? */
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentState, Status } from '../../../api/types.ts';
import { type Downloads, isUnderWay } from '../models/downloads.ts';

export interface FooterProps {
  status: Status | undefined;
  downloads: Downloads;
  onLedger(state: DocumentState | undefined): void;
  onModels(): void;
  onShortcuts(): void;
}

export function Footer({ status, downloads, onLedger, onModels, onShortcuts }: FooterProps) {
  const { t } = useTranslation();
  return (
    <footer className="foot">
      {status && <Counts status={status} onLedger={onLedger} />}
      <span className="foot-gap" />
      <UnderWay downloads={downloads} onModels={onModels} />
      {status && (
        <>
          <span className="foot-method">{t(`foot.${status.method}`)}</span>
          <button type="button" className="link clip foot-model" onClick={onModels}>
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

/** A download goes on when its page is closed: how far it is stands here, and leads back to it. */
function UnderWay({ downloads, onModels }: Pick<FooterProps, 'downloads' | 'onModels'>) {
  const { t } = useTranslation();
  const { all } = useSyncExternalStore(downloads.subscribe, downloads.get);
  const running = [...all.values()].find(isUnderWay);
  if (running === undefined) return null;
  const { name, doneBytes, totalBytes } = running;
  const percent = totalBytes ? Math.floor((doneBytes / totalBytes) * 100) : 0;
  return (
    <button type="button" className="link clip foot-model" onClick={onModels}>
      {t('foot.downloading', { name, percent })}
    </button>
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
