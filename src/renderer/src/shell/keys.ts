/** How are the page's keys heard, wherever the focus is? */
import { useEffect } from 'react';
import { actionOf, type Keys } from './key-actions.ts';

function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])')
  );
}

/** Listens on the window; the frames that hold foreign documents hand their keys on to it. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      const action = actionOf(event, takesText(event.target));
      if (action === undefined) return;
      if (event.key !== 'Escape') event.preventDefault();
      action(keys);
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [keys]);
}
