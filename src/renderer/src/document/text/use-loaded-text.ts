/** How does a view get the text that the engine prepared for it? */
import { useEffect, useState } from 'react';

export type LoadedText = { state: 'loading' } | { state: 'loaded'; text: string } | { state: 'failed' };

/** Fetches once for each address; what is no longer wanted is cancelled. */
export function useLoadedText(url: string | undefined): LoadedText {
  const [loaded, setLoaded] = useState<LoadedText & { url?: string }>({ state: 'loading' });
  useEffect(() => {
    if (url === undefined) {
      setLoaded({ state: 'failed' });
      return;
    }
    const abort = new AbortController();
    setLoaded({ state: 'loading', url });
    const load = async (): Promise<LoadedText> => {
      const response = await fetch(url, { signal: abort.signal });
      return response.ok ? { state: 'loaded', text: await response.text() } : { state: 'failed' };
    };
    load().then(
      (result) => setLoaded({ ...result, url }),
      () => {
        if (!abort.signal.aborted) setLoaded({ state: 'failed', url });
      },
    );
    return () => abort.abort();
  }, [url]);
  return loaded.url === url ? loaded : { state: 'loading' };
}
