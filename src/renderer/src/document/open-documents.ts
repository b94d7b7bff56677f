/** Which documents are open, at which places, and what was read before? A pure account. */
import type { Anchor } from '../../../api/anchor.ts';
import type { AppError } from '../../../api/errors.ts';
import type { DocumentReference, DocumentView, Place } from '../../../api/types.ts';

/** A place in a document, as a passage or a source names it; `anchors` empty: the document only. */
export interface PlaceToOpen {
  document: Pick<DocumentReference, 'id' | 'title' | 'path' | 'folderId'> & Partial<DocumentReference>;
  start: number;
  end: number;
  anchors: Anchor[];
  quote: string;
  /** The source's number in the answer. */
  number?: number;
}

export interface OpenDocument {
  id: number;
  place: PlaceToOpen;
  view?: DocumentView;
  /** Where the place stands in the file as it is now; undefined until the engine has looked. */
  located?: Place;
  failure?: AppError;
  /** Rises with each opening of a place in this document. */
  visit: number;
  zoom: number;
  /** Where the view says that it stands. */
  placeText: string;
  /** The view could show the place; undefined until it has tried. */
  isLit?: boolean;
  /** Reading the file again on the user's wish. */
  rereading: 'no' | 'running' | 'done';
  /** Rises with each opening, for closing the one unused for longest. */
  usedAt: number;
}

export interface OpenDocuments {
  tabs: OpenDocument[];
  activeId?: number;
  /** Where the document lies over the answer: it steps aside until a place is opened again. */
  isAside: boolean;
  /** Places that were read, oldest first, and where in them the reader is. */
  history: PlaceToOpen[];
  at: number;
  clock: number;
}

export const nothingOpen: OpenDocuments = { isAside: false, tabs: [], history: [], at: -1, clock: 0 };

/** More open documents than this close the one unused for longest. */
export const maxTabs = 8;
/** Places that are remembered. */
const maxHistory = 100;
const zoomStep = 1.2;
const zoomRange = { min: 0.4, max: 4 };

export type DocumentsAction =
  | { type: 'open'; place: PlaceToOpen }
  | { type: 'step-aside' }
  | { type: 'travel'; step: 1 | -1 }
  | { type: 'activate'; id: number }
  | { type: 'close'; id: number }
  | { type: 'viewed'; id: number; view: DocumentView }
  | { type: 'located'; id: number; visit: number; located: Place }
  | { type: 'failed'; id: number; failure: AppError }
  /** Nothing stays lit; the documents stay open where they stand. */
  | { type: 'unlight' }
  | { type: 'zoom'; step: 1 | -1 | 0 }
  | { type: 'stands'; id: number; text: string }
  | { type: 'lit'; id: number; isLit: boolean }
  | { type: 'rereading'; id: number; rereading: OpenDocument['rereading'] };

export function reduceDocuments(state: OpenDocuments, action: DocumentsAction): OpenDocuments {
  switch (action.type) {
    case 'open': {
      const history = [...state.history.slice(0, state.at + 1), action.place].slice(-maxHistory);
      return show({ ...state, isAside: false, history, at: history.length - 1 }, action.place);
    }
    case 'travel': {
      const at = state.at + action.step;
      const place = state.history[at];
      return place === undefined ? state : show({ ...state, isAside: false, at }, place);
    }
    case 'step-aside':
      return { ...state, isAside: true };
    case 'activate':
      return {
        ...change(state, action.id, { usedAt: state.clock + 1 }),
        clock: state.clock + 1,
        activeId: action.id,
        isAside: false,
      };
    case 'close':
      return close(state, action.id);
    case 'viewed':
      return changeWith(state, action.id, (tab) => ({
        view: sameView(tab.view, action.view),
        failure: undefined,
      }));
    case 'located':
      return changeWith(state, action.id, (tab) =>
        tab.visit === action.visit ? { located: action.located } : {},
      );
    case 'failed':
      return change(state, action.id, { failure: action.failure, rereading: 'no' });
    case 'unlight':
      return { ...state, tabs: state.tabs.map(unlit) };
    case 'zoom':
      return changeWith(state, state.activeId, (tab) => ({ zoom: zoomed(tab.zoom, action.step) }));
    case 'stands':
      return change(state, action.id, { placeText: action.text });
    case 'lit':
      return change(state, action.id, { isLit: action.isLit });
    case 'rereading':
      return change(state, action.id, { rereading: action.rereading });
  }
}

