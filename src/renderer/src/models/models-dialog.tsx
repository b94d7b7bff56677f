/** Which models work here, which can be had, and how does one come in? */
import { HardDriveDownload } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../engine/engine-context.tsx';
import type { FailureAction } from '../failure-words.ts';
import { Dialog } from '../shell/dialog.tsx';
import { FailureNotice } from '../shell/notice.tsx';
import { BringModel } from './bring-model.tsx';
import { Catalogue } from './catalogue.tsx';
import type { Downloads } from './downloads.ts';
import { InUse } from './in-use.tsx';
import { Installed } from './installed.tsx';
import { MachinePart } from './machine-part.tsx';
import { type Models, useModels } from './use-models.ts';
import './models.css';

export interface ModelsDialogProps {
  downloads: Downloads;
  /** Something that the rest of the page shows may be another now. */
  onChanged(): void;
  onClose(): void;
}

const parts = ['installed', 'catalogue', 'machine'] as const;
type Part = (typeof parts)[number];

export function ModelsDialog({ downloads, onChanged, onClose }: ModelsDialogProps) {
  const { t } = useTranslation();
  const connection = useConnection();
  const models = useModels(downloads, onChanged);
  const [part, setPart] = useState<Part>('installed');
  const [isBringing, setBringing] = useState(false);
  const act = (action: FailureAction): void => {
    if (action === 'reconnect') connection.reconnect();
    else if (action === 'reload') location.reload();
    else if (action === 'models') setPart('catalogue');
    models.refresh();
  };
  return (
    <Dialog title={t('models.title')} closeLabel={t('models.close')} size="wide" onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key */}
      <section className="models-page" tabIndex={0} aria-label={t('models.title')}>
        {models.failure && <FailureNotice failure={models.failure} onAction={act} />}
        {models.installed === undefined ? (
          <p className="soft" role="status">
            {t('models.loading')}
          </p>
        ) : (
          <>
            <InUse installed={models.installed} onFind={() => setPart('catalogue')} />
            <div className="models-tools">
              <PartChoice part={part} onPart={setPart} />
              <button type="button" className="button with-icon" onClick={() => setBringing(true)}>
                <HardDriveDownload size={15} aria-hidden />
                {t('models.bring')}
              </button>
            </div>
            <Shown part={part} models={models} installed={models.installed} onAction={act} />
          </>
        )}
        <p className="soft models-foot">{t('models.offline')}</p>
      </section>
      {isBringing && <BringModel onBrought={models.refresh} onClose={() => setBringing(false)} />}
    </Dialog>
  );
}

interface ShownProps {
  part: Part;
  models: Models;
  installed: NonNullable<Models['installed']>;
  onAction(action: FailureAction): void;
}

function Shown({ part, models, installed, onAction }: ShownProps) {
  switch (part) {
    case 'installed':
      return (
        <Installed models={installed} onShow={models.show} onChanged={models.refresh} onAction={onAction} />
      );
    case 'catalogue':
      return (
        <Catalogue
          models={models.catalogue}
          machine={models.machine}
          downloads={models.downloads}
          onAction={onAction}
        />
      );
    case 'machine':
      return <MachinePart machine={models.machine} onChanged={models.refresh} onAction={onAction} />;
  }
}

function PartChoice({ part, onPart }: { part: Part; onPart(part: Part): void }) {
  const { t } = useTranslation();
  const name = useId();
  return (
    <div className="choices" role="radiogroup" aria-label={t('models.parts')}>
      {parts.map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === part} onChange={() => onPart(one)} />
          <span>{t(`models.part.${one}`)}</span>
        </label>
      ))}
    </div>
  );
}
