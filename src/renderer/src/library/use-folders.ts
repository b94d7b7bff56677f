/** How are folders added, read again and removed, and what does the page say when that fails? */
import { useCallback, useState } from 'react';
import type { AppError } from '../../../api/errors.ts';
import { toAppError } from '../engine/connection.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { desktop } from '../shell/platform.ts';

export interface FolderActions {
  /** The last failure, until the next action. */
  failure: AppError | undefined;
  dismiss(): void;
  /** Asks for a folder in the way of this shell: the system's picker, or a dialog for its path. */
  choose(): void;
  add(path: string): Promise<boolean>;
  index(id: number): void;
  cancel(id: number): void;
  remove(id: number): void;
}

export function useFolders(onChanged: () => void, askForPath: () => void): FolderActions {
  const engine = useEngine();
  const [failure, setFailure] = useState<AppError>();

  const run = useCallback(
    async (work: () => Promise<unknown>): Promise<boolean> => {
      setFailure(undefined);
      return work().then(
        () => {
          onChanged();
          return true;
        },
        (error: unknown) => {
          setFailure(toAppError(error));
          return false;
        },
      );
    },
    [onChanged],
  );

  const add = useCallback((path: string) => run(() => engine.folders.add({ path })), [engine, run]);

  const choose = useCallback(() => {
    const shell = desktop();
    if (shell === undefined) {
      setFailure(undefined);
      askForPath();
      return;
    }
    void run(async () => {
      const path = await shell.pickFolder();
      if (path !== undefined) await engine.folders.add({ path });
    });
  }, [engine, run, askForPath]);

  return {
    failure,
    dismiss: useCallback(() => setFailure(undefined), []),
    choose,
    add,
    index: useCallback((id: number) => void run(() => engine.folders.index({ id })), [engine, run]),
    cancel: useCallback((id: number) => void run(() => engine.folders.cancel({ id })), [engine, run]),
    remove: useCallback((id: number) => void run(() => engine.folders.remove({ id })), [engine, run]),
  };
}
