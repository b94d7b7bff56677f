/** Which keys must a language answer, and with which forms of its plurals? */
import type { Words } from './en.ts';

/** Every key of English with any text; the plural forms of the other language are free. */
type Same<T> = { [K in keyof T as K extends `${string}_${'one' | 'other'}` ? never : K]: Text<T[K]> } & {
  [K in keyof T as K extends `${infer Base}_other`
    ? `${Base}_${'one' | 'few' | 'many' | 'other'}`
    : never]: string;
};
type Text<T> = T extends string ? string : Same<T>;

export type InLanguage = Same<Words>;
