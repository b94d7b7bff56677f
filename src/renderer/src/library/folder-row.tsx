/** How does a folder of the library show its state, and what can be done with it? */
import { Ellipsis } from 'lucide-react';
import { useMemo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Folder, IndexProgress } from '../../../api/types.ts';
import { Menu } from '../shell/menu.tsx';
import { durationInWords } from './duration-in-words.ts';
import type { FolderProgress } from './folder-progress.ts';

export interface FolderRowProps {
  folder: Folder;
  progress: FolderProgress;
  colour: string;
  isCurrent: boolean;
  /** Only the dot is shown. */
  isFolded: boolean;
  onChoose(): void;
  onIndex(): void;
  onCancel(): void;
  onRemove(): void;
}

export function FolderRow(props: FolderRowProps) {
  const { folder, colour, isCurrent, isFolded, onChoose } = props;
  const { t } = useTranslation();
  const { number, percent } = useNumbers();
  const progress = useSyncExternalStore(props.progress.subscribe, () => props.progress.of(folder.id));
  const share = progress && progress.found > 0 ? Math.min(1, progress.processed / progress.found) : 0;
  const isReading = progress?.phase === 'reading';
  const aside = isReading
    ? percent.format(share)
    : folder.isUnreachable
      ? t('rail.unreachable')
      : number.format(folder.counts.indexed);
  return (
    <li className="folder">
      <button
        type="button"
        className="row"
        aria-current={isCurrent ? 'true' : undefined}
        aria-label={isFolded ? folder.name : undefined}
        title={folder.isUnreachable ? t('rail.unreachableHelp') : folder.path}
        onClick={onChoose}
      >
        <span className="dot" style={{ background: colour }} />
        <span className="clip">{folder.name}</span>
        <span className="n">{aside}</span>
      </button>
      <Menu
        label={t('rail.folderMenu', { name: folder.name })}
        icon={<Ellipsis size={15} aria-hidden />}
        items={[
          progress === undefined
            ? { label: t('rail.readAgain'), run: props.onIndex }
            : { label: t('rail.stop'), run: props.onCancel },
          { label: t('rail.remove'), run: props.onRemove },
        ]}
      />
      {progress && <Bar folder={folder} progress={progress} share={share} />}
    </li>
  );
}

/** Made once per language: making a formatter costs more than drawing the row. */
function useNumbers(): { number: Intl.NumberFormat; percent: Intl.NumberFormat } {
  const { i18n } = useTranslation();
  return useMemo(
    () => ({
      number: new Intl.NumberFormat(i18n.language),
      percent: new Intl.NumberFormat(i18n.language, { style: 'percent' }),
    }),
    [i18n.language],
  );
}

interface BarProps {
  folder: Folder;
  progress: IndexProgress;
  /** 0 to 1. */
  share: number;
}

function Bar({ folder, progress, share }: BarProps) {
  const { t } = useTranslation();
  const isReading = progress.phase === 'reading';
  return (
    <div className="folder-progress">
      <div
        className="bar"
        role="progressbar"
        aria-label={folder.name}
        aria-valuemin={0}
        aria-valuemax={progress.found}
        aria-valuenow={isReading ? progress.processed : undefined}
      >
        <i style={{ transform: `scaleX(${share})` }} />
      </div>
      <p className="soft clip" title={progress.current.join('\n')}>
        {progressInWords(progress, t)}
      </p>
    </div>
  );
}

function progressInWords(progress: IndexProgress, t: ReturnType<typeof useTranslation>['t']): string {
  if (progress.phase === 'scanning') return t('rail.scanning');
  if (progress.phase === 'finishing') return t('rail.finishing');
  const { processed, found, remainingMs } = progress;
  if (remainingMs === undefined) return t('rail.reading', { processed, found });
  return t('rail.readingTime', { processed, found, time: durationInWords(remainingMs, t) });
}
