/** Which folders are there, and how far is reading? */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { AppError } from '../../../api/errors.ts';
import type { Conversation, Folder, Status } from '../../../api/types.ts';
import { cancelled } from '../engine/connection.ts';
import { useConnectionState, useEngine, useReading } from '../engine/engine-context.tsx';
import { FolderProgress } from './folder-progress.ts';

export interface Library {
  /** Undefined until it was read for the first time. */
  status: Status | undefined;
  folders: Folder[];
  /** The folders were read at least once. */
  isKnown: boolean;
  conversations: Conversation[];
  /** Of the folders at work; the same object always, whoever shows it subscribes to it. */
  progress: FolderProgress;
  isWorking: boolean;
  error: AppError | undefined;
  refresh(): void;
  refreshConversations(): void;
}

/** Whether a model writes the answers; undefined until it is known. */
export const writesAnswers = ({ status }: Library): boolean | undefined =>
  status?.models.some(({ kind, state }) => kind === 'generator' && state === 'ready');

/** While folders are at work, their counts are read again this often, in milliseconds; and while words of pictures are recognised. */
const refreshMs = 2000;
const waitingRefreshMs = 10_000;

const noFolders: Folder[] = [];
const noConversations: Conversation[] = [];

export function useLibrary(): Library {
  const status = useReading('status', (engine, signal) => engine.status(undefined, { signal }));
  const folders = useReading('folders', (engine, signal) => engine.folders.list(undefined, { signal }));
  const conversations = useReading('conversations', (engine, signal) =>
    engine.conversations.list({ limit: 200 }, { signal }),
  );
  const refreshStatus = status.refresh;
  const refreshFolders = folders.refresh;
  const refresh = useRef(() => {
    refreshStatus();
    refreshFolders();
  }).current;
  const progress = useProgress(refresh);
  const isWorking = useSyncExternalStore(progress.subscribe, () => progress.count() > 0);
  const isWaiting = (status.value?.counts.waiting ?? 0) > 0;
  useEffect(() => {
    if (!isWorking && !isWaiting) return;
    const timer = setInterval(refresh, isWorking ? refreshMs : waitingRefreshMs);
    return () => clearInterval(timer);
  }, [isWorking, isWaiting, refresh]);
  const error = status.error ?? folders.error;
  // The same object while nothing in it changed, so that what shows it is not drawn with every letter that is typed.
  return useMemo(
    () => ({
      status: status.value,
      folders: folders.value ?? noFolders,
      isKnown: folders.value !== undefined,
      conversations: conversations.value ?? noConversations,
      progress,
      isWorking,
      error,
      refresh,
      refreshConversations: conversations.refresh,
    }),
    [
      status.value,
      folders.value,
      conversations.value,
      progress,
      isWorking,
      error,
      refresh,
      conversations.refresh,
    ],
  );
}

/** Follows the engine's account of the folders at work. `onRest`: one of them began or ended. */
function useProgress(onRest: () => void): FolderProgress {
  const engine = useEngine();
  const { generation } = useConnectionState();
  const [progress] = useState(() => new FolderProgress());
  useEffect(() => {
    if (generation === 0) return;
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const latest of await engine.folders.progress(undefined, { signal: controller.signal })) {
        const atWork = progress.count();
        progress.take(latest);
        if (progress.count() !== atWork) onRest();
      }
    };
    follow().catch((error: unknown) => {
      // The banner speaks of a lost engine; the next opening follows anew.
      if (!cancelled(error, controller.signal)) progress.take([]);
    });
    return () => controller.abort();
  }, [engine, generation, onRest, progress]);
  return progress;
}
