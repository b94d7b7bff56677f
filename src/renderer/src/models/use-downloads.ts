/** How does the page follow the downloads of models? */
import { useEffect, useState } from 'react';
import { cancelled, toAppError } from '../engine/connection.ts';
import { useConnectionState, useEngine } from '../engine/engine-context.tsx';
import { Downloads } from './downloads.ts';

/** Follows the engine's account. `onEnded`: what the page shows of models may be another now. */
export function useDownloads(onEnded: () => void): Downloads {
  const engine = useEngine();
  const { generation } = useConnectionState();
  const [downloads] = useState(() => new Downloads());
  useEffect(() => {
    if (generation === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      for await (const all of await engine.models.downloads(undefined, { signal })) {
        const { ended } = downloads.get();
        downloads.take(all);
        if (downloads.get().ended !== ended) onEnded();
      }
    };
    follow().catch((error: unknown) => {
      const failure = toAppError(error);
      // The banner speaks of a lost engine; the next opening follows anew.
      if (!cancelled(error, signal) && failure.code !== 'ENGINE_GONE') downloads.fail(failure);
    });
    return () => controller.abort();
  }, [engine, generation, onEnded, downloads]);
  return downloads;
}
