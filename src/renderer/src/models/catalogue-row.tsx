/** What is one model that can be had, and how far is its download? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogueModel, Machine, ModelDownload } from '../../../api/types.ts';
import { useEngine } from '../engine/engine-context.tsx';
import type { FailureAction } from '../failure-words.ts';
import { FailureNotice } from '../shell/notice.tsx';
import { ConfirmDownload } from './confirm-download.tsx';
import { DownloadState } from './download-state.tsx';
import { isUnderWay } from './downloads.ts';
import { catalogueFacts, fitInWords } from './model-words.ts';
import { useTask } from './use-task.ts';

export interface CatalogueRowProps {
  model: CatalogueModel;
  machine: Machine | undefined;
  /** The latest download of this run of the program. */
  download: ModelDownload | undefined;
  onAction(action: FailureAction): void;
}

export function CatalogueRow({ model, machine, download, onAction }: CatalogueRowProps) {
  const { t, i18n } = useTranslation();
  const engine = useEngine();
  const task = useTask<'start' | 'stop'>();
  const [isAsking, setAsking] = useState(false);
  const { id, fit, installedId } = model;
  const language = i18n.language;
  const start = (): void => void task.run('start', () => engine.models.download({ id }));
  return (
    <li className="model-row">
      <div className="model-head">
        <h4>{model.name}</h4>
        {model.isRecommended && <span className="badge accent">{t('models.recommended')}</span>}
        {installedId !== undefined && <span className="badge">{t('models.installed')}</span>}
      </div>
      <p>{language === 'ru' ? model.summary.ru : model.summary.en}</p>
      <p className={fit === 'fits' ? 'soft' : 'problem'}>{fitInWords(model, machine, t, language)}</p>
      <p className="soft model-facts">{catalogueFacts(model, t, language).join(' · ')}</p>
      {download !== undefined && <DownloadState download={download} onAgain={start} onAction={onAction} />}
      <Action
        model={model}
        download={download}
        isBusy={task.doing !== undefined}
        onAsk={() => setAsking(true)}
        onGoOn={start}
        onStop={() => void task.run('stop', () => engine.models.cancelDownload({ id }))}
      />
      {task.failure && (
        <FailureNotice
          failure={task.failure}
          onAction={(action) => {
            task.dismiss();
            if (action === 'again') start();
            else onAction(action);
          }}
        />
      )}
      {isAsking && (
        <ConfirmDownload model={model} machine={machine} onYes={start} onClose={() => setAsking(false)} />
      )}
    </li>
  );
}

interface ActionProps {
  model: CatalogueModel;
  download: ModelDownload | undefined;
  isBusy: boolean;
  /** Asks before anything connects. */
  onAsk(): void;
  onGoOn(): void;
  onStop(): void;
}

/** The one thing that can be done now. What was agreed to once goes on without another question. */
function Action({ model, download, isBusy, onAsk, onGoOn, onStop }: ActionProps) {
  const { t } = useTranslation();
  const { name } = model;
  const isRunning = download !== undefined && isUnderWay(download);
  if (!isRunning && model.installedId !== undefined) return null;
  const what = isRunning ? 'stop' : download?.phase === 'cancelled' ? 'goOn' : 'download';
  // A failed one has its action beside the words of the failure.
  if (download?.phase === 'failed') return null;
  const run = { stop: onStop, goOn: onGoOn, download: onAsk }[what];
  return (
    <div className="model-actions">
      <button
        type="button"
        className={what === 'download' && model.isRecommended ? 'go' : 'button'}
        aria-label={t(`models.${what}Long`, { name })}
        disabled={isBusy}
        onClick={run}
      >
        {t(`models.${what}`)}
      </button>
    </div>
  );
}
