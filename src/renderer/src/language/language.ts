/** In which language does the page speak? */
import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en.ts';
import { ru } from './ru.ts';

export const interfaceLanguages = ['en', 'ru'] as const;
export type InterfaceLanguage = (typeof interfaceLanguages)[number];

/** Names of the languages, each in its own words. */
export const languageNames: Record<InterfaceLanguage, string> = { en: 'English', ru: 'Русский' };

/** The first of the system's languages that the page speaks, else English. */
export function systemLanguage(wanted: readonly string[]): InterfaceLanguage {
  for (const tag of wanted) {
    const found = interfaceLanguages.find((language) => tag.toLowerCase().startsWith(language));
    if (found !== undefined) return found;
  }
  return 'en';
}

export function createLanguage(language: InterfaceLanguage): i18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, ru: { translation: ru } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance;
}
