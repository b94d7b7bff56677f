/** Which forms belong to one word? */
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import type { Language } from '../../api/types.ts';
import { language as limits } from '../config.ts';
import { withoutAccents } from './fold.ts';
import { stemPolish } from './stem-polish.ts';
import { eachWord } from './words.ts';

/** Words longer than this are identifiers or noise; the stemmers are quadratic in the worst case. */
const longestStemmed = 40;

/** Which rules apply: Cyrillic is read as Russian; Latin in the passage's language, else as English; others stay. */
function rules(word: string, language: Language): ((word: string) => string) | undefined {
  const unit = word.charCodeAt(0);
  if (unit >= 0x400 && unit <= 0x52f) return russian;
  const isLatin = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xc0 && unit <= 0x24f);
  if (!isLatin) return undefined;
  if (language === 'de') return german;
  if (language === 'es') return spanish;
  if (language === 'pl') return (latin) => stemPolish(withoutAccents(latin));
  return english;
}

/**
 * The stem of a folded word (see fold): a key for matching, not a word. Latin stems carry no accents, so that text
 * typed without them is found. Words with digits are their own stem.
 */
export function stem(word: string, language: Language): string {
  if (word.length > longestStemmed || /[0-9]/.test(word)) return word;
  const apply = rules(word, language);
  if (apply === undefined) return word;
  const stemmed = apply(word);
  return stemmed === '' ? word : withoutAccents(stemmed);
}

/** Stems with a memory: stemming costs microseconds a word, and a text repeats its words. */
export interface Stemmer {
  stem(word: string, language: Language): string;
}

/** A stemmer that remembers at most `language.stemCacheWords` words of each language. Hold one per worker. */
export function createStemmer(): Stemmer {
  const byLanguage = new Map<Language, Map<string, string>>();
  return {
    stem(word, language) {
      let known = byLanguage.get(language);
      if (known === undefined) {
        known = new Map();
        byLanguage.set(language, known);
      }
      const before = known.get(word);
      if (before !== undefined) return before;
      const stemmed = stem(word, language);
      // Starting over costs less than keeping order of use: the common words are back within one document.
      if (known.size >= limits.stemCacheWords) known.clear();
      known.set(word, stemmed);
      return stemmed;
    },
  };
}

/** The stems of a text's words as the keyword index stores them, in the words' order, separated by single spaces. */
export function indexStems(text: string, language: Language, stemmer: Stemmer = createStemmer()): string {
  return indexTerms(text, language, stemmer).stems;
}

/** Words and stems in one pass. */
export function indexTerms(
  text: string,
  language: Language,
  stemmer: Stemmer,
): { words: string; stems: string } {
  let words = '';
  let stems = '';
  eachWord(text, (word) => {
    const separator = words === '' ? '' : ' ';
    words += separator + word;
    stems += separator + stemmer.stem(word, language);
  });
  return { words, stems };
}
