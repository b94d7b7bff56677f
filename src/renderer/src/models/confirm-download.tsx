/** Is this computer really to connect, to which host, for how much, under which licence? */
import { useTranslation } from 'react-i18next';
import type { CatalogueModel, Machine } from '../../../api/types.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';
import { fitInWords, sizeInWords } from './model-words.ts';

export interface ConfirmDownloadProps {
  model: CatalogueModel;
  machine: Machine | undefined;
  onYes(): void;
  onClose(): void;
}

export function ConfirmDownload({ model, machine, onYes, onClose }: ConfirmDownloadProps) {
  const { t, i18n } = useTranslation();
  const { name, host, repository, licence, sizeBytes, fit, revision } = model;
  const size =
    sizeBytes === undefined
      ? t('models.confirmNoSize')
      : t('models.confirmSize', { size: sizeInWords(sizeBytes, i18n.language) });
  return (
    <ConfirmDialog
      title={t('models.confirmTitle', { name })}
      cancelLabel={t('models.cancel')}
      yesLabel={t('models.download')}
      first="yes"
      onYes={onYes}
      onClose={onClose}
    >
      <p>{t('models.confirmHost', { host, repository })}</p>
      <p>{size}</p>
      <p>{t('models.confirmLicence', { licence })}</p>
      <p className="soft path">{model.licenceUrl}</p>
      {revision !== undefined && <p className="soft path">{t('models.revision', { revision })}</p>}
      {fit !== 'fits' && <p className="problem">{fitInWords(model, machine, t, i18n.language)}</p>}
      {fit === 'too-large' && <p className="problem">{t('models.confirmTooLarge')}</p>}
    </ConfirmDialog>
  );
}
