/** What stands in the rail: folders, what narrows the question, earlier questions? */
import { Clock, FolderPlus, ListFilter, PanelLeft, ScrollText, Settings } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation, Folder, Scope } from '../../../api/types.ts';
import type { FailureAction } from '../failure-words.ts';
import { Mark } from '../shell/mark.tsx';
import { FailureNotice } from '../shell/notice.tsx';
import { ConfirmRemove } from './confirm-remove.tsx';
import { EarlierQuestions } from './earlier-questions.tsx';
import { FolderRow } from './folder-row.tsx';
import { NarrowDown } from './narrow-down.tsx';
import type { FolderActions } from './use-folders.ts';
import type { Library } from './use-library.ts';

export interface RailProps {
  library: Library;
  folders: FolderActions;
  scope: Scope;
  onScope(scope: Scope): void;
  isFolded: boolean;
  onFold(): void;
  conversationId: number | undefined;
  onRecall(conversation: Conversation): void;
  onForget(id: number): void;
  onLedger(): void;
  onSettings(): void;
  onAction(action: FailureAction): void;
}

const colours = 6;

export function Rail(props: RailProps) {
  const { library, folders, isFolded, onFold } = props;
  const { t } = useTranslation();
  const foldWords = t(isFolded ? 'rail.unfold' : 'rail.fold');
  return (
    <nav className={isFolded ? 'rail folded' : 'rail'} id="rail" aria-label={t('app.library')}>
      <div className="brand">
        <Mark size={20} />
        <span className="brand-name">{t('app.name')}</span>
        <button
          type="button"
          className="icon"
          aria-expanded={!isFolded}
          aria-controls="rail"
          aria-label={foldWords}
          title={foldWords}
          onClick={onFold}
        >
          <PanelLeft size={16} aria-hidden />
        </button>
      </div>
      <div className="rail-scroll">
        <Folders {...props} />
        {folders.failure && <FailureNotice failure={folders.failure} onAction={props.onAction} />}
        {isFolded ? (
          <div className="rail-part">
            <IconRow words={t('narrow.title')} icon={<ListFilter size={17} aria-hidden />} onClick={onFold} />
            <IconRow words={t('rail.earlier')} icon={<Clock size={17} aria-hidden />} onClick={onFold} />
          </div>
        ) : (
          <>
            <NarrowDown scope={props.scope} onScope={props.onScope} />
            <EarlierQuestions
              conversations={library.conversations}
              currentId={props.conversationId}
              onRecall={props.onRecall}
              onForget={props.onForget}
            />
          </>
        )}
      </div>
      <div className="rail-foot">
        <IconRow
          words={t('rail.ledger')}
          icon={<ScrollText size={16} aria-hidden />}
          onClick={props.onLedger}
        />
        <IconRow
          words={t('rail.settings')}
          icon={<Settings size={16} aria-hidden />}
          onClick={props.onSettings}
        />
      </div>
    </nav>
  );
}

function IconRow({ words, icon, onClick }: { words: string; icon: React.ReactNode; onClick(): void }) {
  return (
    <button type="button" className="row" aria-label={words} title={words} onClick={onClick}>
      {icon}
      <span className="clip">{words}</span>
    </button>
  );
}

function Folders({ library, folders, scope, onScope, isFolded }: RailProps) {
  const { t } = useTranslation();
  const headingId = useId();
  const [removing, setRemoving] = useState<Folder>();
  return (
    <section className="rail-part" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('rail.folders')}</h2>
      <ul>
        {library.folders.map((folder, index) => {
          const isCurrent = scope.folderId === folder.id;
          return (
            <FolderRow
              key={folder.id}
              folder={folder}
              progress={library.progress}
              colour={`var(--doc-${(index % colours) + 1})`}
              isCurrent={isCurrent}
              isFolded={isFolded}
              onChoose={() => onScope({ ...scope, folderId: isCurrent ? undefined : folder.id })}
              onIndex={() => folders.index(folder.id)}
              onCancel={() => folders.cancel(folder.id)}
              onRemove={() => setRemoving(folder)}
            />
          );
        })}
      </ul>
      <button
        type="button"
        className="row add"
        aria-label={t('rail.addFolder')}
        title={t('rail.addFolder')}
        onClick={folders.choose}
      >
        <FolderPlus size={16} aria-hidden />
        <span className="clip">{t('rail.addFolder')}</span>
      </button>
      {removing && (
        <ConfirmRemove
          folder={removing}
          onRemove={() => {
            if (scope.folderId === removing.id) onScope({ ...scope, folderId: undefined });
            folders.remove(removing.id);
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  );
}
