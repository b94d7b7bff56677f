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
