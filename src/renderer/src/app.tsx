/** How do the rail, the question and the document work together? */
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Citation, DocumentState, Hit, Scope } from '../../api/types.ts';
import { documentColours } from './ask/citations.ts';
import { Middle } from './ask/middle.tsx';
import { tidyScope } from './ask/scope.ts';
import { placeOfCitation, placeOfHit, SourcesProvider, samePlace } from './ask/sources.tsx';
import { useAnswer } from './ask/use-answer.ts';
import { DocumentPane } from './document/document-pane.tsx';
import type { PlaceToOpen } from './document/open-documents.ts';
import { useDocuments } from './document/use-documents.ts';
import { useEngine } from './engine/engine-context.tsx';
import type { FailureAction } from './failure-words.ts';
import { LedgerDialog } from './ledger/ledger-dialog.tsx';
import { AddFolderDialog } from './library/add-folder-dialog.tsx';
import { FirstStart } from './library/first-start.tsx';
import { Rail } from './library/rail.tsx';
import { useFolders } from './library/use-folders.ts';
import { useLibrary } from './library/use-library.ts';
import { type PreferenceStore, usePreferences } from './settings/preferences.ts';
import { SettingsDialog } from './settings/settings-dialog.tsx';
import { ConnectionBanner } from './shell/connection-banner.tsx';
import { Desk } from './shell/desk.tsx';
import { Footer } from './shell/footer.tsx';
import { type Keys, useKeys } from './shell/keys.ts';
import { useAnnounce } from './shell/live-region.tsx';
import { ShortcutSheet } from './shell/shortcut-sheet.tsx';
import { useMedia } from './shell/use-media.ts';

type Open =
  | { what: 'none' }
  | { what: 'add' | 'settings' | 'shortcuts' }
  | { what: 'ledger'; state: DocumentState | undefined };

const noHits: Hit[] = [];
const noCitations: Citation[] = [];

