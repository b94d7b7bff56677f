/** What does somebody see who has no folder yet? */
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../api/errors.ts';
import type { Status } from '../../../api/types.ts';
import type { FailureAction } from '../failure-words.ts';
import { Mark } from '../shell/mark.tsx';
import { FailureNotice } from '../shell/notice.tsx';

export interface FirstStartProps {
  status: Status | undefined;
  failure: AppError | undefined;
  onChoose(): void;
  onSample(path: string): void;
  onModels(): void;
  onAction(action: FailureAction): void;
}

export function FirstStart(props: FirstStartProps) {
  const { status, failure, onChoose, onSample, onModels, onAction } = props;
  const { t } = useTranslation();
  const samplePath = status?.samplePath;
  return (
    <main className="first">
      <Mark size={56} />
      <h1>{t('first.sentence')}</h1>
      <div className="first-choices">
        <button type="button" className="go large" onClick={onChoose}>
          {t('first.choose')}
        </button>
        {samplePath !== undefined && (
          <button type="button" className="button large" onClick={() => onSample(samplePath)}>
            {t('first.sample')}
          </button>
        )}
      </div>
      {failure && <FailureNotice failure={failure} onAction={onAction} />}
      <div className="first-foot">
        {status && (
          <p className="soft">
            {t(`first.${status.method}`)}{' '}
            <button type="button" className="link" onClick={onModels}>
              {t('first.models')}
            </button>
          </p>
        )}
        <p className="soft">{t('first.private')}</p>
      </div>
    </main>
  );
}
