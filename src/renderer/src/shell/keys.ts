/** How are the page's keys heard, wherever the focus is? */
import { useEffect } from 'react';
import { actionOf, type Keys } from './key-actions.ts';
import { desktop } from './platform.ts';

function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])')
  );
}

/** A browser looks through its whole page by itself: that stays what it does while a question is being typed. */
function standsInDocument(target: EventTarget | null): boolean {
  const pane = document.querySelector('#document:not(.empty)');
  if (pane === null) return false;
  return desktop() !== undefined || (target instanceof Node && pane.contains(target)) || !takesText(target);
}

/** Listens on the window; the frames that hold foreign documents hand their keys on to it. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      const { key, code, altKey, ctrlKey, metaKey, shiftKey } = event;
      const isInDocument = standsInDocument(event.target);
      const press = { key, code, altKey, ctrlKey, metaKey, shiftKey, isInDocument };
      const action = actionOf(press, takesText(event.target));
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
