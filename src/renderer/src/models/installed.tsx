/** Which models are installed, and are their files as they should be? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelInfo } from '../../../api/types.ts';
import { useEngine } from '../engine/engine-context.tsx';
import type { FailureAction } from '../failure-words.ts';
import { FailureNotice } from '../shell/notice.tsx';
import { InstalledModel } from './installed-model.tsx';
import { useTask } from './use-task.ts';

export interface InstalledProps {
  models: ModelInfo[];
  /** Shows what a check found. */
  onShow(models: ModelInfo[]): void;
  onChanged(): void;
  onAction(action: FailureAction): void;
}

export function Installed({ models, onShow, onChanged, onAction }: InstalledProps) {
  const { t } = useTranslation();
  const engine = useEngine();
  const task = useTask<'check'>();
  const [isChecked, setChecked] = useState(false);
  const check = async (): Promise<void> => {
    setChecked(false);
    const isDone = await task.run('check', async () => onShow(await engine.models.check()));
    setChecked(isDone);
  };
  if (models.length === 0) return <p>{t('models.noneInstalled')}</p>;
  return (
    <>
      <ul className="model-rows">
        {models.map((model) => (
          <InstalledModel key={model.path} model={model} onChanged={onChanged} onAction={onAction} />
        ))}
      </ul>
      {task.failure && <FailureNotice failure={task.failure} onAction={() => void check()} />}
      <div className="model-actions">
        <button
          type="button"
          className="button"
          disabled={task.doing !== undefined}
          onClick={() => void check()}
        >
          {t(task.doing === undefined ? 'models.check' : 'models.checking')}
        </button>
        <span className="soft" role="status">
          {isChecked && t('models.checked')}
        </span>
      </div>
    </>
  );
}
