/** How do the rail, the question and the document work together? */
import { Middle } from '../ask/middle.tsx';
import { DocumentPane } from '../document/document-pane.tsx';
import { Rail } from '../library/rail.tsx';
import { Desk } from '../shell/desk.tsx';
import type { Page } from './use-page.ts';

export function ReadingRoom({ page }: { page: Page }) {
  const { library, folders, asking, documents, stops, rail, scope, setScope, setWindow, act } = page;
  return (
    <Desk
      isNarrow={rail.isNarrow}
      rail={
        <Rail
          library={library}
          folders={folders}
          scope={scope}
          onScope={setScope}
          isFolded={rail.isFolded}
          onFold={rail.fold}
          conversationId={asking.state.conversationId}
          onRecall={page.recall}
          onForget={page.forget}
          onLedger={() => setWindow({ what: 'ledger', state: undefined })}
          onSettings={() => setWindow({ what: 'settings' })}
          onAction={act}
        />
      }
      middle={
        <Middle
          asking={asking}
          library={library}
          fieldRef={page.field}
          question={page.question}
          onQuestion={page.setQuestion}
          scope={scope}
          onScope={setScope}
          onAction={act}
          onNotRead={() => setWindow({ what: 'ledger', state: 'failed' })}
        />
      }
      document={
        <DocumentPane
          documents={documents}
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
