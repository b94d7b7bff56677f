/** What does a question ask for: which words, which exact phrases, which marked numbers, in which language? */
import type { Language } from '../../api/types.ts';
import { retrieve as limits } from '../config.ts';
import { detectLanguage } from '../language/detect-language.ts';
import { stem } from '../language/stem.ts';
import { type Word, words } from '../language/words.ts';
import { readFilters, type TypedFilters } from './typed-filters.ts';

/** One word of the question with the stems under which passages of each language hold it. */
export interface QuestionTerm {
  word: string;
  stems: string[];
}

/** "№ 12" and "No. 12" are the same mark; "§ 5" and "статья 5" are another. */
export type MarkKind = 'number' | 'section';

export interface MarkedNumber {
  kind: MarkKind;
  /** As written after the mark: "12", "5.2", "12/3-a". */
  value: string;
}

export interface ReadQuestion {
  /** The question without its typed filters. */
  text: string;
  language: Language;
  /** Distinct words in order of appearance, at most `retrieve.maxQuestionWords`. */
  terms: QuestionTerm[];
  /** Exact phrases as words; empty phrases are left out. */
  phrases: string[][];
  marks: MarkedNumber[];
  filters: TypedFilters;
}

/** Every pair of quotation marks that people type; straight marks close themselves. */
const quotePairs: [string, string][] = [
  ['«', '»'],
  ['»', '«'],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['„', '"'],
  ['‹', '›'],
  ['‘', '’'],
  ['‚', '‘'],
  ['「', '」'],
  ['"', '"'],
  ['“', '“'],
  ['”', '”'],
  ['＂', '＂'],
];

/** Languages whose stems a Latin word may have in a passage. */
const latinLanguages: Language[] = ['en', 'de', 'pl', 'es'];

const markedValue = '(?<value>\\d+(?:[./-]\\d+)*(?:[/-]?\\p{L}(?![\\p{L}\\d]))?)(?![\\d\\p{L}])';
const numberMark =
  '(?:№|#|(?<![\\p{L}\\d])n(?:o|r)?\\.?º?|номер(?:а|ом|у|е)?|(?<![\\p{L}\\d])num(?:er|mer|ber|\\.)?|(?<![\\p{L}\\d])núm(?:ero|\\.))';
const sectionMark =
  '(?:§{1,2}|(?<![\\p{L}\\d])sections?|(?<![\\p{L}\\d])sec\\.|(?<![\\p{L}\\d])art(?:icle|ikel|ículo|ykuł|\\.)|стать[яиеюё]й?|(?<![\\p{L}\\d])ст\\.|пункт[аеу]?|(?<!\\p{L})п\\.|параграф[аеу]?|paragraf|(?<![\\p{L}\\d])clause|абзац[аеу]?)';
const marks: [MarkKind, string][] = [
  ['number', numberMark],
  ['section', sectionMark],
];

/** Reads any text, also an empty one, one of punctuation only, or one full of search operators: those are only words. */
export function readQuestion(question: string): ReadQuestion {
  const { text, filters } = readFilters(question);
  const language = detectLanguage(text);
  const found = words(text);
  return {
    text,
    language,
    terms: readTerms(found, language),
    phrases: readPhrases(text),
    marks: readMarks(text),
    filters,
  };
}

/** Distinct terms; the first ones of an endless question. */
export function readTerms(found: Pick<Word, 'word'>[], language: Language): QuestionTerm[] {
  const distinct = [...new Set(found.map(({ word }) => word))].slice(0, limits.maxQuestionWords);
  return distinct.map((word) => ({ word, stems: stemsOf(word, language) }));
}

/** Stems of a word in the question's language first, then in every other that is written in the same script. */
export function stemsOf(word: string, language: Language): string[] {
  return [...new Set([language, ...latinLanguages].map((each) => stem(word, each)))];
}

/** Quoted phrases in any style of quotation marks, as folded words. */
export function readPhrases(text: string): string[][] {
  const phrases: string[][] = [];
  let from = 0;
  while (from < text.length && phrases.length < limits.maxPhrases) {
    const found = nextQuoted(text, from);
    if (!found) break;
    const phrase = words(text.slice(found.start, found.end)).map(({ word }) => word);
    if (phrase.length > 0 && phrase.length <= limits.maxPhraseWords) phrases.push(phrase);
    from = found.end + 1;
  }
  return phrases;
}

function nextQuoted(text: string, from: number): { start: number; end: number } | undefined {
  for (let at = from; at < text.length; at++) {
    const pairs = quotePairs.filter(([open]) => text[at] === open);
    if (pairs.length === 0 || (text[at] === '’' && isLetter(text[at - 1]))) continue;
    const ends = pairs
      .map(([, close]) => text.indexOf(close, at + 1))
      .filter((end) => end > at && !(text[end] === '’' && isLetter(text[end + 1])));
    if (ends.length > 0) return { start: at + 1, end: Math.min(...ends) };
  }
  return undefined;
}

/** Numbers that carry a mark, such as "№ 12", "No. 12", "номер 12", "§ 5", "Article 5.2". */
export function readMarks(text: string): MarkedNumber[] {
  const found: MarkedNumber[] = [];
  for (const [kind, mark] of marks) {
    for (const match of text.matchAll(new RegExp(`${mark}\\s*${markedValue}`, 'giu'))) {
      const value = match.groups!.value!.toLowerCase();
      if (!found.some((other) => other.kind === kind && other.value === value)) found.push({ kind, value });
    }
  }
  return found.slice(0, limits.maxPhrases);
}

/** True when the text carries the same number with a mark of the same kind. */
export function holdsMark(text: string, mark: MarkedNumber): boolean {
  const [, pattern] = marks.find(([kind]) => kind === mark.kind)!;
  for (const match of text.matchAll(new RegExp(`${pattern}\\s*${markedValue}`, 'giu'))) {
    if (match.groups!.value!.toLowerCase() === mark.value) return true;
  }
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /\p{L}/u.test(character);
}
