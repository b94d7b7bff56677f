/** What does the page say while the engine is away? */
import { useTranslation } from 'react-i18next';
import { useConnection, useConnectionState } from '../engine/engine-context.tsx';

/** Failed openings after which the page stops promising that it comes back by itself. */
const patience = 6;

export function ConnectionBanner() {
  const { t } = useTranslation();
  const connection = useConnection();
  const { phase, failures } = useConnectionState();
  if (phase !== 'lost') return null;
  return (
    <div className="banner" role="status">
      <span>{t(failures > patience ? 'banner.unreachable' : 'banner.gone')}</span>
      <button type="button" className="button" onClick={connection.reconnect}>
        {t('banner.now')}
      </button>
    </div>
  );
}
