/** What is read aloud by a screen reader, and when? */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const AnnounceContext = createContext<(text: string) => void>(() => {});

/** Says a whole sentence; those still unsaid are not interrupted. */
export const useAnnounce = (): ((text: string) => void) => useContext(AnnounceContext);

/** Sentences kept in the region; older ones have been said. */
const kept = 6;

export function LiveRegion({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<{ id: number; text: string }[]>([]);
  const announce = useCallback((text: string) => {
    setSaid((before) => [...before.slice(1 - kept), { id: (before.at(-1)?.id ?? 0) + 1, text }]);
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="unseen" role="log" aria-live="polite" aria-relevant="additions">
        {said.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </AnnounceContext>
  );
}
