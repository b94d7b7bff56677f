/** Which key does what? */

export interface Keys {
  focusQuestion(): void;
  showShortcuts(): void;
  foldRail(): void;
  /** 1: next source; -1: the one before. */
  walk(step: 1 | -1): void;
  /** -1: back through what was read; 1: forward. */
  travel(step: 1 | -1): void;
  zoom(step: 1 | -1 | 0): void;
  /** Looks for words in the open document. */
  find(): void;
  /** 1: next part of the page; -1: the one before. */
  panes(step: 1 | -1): void;
  escape(): void;
}

/** What of a keyboard event decides. */
export interface KeyPress {
  key: string;
  code: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  /** A document is open, and the focus is not in a text field outside it, or this shell has no search of its own. */
  isInDocument: boolean;
}

/**
 * The action that a key asks for, or undefined. Letters go by the key's place too, so that they work in a Cyrillic
 * layout. `isTyping`: the focus takes text, so plain letters belong to it.
 */
export function actionOf(event: KeyPress, isTyping: boolean): ((keys: Keys) => void) | undefined {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isCommand && (event.key.toLowerCase() === 'k' || event.code === 'KeyK'))
    return (keys) => keys.focusQuestion();
  if (isCommand && (event.key === 'b' || event.code === 'KeyB')) return (keys) => keys.foldRail();
  if (isCommand && event.isInDocument && (event.key.toLowerCase() === 'f' || event.code === 'KeyF'))
    return (keys) => keys.find();
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (event.key === 'ArrowLeft') return isTyping ? undefined : (keys) => keys.travel(-1);
    if (event.key === 'ArrowRight') return isTyping ? undefined : (keys) => keys.travel(1);
    return undefined;
  }
  if (event.key === 'F6') return (keys) => keys.panes(event.shiftKey ? -1 : 1);
  if (event.key === 'Escape') return (keys) => keys.escape();
  if (isTyping || isCommand) return undefined;
  if (event.key === '?' || (event.code === 'Slash' && event.shiftKey)) return (keys) => keys.showShortcuts();
  if (event.key === '/' || event.code === 'Slash') return (keys) => keys.focusQuestion();
  if (event.shiftKey && event.key !== '+') return undefined;
  if (event.code === 'KeyN' || event.key === 'n') return (keys) => keys.walk(1);
  if (event.code === 'KeyP' || event.key === 'p') return (keys) => keys.walk(-1);
  if (event.key === '+' || event.key === '=') return (keys) => keys.zoom(1);
  if (event.key === '-') return (keys) => keys.zoom(-1);
  if (event.key === '0') return (keys) => keys.zoom(0);
  return undefined;
}
