/** Which model serves which purpose now? */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelInfo, ModelKind } from '../../../api/types.ts';
import { coverageInWords, deviceInWords, inUse, modelKinds, modelName } from './model-words.ts';

export interface InUseProps {
  installed: ModelInfo[];
  /** Shows what can be had. */
  onFind(): void;
}

export function InUse({ installed, onFind }: InUseProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 className="label" id={id}>
        {t('models.inUse')}
      </h3>
      <ul className="purposes">
        {modelKinds.map((kind) => (
          <li key={kind}>
            <Purpose kind={kind} used={inUse(installed, kind)} onFind={onFind} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PurposeProps {
  kind: ModelKind;
  used: ModelInfo[];
  onFind(): void;
}

function Purpose({ kind, used, onFind }: PurposeProps) {
  const { t } = useTranslation();
  const [main, helper] = used;
  return (
    <>
      <h4>{t(`models.purpose.${kind}`)}</h4>
      {main === undefined ? (
        <>
          <p>{t(`models.none.${kind}`)}</p>
          <p className="soft">{t(`models.purposeHelp.${kind}`)}</p>
          <button type="button" className="link" onClick={onFind}>
            {t('models.find')}
          </button>
        </>
      ) : (
        <>
          <p className="purpose-model">{used.map((model) => modelName(model, t)).join(' + ')}</p>
          <p className="soft">
            {main.device === undefined
              ? t('models.idle')
              : t('models.onDevice', { device: deviceInWords(main.device, t) })}
          </p>
          {main.isBuiltIn && <p className="soft">{t('models.starter')}</p>}
          <Coverage model={main} hasHelper={helper !== undefined} />
        </>
      )}
    </>
  );
}

function Coverage({ model, hasHelper }: { model: ModelInfo; hasHelper: boolean }) {
  const { t } = useTranslation();
  const words = coverageInWords(model, hasHelper, t);
  const { coverage } = model;
  if (words === undefined || coverage === undefined) return null;
  const isWhole = coverage.done >= coverage.total;
  return (
    <>
      {!isWhole && (
        <div
          className="bar"
          role="progressbar"
          aria-label={t('models.catchingUp', { name: modelName(model, t) })}
          aria-valuemin={0}
          aria-valuemax={coverage.total}
          aria-valuenow={coverage.done}
        >
          <i style={{ transform: `scaleX(${coverage.done / coverage.total})` }} />
        </div>
      )}
      <p className="soft">{words}</p>
    </>
  );
}
