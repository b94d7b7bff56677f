/** What does the page hold, and what happens when something on it is asked for? */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { LedgerFilter } from '../../../api/ledger.ts';
import type { Conversation, Scope } from '../../../api/types.ts';
import { tidyScope } from '../ask/scope.ts';
import { type Asking, useAnswer } from '../ask/use-answer.ts';
import { type Find, useFind } from '../document/find/use-find.ts';
import { type Documents, useDocuments } from '../document/use-documents.ts';
import { useEngine } from '../engine/engine-context.tsx';
import type { FailureAction } from '../failure-words.ts';
import { type FolderActions, useFolders } from '../library/use-folders.ts';
import { type Library, useLibrary, writesAnswers } from '../library/use-library.ts';
import type { Downloads } from '../models/downloads.ts';
import { useDownloads } from '../models/use-downloads.ts';
import type { PreferenceStore } from '../settings/preferences.ts';
import { type RailFold, useRailFold } from './use-rail-fold.ts';
import { type Stops, useStops } from './use-stops.ts';

/** The window that is open over the page. */
export type OpenWindow =
  | { what: 'none' }
  | { what: 'add' | 'settings' | 'models' | 'shortcuts' }
  | { what: 'ledger'; state: LedgerFilter | undefined; scope?: Scope };

export interface Page {
  library: Library;
  /** Of models. */
  downloads: Downloads;
  folders: FolderActions;
  asking: Asking;
  documents: Documents;
  /** What is looked for in the open document. */
  find: Find;
  stops: Stops;
  rail: RailFold;
  field: RefObject<HTMLTextAreaElement | null>;
  /** A question to be put into the field; a new object each time. */
  recalled: { question: string } | undefined;
  scope: Scope;
  setScope(scope: Scope): void;
  window: OpenWindow;
  setWindow(window: OpenWindow): void;
  closeWindow(): void;
  /** Puts the last question again, in the same way. */
  askAgain(): void;
  recall(conversation: Conversation): void;
  forget(conversationId: number): void;
  /** What a failure offers, where the place that shows it has nothing nearer. */
  act(action: FailureAction): void;
}

export function usePage(store: PreferenceStore): Page {
  const engine = useEngine();
  const library = useLibrary();
  const downloads = useDownloads(library.refresh);
  const [openWindow, setWindow] = useState<OpenWindow>({ what: 'none' });
  const askForPath = useCallback(() => setWindow({ what: 'add' }), []);
  const folders = useFolders(library.refresh, askForPath);
  const asking = useAnswer(library.refreshConversations, writesAnswers(library) !== false);
  const documents = useDocuments(library.refresh);
  const find = useFind(documents.state.activeId);
  const { dispatch } = documents;
  const { run } = asking.state;
  // What an earlier question lit is no source of this one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per question
  useEffect(() => {
    dispatch({ type: 'unlight' });
    // Where it lies over the answer, the answer to come is what the reader waits for.
    dispatch({ type: 'step-aside' });
  }, [run, dispatch]);
  const stops = useStops(asking.state, documents);
  const [recalled, setRecalled] = useState<{ question: string }>();
  const [scope, setScope] = useState<Scope>({});
  const field = useRef<HTMLTextAreaElement>(null);
  const rail = useRailFold(store);
  const act = (action: FailureAction): void => {
    folders.dismiss();
    if (action === 'choose') folders.choose();
    else if (action === 'ledger') setWindow({ what: 'ledger', state: undefined });
    else if (action === 'models') setWindow({ what: 'models' });
    else if (action === 'reload') location.reload();
    else library.refresh();
  };
  return {
    library,
    downloads,
    folders,
    asking,
    documents,
    find,
    stops,
    rail,
    field,
    recalled,
    scope,
    setScope,
    window: openWindow,
    setWindow,
    closeWindow: () => {
      setWindow({ what: 'none' });
      folders.dismiss();
    },
    askAgain: () => {
      if (asking.state.question === '') field.current?.focus();
      else asking.ask(asking.state.question, tidyScope(scope), asking.state.isSearchOnly);
    },
    recall: (conversation) => {
      setRecalled({ question: conversation.question });
      setScope(conversation.scope ?? {});
      asking.recall(conversation.id);
    },
    forget: (id) => {
      void engine.conversations.remove({ id }).then(library.refreshConversations, () => {});
    },
    act,
  };
}
