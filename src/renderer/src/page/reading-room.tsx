/** How do the rail, the question and the document work together? */
import { type ReactNode, useMemo, useRef } from 'react';
import { Middle } from '../ask/middle.tsx';
import { DocumentPane } from '../document/document-pane.tsx';
import { Rail } from '../library/rail.tsx';
import { Desk } from '../shell/desk.tsx';
import type { Page } from './use-page.ts';

export function ReadingRoom({ page }: { page: Page }) {
  const { library, asking, documents, stops, rail, scope, setScope, setWindow, act } = page;
  const side = useRail(page);
  return (
    <Desk
      isNarrow={rail.isNarrow}
      rail={side}
      middle={
        <Middle
          asking={asking}
          library={library}
          fieldRef={page.field}
          recalled={page.recalled}
          scope={scope}
          onScope={setScope}
          onAction={act}
          onNotRead={(asked) => setWindow({ what: 'ledger', state: 'incomplete', scope: asked })}
        />
      }
      document={
        <DocumentPane
          documents={documents}
          find={page.find}
          folders={library.folders}
          colourOf={stops.colourOf}
          stop={stops.stop}
          onWalk={stops.walk}
          onAskAgain={page.askAgain}
          onAction={act}
          isOver={rail.isNarrow}
        />
      }
    />
  );
}

/** The rail, drawn anew only when something that it shows changed: not with every piece of an answer. */
function useRail(page: Page): ReactNode {
  const latest = useRef(page);
  latest.current = page;
  const { library, folders, scope, rail, asking } = page;
  const { conversationId } = asking.state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the folders only the failure is shown; what is done reads the latest page
  return useMemo(
    () => (
      <Rail
        library={library}
        folders={folders}
        scope={scope}
        onScope={(next) => latest.current.setScope(next)}
        isFolded={rail.isFolded}
        onFold={() => latest.current.rail.fold()}
        conversationId={conversationId}
        onRecall={(conversation) => latest.current.recall(conversation)}
        onForget={(id) => latest.current.forget(id)}
        onLedger={() => latest.current.setWindow({ what: 'ledger', state: undefined })}
        onSettings={() => latest.current.setWindow({ what: 'settings' })}
        onAction={(action) => latest.current.act(action)}
      />
    ),
    [library, folders.failure, scope, rail.isFolded, conversationId],
  );
}
