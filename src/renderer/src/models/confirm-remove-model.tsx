/** Are this model's files really to be deleted? */
import { useTranslation } from 'react-i18next';
import type { ModelInfo } from '../../../api/types.ts';
import { Dialog } from '../shell/dialog.tsx';
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
    <Dialog title={t('models.removeTitle', { name })} closeLabel={t('models.cancel')} onClose={onClose}>
      <p>{t('models.removeAsk', { size: sizeInWords(model.sizeBytes, i18n.language) })}</p>
      {model.isInUse && <p>{t('models.removeInUse')}</p>}
      <p className="soft path">{model.path}</p>
      <div className="form-foot">
        <button type="button" className="button" data-first onClick={onClose}>
          {t('models.cancel')}
        </button>
        <button
          type="button"
          className="go"
          onClick={() => {
            onRemove();
            onClose();
          }}
        >
          {t('models.remove')}
        </button>
      </div>
    </Dialog>
  );
}
