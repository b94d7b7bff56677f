/** Where does a model's archive go, for a computer without a network? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelInfo } from '../../../api/types.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { FailureNotice, Notice } from '../shell/notice.tsx';
import { desktop } from '../shell/platform.ts';
import { sizeInWords } from './model-words.ts';
import { PathForm } from './path-form.tsx';
import { useTask } from './use-task.ts';

export interface ExportModelProps {
  model: ModelInfo;
  onClose(): void;
}

export function ExportModel({ model, onClose }: ExportModelProps) {
  const { t, i18n } = useTranslation();
  const engine = useEngine();
  const task = useTask<'export'>();
  const [written, setWritten] = useState<{ path: string; sizeBytes: number }>();
  const { id, name } = model;
  const archive = `${id.replace(/[^\w.-]+/g, '-')}.zip`;
  const write = (path: string): void => {
    setWritten(undefined);
    void task.run('export', async () => {
      const { sizeBytes } = await engine.models.exportTo({ ids: [id], path });
      setWritten({ path, sizeBytes });
    });
  };
  const shell = desktop();
  const isBusy = task.doing !== undefined;
  return (
    <Dialog title={t('models.exportTitle', { name })} closeLabel={t('models.cancel')} onClose={onClose}>
      <PathForm
        label={t('models.exportLabel')}
        help={t('models.exportHelp', { path: archive })}
        exampleName={archive}
        go={t('models.exportGo')}
        doing={isBusy ? t('models.exporting') : undefined}
        onPath={write}
        onClose={onClose}
      >
        {shell && (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            onClick={() => {
              void shell.pickArchivePlace(archive).then((path) => {
                if (path !== undefined) write(path);
              });
            }}
          >
            {t('models.exportPick')}
          </button>
        )}
      </PathForm>
      {task.failure && (
        <FailureNotice
          failure={task.failure}
          text={task.failure.code === 'BAD_REQUEST' ? t('models.exportRefused') : undefined}
          onAction={task.dismiss}
        />
      )}
      {written && (
        <Notice action={{ label: t('models.close'), run: onClose }}>
          <p className="path">
            {t('models.exported', {
              size: sizeInWords(written.sizeBytes, i18n.language),
              path: written.path,
            })}
          </p>
        </Notice>
      )}
    </Dialog>
  );
}
