/** Are places opened, walked back and lit as they must be? */
import { describe, expect, it } from 'vitest';
import type { DocumentView } from '../../../src/api/types.ts';
import {
  type DocumentsAction,
  maxTabs,
  nothingOpen,
  type OpenDocument,
  type PlaceToOpen,
  placesToLight,
  reduceDocuments,
} from '../../../src/renderer/src/document/open-documents.ts';

const place = (id: number, start = 0): PlaceToOpen => ({
  document: { id, folderId: 1, path: `${id}.txt`, title: `Document ${id}` },
  start,
  end: start + 10,
  anchors: [{ kind: 'lines', from: start + 1, to: start + 1 }],
  quote: 'words',
});

const view = (id: number, isChanged: boolean): DocumentView => ({
  document: {
    id,
    folderId: 1,
    path: `${id}.txt`,
    title: '',
    kind: 'text',
    state: 'indexed',
    ledgerState: 'indexed',
    sizeBytes: 1,
    modifiedAtMs: 1,
    language: 'en',
    isArchived: false,
    warnings: [],
  },
  absolutePath: `/${id}.txt`,
  originalUrl: `/documents/${id}/original`,
  isChanged,
  sheets: [],
});

const stateAfter = (...actions: DocumentsAction[]) => actions.reduce(reduceDocuments, nothingOpen);
const open = (id: number, start?: number): DocumentsAction => ({ type: 'open', place: place(id, start) });

describe('open documents', () => {
  it('have one tab each, and a new place in a known one is another visit', () => {
    const state = stateAfter(open(1), open(2), open(1, 50));
    expect(state.tabs.map(({ id }) => id)).toEqual([1, 2]);
    expect(state.activeId).toBe(1);
    expect(state.tabs[0]?.visit).toBe(2);
    expect(state.tabs[0]?.place.start).toBe(50);
  });

  it('close the one unused for longest when there are too many', () => {
    const many = Array.from({ length: maxTabs }, (_, index) => open(index + 1));
    const state = stateAfter(...many, { type: 'activate', id: 1 }, open(99));
    expect(state.tabs).toHaveLength(maxTabs);
    expect(state.tabs.map(({ id }) => id)).toContain(1);
    expect(state.tabs.map(({ id }) => id)).not.toContain(2);
  });

  it('walk back and forward through what was read, and a new place ends the way forward', () => {
    const back = stateAfter(
      open(1),
      open(2),
      open(3),
      { type: 'travel', step: -1 },
      { type: 'travel', step: -1 },
    );
    expect(back.activeId).toBe(1);
    expect(reduceDocuments(back, { type: 'travel', step: -1 })).toBe(back);
    expect(reduceDocuments(back, { type: 'travel', step: 1 }).activeId).toBe(2);
    const elsewhere = reduceDocuments(back, open(4));
    expect(reduceDocuments(elsewhere, { type: 'travel', step: 1 })).toBe(elsewhere);
  });

  it('show the neighbour when the active one is closed', () => {
    expect(stateAfter(open(1), open(2), { type: 'close', id: 2 }).activeId).toBe(1);
    expect(stateAfter(open(1), { type: 'close', id: 1 }).activeId).toBeUndefined();
  });

  it('drop what the engine found for an earlier visit', () => {
    const located = { state: 'lost' as const, anchors: [], quote: '' };
    const state = stateAfter(open(1), open(1, 50), { type: 'located', id: 1, visit: 1, located });
    expect(state.tabs[0]?.located).toBeUndefined();
  });
});

describe('what is lit', () => {
  const tab = (...actions: DocumentsAction[]): OpenDocument => stateAfter(open(1), ...actions).tabs[0]!;
  const lit = [{ kind: 'lines', from: 1, to: 1 }];
  const found = {
    state: 'moved' as const,
    anchors: [{ kind: 'lines' as const, from: 9, to: 9 }],
    quote: 'w',
  };

  it('is the cited place in a file that is as it was', () => {
    expect(placesToLight(tab({ type: 'viewed', id: 1, view: view(1, false) })).anchors).toEqual(lit);
  });

  it('is nothing in a changed file until the words were found', () => {
    expect(placesToLight(tab({ type: 'viewed', id: 1, view: view(1, true) })).anchors).toEqual([]);
  });

  it('is the new place where the words moved, and nothing where they are lost', () => {
    const viewed: DocumentsAction = { type: 'viewed', id: 1, view: view(1, true) };
    expect(placesToLight(tab(viewed, { type: 'located', id: 1, visit: 1, located: found })).anchors).toEqual(
      found.anchors,
    );
    const lost = { state: 'lost' as const, anchors: [], quote: '' };
    expect(placesToLight(tab(viewed, { type: 'located', id: 1, visit: 1, located: lost })).anchors).toEqual(
      [],
    );
  });

  it('is nothing after the file was read anew: the range is of the text before', () => {
    const reread: DocumentsAction = { type: 'rereading', id: 1, rereading: 'done' };
    expect(placesToLight(tab({ type: 'viewed', id: 1, view: view(1, false) }, reread)).anchors).toEqual([]);
  });
});

describe('a new question', () => {
  it('lights nothing of the earlier one, and keeps the document and the way back', () => {
    const opened = reduceDocuments(nothingOpen, { type: 'open', place: place(1, 40) });
    const viewed = reduceDocuments(opened, { type: 'viewed', id: 1, view: view(1, false) });
    const unlit = reduceDocuments(viewed, { type: 'unlight' });
    expect(unlit.activeId).toBe(1);
    expect(placesToLight(unlit.tabs[0]!).anchors).toEqual([]);
    expect(unlit.tabs[0]!.visit).toBe(viewed.tabs[0]!.visit);
    expect(unlit.history).toEqual([place(1, 40)]);
    expect(reduceDocuments(unlit, { type: 'unlight' }).tabs[0]).toBe(unlit.tabs[0]);
  });
});
