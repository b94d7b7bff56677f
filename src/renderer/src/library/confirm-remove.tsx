/** Is this folder really to be forgotten? */
import { useTranslation } from 'react-i18next';
import type { Folder } from '../../../api/types.ts';
import { Dialog } from '../shell/dialog.tsx';

export interface ConfirmRemoveProps {
  folder: Folder;
  onRemove(): void;
  onClose(): void;
}

export function ConfirmRemove({ folder, onRemove, onClose }: ConfirmRemoveProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('rail.remove')} closeLabel={t('add.cancel')} onClose={onClose}>
      <p>{t('rail.removeAsk', { name: folder.name })}</p>
      <p className="soft path">{folder.path}</p>
      <div className="form-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('add.cancel')}
        </button>
        <button
          type="button"
          className="go"
          onClick={() => {
            onRemove();
            onClose();
          }}
        >
          {t('rail.removeYes')}
        </button>
      </div>
    </Dialog>
  );
}
