/** Is this folder really to be forgotten? */
import { useTranslation } from 'react-i18next';
import type { Folder } from '../../../api/types.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';

export interface ConfirmRemoveProps {
  folder: Folder;
  onRemove(): void;
  onClose(): void;
}

export function ConfirmRemove({ folder, onRemove, onClose }: ConfirmRemoveProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('rail.remove')}
      cancelLabel={t('add.cancel')}
      yesLabel={t('rail.removeYes')}
      onYes={onRemove}
      onClose={onClose}
    >
      <p>{t('rail.removeAsk', { name: folder.name })}</p>
      <p className="soft path">{folder.path}</p>
    </ConfirmDialog>
  );
}
