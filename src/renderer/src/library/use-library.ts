/** Which folders are there, and how far is reading? */
import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { AppError } from '../../../api/errors.ts';
import type { Conversation, Folder, IndexProgress, Status } from '../../../api/types.ts';
import { cancelled } from '../engine/connection.ts';
import { useConnectionState, useEngine, useReading } from '../engine/engine-context.tsx';

export interface Library {
  /** Undefined until it was read for the first time. */
  status: Status | undefined;
  folders: Folder[];
  /** The folders were read at least once. */
  isKnown: boolean;
  conversations: Conversation[];
  /** By folder, of those at work only. */
  progress: ReadonlyMap<number, IndexProgress>;
  isWorking: boolean;
  error: AppError | undefined;
  refresh(): void;
  refreshConversations(): void;
}

/** Whether a model writes the answers; undefined until it is known. */
export const writesAnswers = ({ status }: Library): boolean | undefined =>
  status?.models.some(({ kind, state }) => kind === 'generator' && state === 'ready');

/** While folders are at work, their counts are read again this often, in milliseconds. */
const refreshMs = 2000;

const isAtWork = (progress: IndexProgress): boolean =>
  progress.phase !== 'done' && progress.phase !== 'cancelled';

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
  const isWorking = progress.size > 0;
  useEffect(() => {
    if (!isWorking) return;
    const timer = setInterval(refresh, refreshMs);
    return () => clearInterval(timer);
  }, [isWorking, refresh]);
  const error = status.error ?? folders.error;
  // The same object while nothing in it changed, so that what shows it is not drawn with every letter that is typed.
  return useMemo(
    () => ({
      status: status.value,
      folders: folders.value ?? [],
      isKnown: folders.value !== undefined,
      conversations: conversations.value ?? [],
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

function useProgress(onRest: () => void): ReadonlyMap<number, IndexProgress> {
  const engine = useEngine();
  const { generation } = useConnectionState();
  const [progress, setProgress] = useState<ReadonlyMap<number, IndexProgress>>(new Map());
  useEffect(() => {
    if (generation === 0) return;
    const controller = new AbortController();
    let atWork = 0;
    const follow = async (): Promise<void> => {
      for await (const latest of await engine.folders.progress(undefined, { signal: controller.signal })) {
        const working = latest.filter(isAtWork);
        // Nobody waits for it: drawn in small pieces between what the user does.
        startTransition(() => setProgress(new Map(working.map((one) => [one.folderId, one]))));
        if (working.length !== atWork) onRest();
        atWork = working.length;
      }
    };
    follow().catch((error: unknown) => {
      // The banner speaks of a lost engine; the next opening follows anew.
      if (!cancelled(error, controller.signal)) setProgress(new Map());
    });
    return () => controller.abort();
  }, [engine, generation, onRest]);
  return progress;
}
