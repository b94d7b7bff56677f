/** Which models are installed, and are their files intact? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../api/errors.ts';
import type { ModelInfo } from '../../../api/types.ts';
import { toAppError } from '../engine/connection.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { FailureNotice } from '../shell/notice.tsx';

export function ModelsList({ models }: { models: ModelInfo[] }) {
  const { t, i18n } = useTranslation();
  const engine = useEngine();
  const [checked, setChecked] = useState<ModelInfo[]>();
  const [isChecking, setChecking] = useState(false);
  const [failure, setFailure] = useState<AppError>();
  const size = new Intl.NumberFormat(i18n.language, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 0,
  });
  const shown = checked ?? models;
  const check = (): void => {
    setChecking(true);
    setFailure(undefined);
    engine.models
      .check()
      .then(setChecked, (error: unknown) => setFailure(toAppError(error)))
      .finally(() => setChecking(false));
  };
  return (
    <section className="setting">
      <h3>{t('settings.models')}</h3>
      <p className="soft">{t('settings.modelsHelp')}</p>
      {shown.length === 0 ? (
        <>
          <p>{t('settings.noModels')}</p>
          <p className="soft">{t('settings.noModelsHelp')}</p>
        </>
      ) : (
        <ul className="models">
          {shown.map((model) => (
            <li key={model.id}>
              <span className="strong">{model.name}</span>
              <span className="soft">
                {[t(`settings.${model.kind}`), size.format(model.sizeBytes / 1e6), model.device]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <span className={model.state === 'ready' ? 'badge' : 'badge old'}>
                {t(`settings.${model.state}`)}
              </span>
              {model.message && <span className="soft wide">{model.message}</span>}
            </li>
          ))}
        </ul>
      )}
      {failure && <FailureNotice failure={failure} onAction={check} />}
      <button type="button" className="button" disabled={isChecking || shown.length === 0} onClick={check}>
        {t(isChecking ? 'settings.checking' : 'settings.check')}
      </button>
    </section>
  );
}