export function App({ store }: { store: PreferenceStore }) {
  const { t } = useTranslation();
  const engine = useEngine();
  const announce = useAnnounce();
  const library = useLibrary();
  const [over, setOver] = useState<Open>({ what: 'none' });
  const folders = useFolders(
    library.refresh,
    useCallback(() => setOver({ what: 'add' }), []),
  );
  const asking = useAnswer(library.refreshConversations);
  const documents = useDocuments(library.refresh);
  const [question, setQuestion] = useState('');
  const [scope, setScope] = useState<Scope>({});
  const field = useRef<HTMLTextAreaElement>(null);
  const { isRailFolded } = usePreferences(store);
  const isTight = useMedia('(max-width: 1100px)');
  const isNarrow = useMedia('(max-width: 900px)');
  // Where there is little room the rail begins folded, and being opened there is not remembered.
  const [isTightOpen, setTightOpen] = useState(false);
  const isFolded = isTight ? !isTightOpen : isRailFolded;

  const hits = asking.state.search?.hits ?? noHits;
  const citations = asking.state.answer?.citations ?? noCitations;
  const current = documents.active?.place;
  const stops = useMemo<PlaceToOpen[]>(
    () => (citations.length > 0 ? citations.map(placeOfCitation) : hits.map(placeOfHit)),
    [hits, citations],
  );
  const stopIndex = stops.findIndex((stop) => samePlace(current, stop));
  const colours = useMemo(() => documentColours(hits, citations), [hits, citations]);

  const openPlace = documents.open;
  const open = useCallback(
    (place: PlaceToOpen) => {
      openPlace(place);
      announce(t('announce.opened', { title: place.document.title }));
    },
    [openPlace, announce, t],
  );
  const walk = (step: 1 | -1): void => {
    const from = stopIndex < 0 ? (step === 1 ? -1 : 0) : stopIndex;
    const next = stops[(from + step + stops.length) % stops.length];
    if (next !== undefined) open(next);
  };
  const foldRail = (): void => {
    if (isTight) setTightOpen(!isTightOpen);
    else store.set({ isRailFolded: !isRailFolded });
  };
  const keys = useMemoKeys({
    focusQuestion: () => field.current?.select(),
    showShortcuts: () => setOver({ what: 'shortcuts' }),
    foldRail,
    walk,
    travel: (step) => documents.dispatch({ type: 'travel', step }),
    zoom: (step) => documents.dispatch({ type: 'zoom', step }),
    panes: movePane,
    escape: () => {
      if (asking.state.phase === 'searching' || asking.state.phase === 'answering') asking.stop();
      else if (isNarrow && documents.active) documents.dispatch({ type: 'close', id: documents.active.id });
    },
  });
  useKeys(keys);

  const act = (action: FailureAction): void => {
    folders.dismiss();
    if (action === 'choose') folders.choose();
    else if (action === 'ledger') setOver({ what: 'ledger', state: undefined });
    else if (action === 'settings') setOver({ what: 'settings' });
    else if (action === 'reload') location.reload();
    else library.refresh();
  };
  const close = (): void => {
    setOver({ what: 'none' });
    folders.dismiss();
  };
  const isFirst = library.isKnown && library.folders.length === 0;
  const samplePath = library.status?.samplePath;
  const askAgain = (): void => asking.ask(question, tidyScope(scope), asking.state.isSearchOnly);

  return (
    <SourcesProvider hits={hits} citations={citations} current={current} open={open}>
      <div className="page">
        <ConnectionBanner />
        {isFirst ? (
          <FirstStart
            samplePath={samplePath}
            failure={over.what === 'add' ? undefined : folders.failure}
            onChoose={folders.choose}
            onSample={(path) => void folders.add(path)}
            onAction={act}
          />
        ) : (
          <Desk
            isNarrow={isNarrow}
            rail={
              <Rail
                library={library}
                folders={folders}
                scope={scope}
                onScope={setScope}
                isFolded={isFolded}
                onFold={foldRail}
                conversationId={asking.state.conversationId}
                onRecall={(conversation) => {
                  setQuestion(conversation.question);
                  setScope(conversation.scope ?? {});
                  asking.recall(conversation.id);
                }}
                onForget={(id) => {
                  void engine.conversations.remove({ id }).then(library.refreshConversations, () => {});
                }}
                onLedger={() => setOver({ what: 'ledger', state: undefined })}
                onSettings={() => setOver({ what: 'settings' })}
                onAction={act}
              />
            }
            middle={
              <Middle
                asking={asking}
                library={library}
                fieldRef={field}
                question={question}
                onQuestion={setQuestion}
                scope={scope}
                onScope={setScope}
                onAction={act}
                onNotRead={() => setOver({ what: 'ledger', state: 'failed' })}
              />
            }
            document={
              <DocumentPane
                documents={documents}
                folders={library.folders}
                colourOf={(id) => colours.get(id) ?? 'var(--ink-soft)'}
                stop={{ index: stopIndex + 1, count: stops.length }}
                onWalk={walk}
                onAskAgain={askAgain}
                onAction={act}
                isOver={isNarrow}
              />
            }
          />
        )}
        <Footer
          status={library.status}
          onLedger={(state) => setOver({ what: 'ledger', state })}
          onSettings={() => setOver({ what: 'settings' })}
          onShortcuts={() => setOver({ what: 'shortcuts' })}
        />
        {over.what === 'add' && <AddFolderDialog folders={folders} samplePath={samplePath} onClose={close} />}
        {over.what === 'settings' && <SettingsDialog store={store} status={library.status} onClose={close} />}
        {over.what === 'shortcuts' && <ShortcutSheet onClose={close} />}
        {over.what === 'ledger' && (
          <LedgerDialog
            initialState={over.state}
            onOpen={(row) => {
              close();
              open({ document: row, start: 0, end: 0, anchors: [], quote: '' });
            }}
            onRead={library.refresh}
            onClose={close}
          />
        )}
      </div>
    </SourcesProvider>
  );
}

/** One object for the life of the page that always calls the latest functions. */
function useMemoKeys(latest: Keys): Keys {
  const ref = useRef(latest);
  ref.current = latest;
  return useMemo<Keys>(
    () => ({
      focusQuestion: () => ref.current.focusQuestion(),
      showShortcuts: () => ref.current.showShortcuts(),
      foldRail: () => ref.current.foldRail(),
      walk: (step) => ref.current.walk(step),
      travel: (step) => ref.current.travel(step),
      zoom: (step) => ref.current.zoom(step),
      panes: (step) => ref.current.panes(step),
      escape: () => ref.current.escape(),
    }),
    [],
  );
}

/** Moves the focus to the next of: question, answer, document, library. */
function movePane(step: 1 | -1): void {
  const stops = ['#question', '.scroll', '#document button[role=tab][aria-selected=true]', '#rail button']
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .filter((element) => element !== null);
  const at = stops.findIndex((stop) => stop === document.activeElement || stop.contains(document.activeElement));
  stops[(Math.max(at, step === 1 ? -1 : 0) + step + stops.length) % stops.length]?.focus();
}
