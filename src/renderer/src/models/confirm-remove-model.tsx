/** Are this model's files really to be deleted? */
import { useTranslation } from 'react-i18next';
import type { ModelInfo } from '../../../api/types.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';
import { sizeInWords } from './model-words.ts';

export interface ConfirmRemoveModelProps {
  model: ModelInfo;
  onRemove(): void;
  onClose(): void;
}

export function ConfirmRemoveModel({ model, onRemove, onClose }: ConfirmRemoveModelProps) {
  const { t, i18n } = useTranslation();
  const { name } = model;
  return (
    <ConfirmDialog
      title={t('models.removeTitle', { name })}
      cancelLabel={t('models.cancel')}
      yesLabel={t('models.remove')}
      first="cancel"
      onYes={onRemove}
      onClose={onClose}
    >
      <p>{t('models.removeAsk', { size: sizeInWords(model.sizeBytes, i18n.language) })}</p>
      {model.isInUse && <p>{t('models.removeInUse')}</p>}
      <p className="soft path">{model.path}</p>
    </ConfirmDialog>
  );
}
