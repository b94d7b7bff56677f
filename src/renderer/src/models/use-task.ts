/** How is one thing done at a time, and what is said when it fails? */
import { useCallback, useState } from 'react';
import type { AppError } from '../../../api/errors.ts';
import { toAppError } from '../engine/connection.ts';

export interface Task<What extends string> {
  /** What is being done now. */
  doing: What | undefined;
  /** Why the last one failed, until the next. */
  failure: AppError | undefined;
  /** Whether it was done. */
  run(what: What, work: () => Promise<unknown>): Promise<boolean>;
  /** Forgets the failure. */
  dismiss(): void;
}

export function useTask<What extends string>(): Task<What> {
  const [doing, setDoing] = useState<What>();
  const [failure, setFailure] = useState<AppError>();
  const run = useCallback(async (what: What, work: () => Promise<unknown>): Promise<boolean> => {
    setDoing(what);
    setFailure(undefined);
    return work()
      .then(
        () => true,
        (error: unknown) => {
          setFailure(toAppError(error));
          return false;
        },
      )
      .finally(() => setDoing(undefined));
  }, []);
  return { doing, failure, run, dismiss: useCallback(() => setFailure(undefined), []) };
}
