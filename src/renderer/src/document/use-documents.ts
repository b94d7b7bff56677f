/** How are documents opened, found again and read anew? */
import { useCallback, useEffect, useMemo, useReducer } from 'react';
import { memberPath } from '../../../api/member-path.ts';
import type { DocumentRow } from '../../../api/types.ts';
import { cancelled, toAppError } from '../engine/connection.ts';
import { useConnectionState, useEngine } from '../engine/engine-context.tsx';
import {
  type DocumentsAction,
  nothingOpen,
  type OpenDocument,
  type OpenDocuments,
  type PlaceToOpen,
  reduceDocuments,
} from './open-documents.ts';

/** Longest part of a path that the list looks for. */
const maxText = 1000;

export interface Documents {
  state: OpenDocuments;
  active: OpenDocument | undefined;
  open(place: PlaceToOpen): void;
  /** Opens a document inside another, where the library has it. */
  openMember(holder: DocumentRow, name: string): void;
  /** Reads the file again, whether or not it changed, and shows it as it is now. */
  readAgain(id: number): void;
  dispatch(action: DocumentsAction): void;
}

export function useDocuments(onRead: () => void): Documents {
  const engine = useEngine();
  const { generation } = useConnectionState();
  const [state, dispatch] = useReducer(reduceDocuments, nothingOpen);
  const active = state.tabs.find((tab) => tab.id === state.activeId);
  const id = active?.id;
  const visit = active?.visit ?? 0;
  const place = active?.place;

  // One opening: its view, and where its words stand in the file as it is now. The engine's return asks again.
  useEffect(() => {
    if (id === undefined || place === undefined || generation === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    const fail = (error: unknown): void => {
      const failure = toAppError(error);
      if (!cancelled(error, signal) && failure.code !== 'ENGINE_GONE')
        dispatch({ type: 'failed', id, failure });
    };
    engine.documents.view({ id }, { signal }).then((view) => {
      if (!signal.aborted) dispatch({ type: 'viewed', id, view });
    }, fail);
    if (place.anchors.length > 0) {
      engine.documents.locate({ id, start: place.start, end: place.end }, { signal }).then((located) => {
        if (!signal.aborted) dispatch({ type: 'located', id, visit, located });
      }, fail);
    }
    return () => controller.abort();
  }, [engine, generation, id, visit, place]);

  const open = useCallback((to: PlaceToOpen) => dispatch({ type: 'open', place: to }), []);

  const openMember = useCallback(
    ({ id: holderId, folderId, path }: DocumentRow, name: string) => {
      const wanted = memberPath(path, name);
      const work = async (): Promise<void> => {
        // The list looks for a part of a path: what lies deeper comes behind.
        const { rows } = await engine.documents.list({ folderId, text: wanted.slice(-maxText), limit: 200 });
        const document = rows.find((row) => row.path === wanted);
        if (document)
          dispatch({ type: 'open', place: { document, start: 0, end: 0, anchors: [], quote: '' } });
      };
      work().catch((error: unknown) => {
        dispatch({ type: 'failed', id: holderId, failure: toAppError(error) });
      });
    },
    [engine],
  );

  const readAgain = useCallback(
    (documentId: number) => {
      dispatch({ type: 'rereading', id: documentId, rereading: 'running' });
      const work = async (): Promise<void> => {
        await engine.documents.retry({ id: documentId });
        dispatch({ type: 'rereading', id: documentId, rereading: 'done' });
        dispatch({ type: 'viewed', id: documentId, view: await engine.documents.view({ id: documentId }) });
        onRead();
      };
      work().catch((error: unknown) => {
        dispatch({ type: 'failed', id: documentId, failure: toAppError(error) });
      });
    },
    [engine, onRead],
  );

  return useMemo(
    () => ({ state, active, open, openMember, readAgain, dispatch }),
    [state, active, open, openMember, readAgain],
  );
}
