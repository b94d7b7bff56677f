/** What is one installed model, and what can be done with it? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelInfo, ModelSpeed } from '../../../api/types.ts';
import { useEngine } from '../engine/engine-context.tsx';
import type { FailureAction } from '../failure-words.ts';
import { FailureNotice } from '../shell/notice.tsx';
import { ConfirmRemoveModel } from './confirm-remove-model.tsx';
import { ExportModel } from './export-model.tsx';
import { installedFacts, modelName, speedInWords } from './model-words.ts';
import { useTask } from './use-task.ts';

export interface InstalledModelProps {
  model: ModelInfo;
  onChanged(): void;
  onAction(action: FailureAction): void;
}

type Doing = 'choose' | 'test' | 'remove';

export function InstalledModel({ model, onChanged, onAction }: InstalledModelProps) {
  const { t, i18n } = useTranslation();
  const engine = useEngine();
  const task = useTask<Doing>();
  const [speed, setSpeed] = useState<ModelSpeed>();
  const [window, setWindow] = useState<'remove' | 'export'>();
  const { id } = model;
  const change = (what: Doing, work: () => Promise<unknown>): void => {
    void task.run(what, work).then((isDone) => {
      if (isDone) onChanged();
    });
  };
  const test = (): void => void task.run('test', async () => setSpeed(await engine.models.speedTest({ id })));
  return (
    <li className="model-row">
      <ModelHead model={model} />
      <p className="soft model-facts">{installedFacts(model, t, i18n.language).join(' · ')}</p>
      {model.message && <p className="problem path">{model.message}</p>}
      <Actions
        model={model}
        doing={task.doing}
        onChoose={() => change('choose', () => engine.models.choose({ id }))}
        onTest={test}
        onExport={() => setWindow('export')}
        onRemove={() => setWindow('remove')}
      />
      <p role="status" className="model-outcome">
        {task.doing === 'test' ? t('models.testing') : speed && speedInWords(speed, t)}
      </p>
      {task.failure && (
        <FailureNotice
          failure={task.failure}
          onAction={(action) => {
            task.dismiss();
            if (action !== 'again') onAction(action);
          }}
        />
      )}
      {window === 'export' && <ExportModel model={model} onClose={() => setWindow(undefined)} />}
      {window === 'remove' && (
        <ConfirmRemoveModel
          model={model}
          onRemove={() => change('remove', () => engine.models.remove({ id }))}
          onClose={() => setWindow(undefined)}
        />
      )}
    </li>
  );
}

function ModelHead({ model }: { model: ModelInfo }) {
  const { t } = useTranslation();
  const { isInUse, isVerified, state } = model;
  return (
    <div className="model-head">
      <h4 title={model.path}>{modelName(model, t)}</h4>
      {isInUse && state === 'ready' && <span className="badge accent">{t('models.used')}</span>}
      {state === 'invalid' ? (
        <span className="badge old">{t('models.invalid')}</span>
      ) : (
        <span
          className={isVerified ? 'badge' : 'badge old'}
          title={t(isVerified ? 'models.verifiedHelp' : 'models.unverifiedHelp')}
        >
          {t(isVerified ? 'models.verified' : 'models.unverified')}
        </span>
      )}
      {state === 'ready' && !isVerified && <p className="soft wide">{t('models.unverifiedHelp')}</p>}
    </div>
  );
}

interface ActionsProps {
  model: ModelInfo;
  doing: Doing | undefined;
  onChoose(): void;
  onTest(): void;
  onExport(): void;
  onRemove(): void;
}

function Actions({ model, doing, onChoose, onTest, onExport, onRemove }: ActionsProps) {
  const { t } = useTranslation();
  const name = modelName(model, t);
  const isReady = model.state === 'ready';
  const isBusy = doing !== undefined;
  return (
    <div className="model-actions">
      {isReady && !model.isInUse && (
        <Action
          words={t(doing === 'choose' ? 'models.choosing' : 'models.choose')}
          long={t('models.chooseLong', { name })}
          isBusy={isBusy}
          run={onChoose}
        />
      )}
      {isReady && (
        <Action words={t('models.test')} long={t('models.testLong', { name })} isBusy={isBusy} run={onTest} />
      )}
      {isReady && !model.isBuiltIn && (
        <Action
          words={t('models.export')}
          long={t('models.exportLong', { name })}
          isBusy={isBusy}
          run={onExport}
        />
      )}
      {!model.isBuiltIn && (
        <Action
          words={t(doing === 'remove' ? 'models.removing' : 'models.remove')}
          long={t('models.removeLong', { name })}
          isBusy={isBusy}
          run={onRemove}
        />
      )}
    </div>
  );
}

interface ActionProps {
  words: string;
  /** Says of which model, for those who hear the button alone. */
  long: string;
  isBusy: boolean;
  run(): void;
}

function Action({ words, long, isBusy, run }: ActionProps) {
  return (
    <button type="button" className="button" aria-label={long} title={long} disabled={isBusy} onClick={run}>
      {words}
    </button>
  );
}
