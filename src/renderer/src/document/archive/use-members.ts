/** How does a list of documents inside another open them? */
import { useEffect } from 'react';

/** Answers clicks, and Enter, on what names a document inside the one that a frame shows. */
export function useMembers(
  frame: Document | undefined,
  onMember: ((name: string) => void) | undefined,
): void {
  useEffect(() => {
    if (!frame || !onMember) return;
    const open = (event: Event): void => {
      if (event instanceof (frame.defaultView?.KeyboardEvent ?? KeyboardEvent) && event.key !== 'Enter')
        return;
      const target = event.target as Element | null;
      const name = target?.closest?.('[data-member]')?.getAttribute('data-member');
      if (name) onMember(name);
    };
    frame.addEventListener('click', open);
    frame.addEventListener('keydown', open);
    return () => {
      frame.removeEventListener('click', open);
      frame.removeEventListener('keydown', open);
    };
  }, [frame, onMember]);
}
