/** What did this person choose for their eyes, and where is it remembered? */
import { useSyncExternalStore } from 'react';
import { type InterfaceLanguage, interfaceLanguages } from '../language/language.ts';

export const themes = ['system', 'light', 'dark'] as const;
export const readingSizes = ['small', 'normal', 'large', 'largest'] as const;

export interface Preferences {
  language: InterfaceLanguage | 'system';
  theme: (typeof themes)[number];
  readingSize: (typeof readingSizes)[number];
  /** The rail is folded away where there is room for it. */
  isRailFolded: boolean;
}

export const defaultPreferences: Preferences = {
  language: 'system',
  theme: 'system',
  readingSize: 'normal',
  isRailFolded: false,
};

const key = 'lectern.preferences';

/** Keeps of a stored text what is still understood; the rest is as if never chosen. */
export function readPreferences(stored: string | null): Preferences {
  if (stored === null || !stored.startsWith('{')) return defaultPreferences;
  const found = JSON.parse(stored) as Partial<Record<keyof Preferences, unknown>>;
  const pick = <T>(value: unknown, allowed: readonly T[], fallback: T): T =>
    allowed.includes(value as T) ? (value as T) : fallback;
  return {
    language: pick(found.language, ['system', ...interfaceLanguages], defaultPreferences.language),
    theme: pick(found.theme, themes, defaultPreferences.theme),
    readingSize: pick(found.readingSize, readingSizes, defaultPreferences.readingSize),
    isRailFolded: found.isRailFolded === true,
  };
}

/** Holds the preferences of this window and stores every change. */
export class PreferenceStore {
  #value: Preferences;
  readonly #listeners = new Set<() => void>();
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
    this.#value = readPreferences(storage.getItem(key));
  }

  readonly get = (): Preferences => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly set = (change: Partial<Preferences>): void => {
    this.#value = { ...this.#value, ...change };
    this.#storage.setItem(key, JSON.stringify(this.#value));
    for (const listener of this.#listeners) listener();
  };
}

export function usePreferences(store: PreferenceStore): Preferences {
  return useSyncExternalStore(store.subscribe, store.get);
}