function show(state: OpenDocuments, place: PlaceToOpen): OpenDocuments {
  const { id } = place.document;
  const clock = state.clock + 1;
  const known = state.tabs.find((tab) => tab.id === id);
  if (known !== undefined) {
    const again = { place, visit: known.visit + 1, located: undefined, isLit: undefined, usedAt: clock };
    return { ...change(state, id, { ...again, rereading: 'no', failure: undefined }), activeId: id, clock };
  }
  const tab: OpenDocument = { id, place, visit: 1, zoom: 1, placeText: '', rereading: 'no', usedAt: clock };
  const oldest =
    state.tabs.length < maxTabs ? undefined : Math.min(...state.tabs.map(({ usedAt }) => usedAt));
  const tabs = [...state.tabs.filter(({ usedAt }) => usedAt !== oldest), tab];
  return { ...state, tabs, activeId: id, clock };
}

function close(state: OpenDocuments, id: number): OpenDocuments {
  const at = state.tabs.findIndex((tab) => tab.id === id);
  const tabs = state.tabs.filter((tab) => tab.id !== id);
  const next = tabs[Math.min(at, tabs.length - 1)];
  return { ...state, tabs, activeId: state.activeId === id ? next?.id : state.activeId };
}

function unlit(tab: OpenDocument): OpenDocument {
  if (tab.place.anchors.length === 0) return tab;
  const place = { document: tab.place.document, start: 0, end: 0, anchors: [], quote: '' };
  const rereading = tab.rereading === 'done' ? 'no' : tab.rereading;
  return { ...tab, place, located: undefined, isLit: undefined, rereading };
}

function changeWith(
  state: OpenDocuments,
  id: number | undefined,
  by: (tab: OpenDocument) => Partial<OpenDocument>,
): OpenDocuments {
  return { ...state, tabs: state.tabs.map((tab) => (tab.id === id ? { ...tab, ...by(tab) } : tab)) };
}

const change = (state: OpenDocuments, id: number, by: Partial<OpenDocument>): OpenDocuments =>
  changeWith(state, id, () => by);

/** The same object when nothing that a view depends on changed, so that it is not drawn anew. */
function sameView(before: DocumentView | undefined, after: DocumentView): DocumentView {
  if (before === undefined) return after;
  const isSame =
    before.originalUrl === after.originalUrl &&
    before.viewUrl === after.viewUrl &&
    before.isChanged === after.isChanged &&
    before.document.modifiedAtMs === after.document.modifiedAtMs &&
    before.document.sizeBytes === after.document.sizeBytes;
  return isSame ? before : after;
}

function zoomed(zoom: number, step: 1 | -1 | 0): number {
  if (step === 0) return 1;
  return Math.min(zoomRange.max, Math.max(zoomRange.min, zoom * zoomStep ** step));
}

/** What may be lit now. A changed file is lit only where the engine found the words again: never a wrong place. */
export function placesToLight(tab: OpenDocument): { anchors: Anchor[]; quote: string } {
  if (tab.located !== undefined && tab.located.state !== 'same') {
    return tab.located.state === 'lost'
      ? nothing
      : { anchors: tab.located.anchors, quote: tab.located.quote };
  }
  if (tab.view === undefined || tab.view.isChanged || tab.rereading === 'done') return nothing;
  return { anchors: tab.place.anchors, quote: tab.place.quote };
}

const nothing: { anchors: Anchor[]; quote: string } = { anchors: [], quote: '' };
