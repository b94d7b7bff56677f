/** How do the preferences reach the page's root? */
import type { i18n } from 'i18next';
import { systemLanguage } from '../language/language.ts';
import type { PreferenceStore } from './preferences.ts';

/** Keeps the root's theme, language and reading size in step with the preferences and the system. */
export function followPreferences(store: PreferenceStore, language: i18n): void {
  const root = document.documentElement;
  const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const { theme, readingSize, language: wanted } = store.get();
    root.dataset.theme = theme === 'system' ? (prefersDark.matches ? 'dark' : 'light') : theme;
    root.dataset.size = readingSize;
    const spoken = wanted === 'system' ? systemLanguage(navigator.languages) : wanted;
    root.lang = spoken;
    if (language.language !== spoken) void language.changeLanguage(spoken);
  };
  apply();
  store.subscribe(apply);
  prefersDark.addEventListener('change', apply);
  window.addEventListener('languagechange', apply);
}

/** Loads the faces before the first answer streams: a late face would move the lines. */
export function loadFaces(): void {
  for (const face of [
    '17px "Source Serif 4 Variable"',
    '600 17px "Source Serif 4 Variable"',
    '14px "Inter Variable"',
  ]) {
    void document.fonts.load(face, 'Aя');
  }
}
