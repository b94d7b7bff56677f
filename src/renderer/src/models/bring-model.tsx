/** How does a model come in without a network? */
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../api/errors.ts';
import type { ModelInfo } from '../../../api/types.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { FailureNotice, Notice } from '../shell/notice.tsx';
import { desktop } from '../shell/platform.ts';
import { modelName } from './model-words.ts';
import { PathForm } from './path-form.tsx';
import { useTask } from './use-task.ts';

export interface BringModelProps {
  onBrought(): void;
  onClose(): void;
}

export function BringModel({ onBrought, onClose }: BringModelProps) {
  const { t } = useTranslation();
  const engine = useEngine();
  const task = useTask<'bring'>();
  const [brought, setBrought] = useState<ModelInfo[]>();
  const bring = (path: string): void => {
    setBrought(undefined);
    void task.run('bring', async () => {
      setBrought(await engine.models.importFrom({ path }));
      onBrought();
    });
  };
  const isBusy = task.doing !== undefined;
  return (
    <Dialog title={t('models.bringTitle')} closeLabel={t('models.cancel')} onClose={onClose}>
      <DropPlace isBusy={isBusy} onPath={bring} />
      <PathForm
        label={t('models.bringLabel')}
        help={t('models.bringHelp')}
        exampleName="lectern-models.zip"
        go={t('models.bringGo')}
        doing={isBusy ? t('models.bringing') : undefined}
        onPath={bring}
        onClose={onClose}
      >
        <Pickers isBusy={isBusy} onPath={bring} />
      </PathForm>
      {task.failure && (
        <FailureNotice
          failure={task.failure}
          text={isRefusal(task.failure) ? t('models.bringRefused') : undefined}
          onAction={task.dismiss}
        />
      )}
      {brought && (
        <Notice action={{ label: t('models.close'), run: onClose }}>
          {t(brought.every(({ isVerified }) => isVerified) ? 'models.brought' : 'models.broughtUnverified', {
            names: brought.map((model) => modelName(model, t)).join(', '),
          })}
        </Notice>
      )}
    </Dialog>
  );
}

/** There is nothing to be had there: the code's own words speak of a question, or of a model that is installed. */
const isRefusal = ({ code }: AppError): boolean =>
  code === 'BAD_REQUEST' || code === 'MODEL_INVALID' || code === 'MODEL_NOT_FOUND';

interface PlaceProps {
  isBusy: boolean;
  onPath(path: string): void;
}

/** Only the desktop shell tells the path of what is dropped; a browser keeps it to itself, so there it isn't offered. */
function DropPlace({ isBusy, onPath }: PlaceProps) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const shell = desktop();
  if (shell === undefined) return null;
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined && !isBusy) onPath(shell.pathOf(file));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons and the field under it do the same by key
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {t('models.bringDrop')}
    </div>
  );
}

function Pickers({ isBusy, onPath }: PlaceProps) {
  const { t } = useTranslation();
  const shell = desktop();
  if (shell === undefined) return null;
  const pick = (picked: Promise<string | undefined>): void => {
    void picked.then((path) => {
      if (path !== undefined) onPath(path);
    });
  };
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => pick(shell.pickModelFile())}>
        {t('models.bringPick')}
      </button>
      <button type="button" className="button" disabled={isBusy} onClick={() => pick(shell.pickFolder())}>
        {t('models.bringPickFolder')}
      </button>
    </>
  );
}
