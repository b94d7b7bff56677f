/** How far is a download, what is compared, and what if it stopped? */
import { useTranslation } from 'react-i18next';
import type { ModelDownload } from '../../../api/types.ts';
import type { FailureAction } from '../failure-words.ts';
import { FailureNotice } from '../shell/notice.tsx';
import { isUnderWay } from './downloads.ts';
import { downloadInWords, sizeInWords } from './model-words.ts';

export interface DownloadStateProps {
  download: ModelDownload;
  /** Goes on where it stopped. */
  onAgain(): void;
  onAction(action: FailureAction): void;
}

export function DownloadState({ download, onAgain, onAction }: DownloadStateProps) {
  const { t, i18n } = useTranslation();
  const { phase, doneBytes, totalBytes, code, message } = download;
  const share = totalBytes ? Math.min(1, doneBytes / totalBytes) : 0;
  if (phase === 'failed') {
    return (
      <>
        <FailureNotice
          failure={{ code: code ?? 'DOWNLOAD_FAILED', message: message ?? '' }}
          onAction={(action) => (action === 'again' ? onAgain() : onAction(action))}
        />
        <p className="soft">
          {doneBytes > 0
            ? t('models.kept', { done: sizeInWords(doneBytes, i18n.language) })
            : t('models.keptNothing')}
        </p>
        <Promised download={download} />
      </>
    );
  }
  return (
    <div className="download">
      {isUnderWay(download) && (
        <div
          className="bar"
          role="progressbar"
          aria-label={t('models.progressOf', { name: download.name })}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={totalBytes ? Math.round(share * 100) : undefined}
        >
          <i style={{ transform: `scaleX(${share})` }} />
        </div>
      )}
      {/* The bytes change too often to be read aloud; what began or ended is. */}
      <p className="soft" aria-live={phase === 'downloading' ? 'off' : 'polite'}>
        {downloadInWords(download, t, i18n.language)}
      </p>
      <Promised download={download} />
    </div>
  );
}

/** What the host promised: its version and the checksums that the files are compared with. */
function Promised({ download }: { download: ModelDownload }) {
  const { t, i18n } = useTranslation();
  const { revision, files } = download;
  if (revision === undefined && files.length === 0) return null;
  return (
    <details className="promised">
      <summary>{t('models.files')}</summary>
      {revision !== undefined && <p className="path">{t('models.revision', { revision })}</p>}
      <ul>
        {files.map(({ path, sizeBytes, sha256 }) => (
          <li key={path} className="path">
            {t('models.checksum', { path, size: sizeInWords(sizeBytes, i18n.language) })}
            <code>{sha256}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
