/** How does the original stand beside the answer? */
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Folder } from '../../../api/types.ts';
import { useEngine } from '../engine/engine-context.tsx';
import type { FailureAction } from '../failure-words.ts';
import { Mark } from '../shell/mark.tsx';
import { FailureNotice, Notice } from '../shell/notice.tsx';
import { DocumentTabs, tabId } from './document-tabs.tsx';
import { DocumentTools } from './document-tools.tsx';
import { DocumentView } from './document-view.tsx';
import { FindBar } from './find/find-bar.tsx';
import type { Find } from './find/use-find.ts';
import { type OpenDocument, placesToLight } from './open-documents.ts';
import type { Documents } from './use-documents.ts';

export interface DocumentPaneProps {
  documents: Documents;
  find: Find;
  folders: Folder[];
  colourOf(documentId: number): string;
  stop: { index: number; count: number } | undefined;
  onWalk(step: 1 | -1): void;
  onAskAgain(): void;
  onAction(action: FailureAction): void;
  /** The pane slides over the page instead of standing beside it. */
  isOver: boolean;
}

export function DocumentPane(props: DocumentPaneProps) {
  const { documents, find, folders, isOver } = props;
  const { state, active, dispatch } = documents;
  const { t } = useTranslation();
  if (active === undefined) return isOver ? null : <EmptyPane />;
  const folder = folders.find(({ id }) => id === active.place.document.folderId);
  return (
    <section
      className={isOver ? 'doc over' : 'doc'}
      id="document"
      aria-label={t('app.original')}
      hidden={isOver && documents.state.isAside}
    >
      <DocumentTabs
        tabs={state.tabs}
        activeId={state.activeId}
        colourOf={props.colourOf}
        onActivate={(id) => dispatch({ type: 'activate', id })}
        onClose={(id) => dispatch({ type: 'close', id })}
      />
      <DocumentTools
        tab={active}
        folderName={folder?.name}
        stop={props.stop}
        onWalk={props.onWalk}
        onZoom={(step) => dispatch({ type: 'zoom', step })}
        onFind={find.open}
        onClose={() => dispatch({ type: 'close', id: active.id })}
      />
      {find.isOpen && <FindBar find={find} onLeave={focusDocument} />}
      <PlaceNotice {...props} tab={active} />
      <div className="doc-body" role="tabpanel" id="document-panel" aria-labelledby={tabId(active.id)}>
        <Body key={active.id} tab={active} documents={documents} find={find} onAction={props.onAction} />
      </div>
    </section>
  );
}

/** The keys go to what is read again, not to the top of the page. */
function focusDocument(): void {
  document.querySelector<HTMLElement>('#document-panel :is([tabindex="0"], iframe)')?.focus();
}

function EmptyPane() {
  const { t } = useTranslation();
  return (
    <section className="doc empty" id="document" aria-label={t('app.original')}>
      <Mark size={44} />
      <p className="strong">{t('doc.emptyTitle')}</p>
      <p className="soft">{t('doc.emptyHelp')}</p>
    </section>
  );
}

/** What is to be said of the place before the document itself: it moved, it is gone, it was read again. */
function PlaceNotice({ tab, documents, onAskAgain }: DocumentPaneProps & { tab: OpenDocument }) {
  const { t } = useTranslation();
  if (tab.failure !== undefined) return null;
  const again = { label: t('doc.readAgain'), run: () => documents.readAgain(tab.id) };
  if (tab.rereading === 'running') return <Notice>{t('doc.readingAgain')}</Notice>;
  if (tab.rereading === 'done') {
    return <Notice action={{ label: t('doc.askAgain'), run: onAskAgain }}>{t('doc.wasRead')}</Notice>;
  }
  if (tab.located?.state === 'moved') return <Notice action={again}>{t('doc.moved')}</Notice>;
  if (tab.located?.state === 'lost') {
    return (
      <Notice tone="amber" action={again}>
        {t('doc.lost')}
      </Notice>
    );
  }
  if (tab.isLit === false && tab.place.anchors.length > 0) return <Notice>{t('doc.notLit')}</Notice>;
  return null;
}

interface BodyProps {
  tab: OpenDocument;
  documents: Documents;
  find: Find;
  onAction(action: FailureAction): void;
}

function Body({ tab, documents, find, onAction }: BodyProps) {
  const { t } = useTranslation();
  const engine = useEngine();
  const { id } = tab;
  const { dispatch, readAgain, openMember } = documents;
  const loadRows = useCallback(
    (sheet: string, from: number, count: number) => engine.documents.rows({ id, sheet, from, count }),
    [engine, id],
  );
  const onPlace = useCallback((text: string) => dispatch({ type: 'stands', id, text }), [dispatch, id]);
  const onLit = useCallback((isLit: boolean) => dispatch({ type: 'lit', id, isLit }), [dispatch, id]);
  const holder = tab.view?.document;
  const onMember = useCallback(
    (name: string) => holder !== undefined && openMember(holder, name),
    [openMember, holder],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is lit depends on these alone; a new object would scroll again
  const light = useMemo(() => placesToLight(tab), [tab.place, tab.view, tab.located, tab.rereading]);
  if (tab.failure !== undefined) {
    return (
      <FailureNotice
        failure={tab.failure}
        onAction={(action) =>
          action === 'read-again' || action === 'again' ? readAgain(id) : onAction(action)
        }
      />
    );
  }
  if (tab.view === undefined) return <p className="doc-note">{t('doc.loading')}</p>;
  return (
    <DocumentView
      view={tab.view}
      anchors={light.anchors}
      quote={light.quote}
      visit={tab.visit}
      zoom={tab.zoom}
      loadRows={loadRows}
      onPlace={onPlace}
      onLit={onLit}
      onMember={onMember}
      find={find.request}
      onFound={find.onFound}
    />
  );
}
