/** Where do the words of a question stand in a text, in any of their forms? */
import type { Language } from '../../api/types.ts';
import { createStemmer } from './stem.ts';
import { eachWord } from './words.ts';

/** A word that is looked for. */
export interface SoughtTerm {
  /** Folded, as typed. */
  word: string;
  /** Stems that it may have in a text of any language. */
  stems: Iterable<string>;
}

/** Finds the terms it was made for; hold one for all texts of a question. */
export interface TermFinder {
  /**
   * Calls `visit` for each word that is a form of a term, once for each such term, in the text's order.
   * @returns the text's length in words
   */
  find(text: string, language: Language, visit: (match: TermMatch) => void): number;
}

export interface TermMatch {
  /** Index of the term. */
  term: number;
  /** The very form that was typed. */
  isExact: boolean;
  /** Half-open range in the text, UTF-16 units. */
  start: number;
  end: number;
}

const none: number[] = [];

/** Letters and digits that no stemmer and no folding changes where they begin a word: ASCII and Russian small letters. */
function isSteady(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x430 && unit <= 0x44f);
}

/**
 * A stem begins as its word does, so a word that begins like no term is passed over unread; that is four words in five. The
 * others are stemmed once per language.
 */
export function createTermFinder(terms: SoughtTerm[]): TermFinder {
  const byForm = new Map<string, number[]>();
  const byStem = new Map<string, number[]>();
  const beginnings = new Uint8Array(0x10000);
  const add = (map: Map<string, number[]>, key: string, term: number) => {
    if (key !== '') beginnings[key.charCodeAt(0)] = 1;
    map.set(key, [...(map.get(key) ?? []), term]);
  };
  terms.forEach((term, index) => {
    add(byForm, term.word, index);
    for (const stem of new Set(term.stems)) add(byStem, stem, index);
  });
  const stemmer = createStemmer();
  const known = new Map<Language, Map<string, number[]>>();
  const termsOf = (word: string, language: Language): number[] => {
    const exact = byForm.get(word);
    const stemmed = byStem.get(stemmer.stem(word, language));
    return exact || stemmed ? [...new Set([...(exact ?? none), ...(stemmed ?? none)])] : none;
  };
  return {
    find(text, language, visit) {
      let memory = known.get(language);
      if (memory === undefined) {
        memory = new Map();
        known.set(language, memory);
      }
      let length = 0;
      eachWord(text, (word, start, end) => {
        length++;
        const unit = word.charCodeAt(0);
        if (beginnings[unit] === 0 && isSteady(unit)) return;
        let found = memory.get(word);
        if (found === undefined) {
          found = termsOf(word, language);
          memory.set(word, found);
        }
        for (const term of found) visit({ term, isExact: terms[term]!.word === word, start, end });
      });
      return length;
    },
  };
}
