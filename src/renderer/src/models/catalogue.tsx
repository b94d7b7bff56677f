/** Which models can be had, by purpose? */
import { useTranslation } from 'react-i18next';
import type { CatalogueModel, Machine, ModelDownload, ModelKind } from '../../../api/types.ts';
import type { FailureAction } from '../failure-words.ts';
import { CatalogueRow } from './catalogue-row.tsx';
import { modelKinds } from './model-words.ts';

export interface CatalogueProps {
  models: CatalogueModel[] | undefined;
  machine: Machine | undefined;
  downloads: ReadonlyMap<string, ModelDownload>;
  onAction(action: FailureAction): void;
}

export function Catalogue({ models, machine, downloads, onAction }: CatalogueProps) {
  const { t } = useTranslation();
  if (models === undefined) return <p className="soft">{t('models.loading')}</p>;
  if (models.length === 0) return <p>{t('models.noneInCatalogue')}</p>;
  const section = (kind: ModelKind) => {
    const ofKind = models.filter((model) => model.kind === kind);
    if (ofKind.length === 0) return null;
    return (
      <section key={kind} aria-label={t(`models.purpose.${kind}`)}>
        <h3 className="label">{t(`models.purpose.${kind}`)}</h3>
        <ul className="model-rows">
          {ofKind.map((model) => (
            <CatalogueRow
              key={model.id}
              model={model}
              machine={machine}
              download={downloads.get(model.id)}
              onAction={onAction}
            />
          ))}
        </ul>
      </section>
    );
  };
  return <div className="catalogue">{modelKinds.map(section)}</div>;
}
