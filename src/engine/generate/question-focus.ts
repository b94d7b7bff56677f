/** Which words of a question must a source hold, and what does it ask for? */
import type { Language } from '../../api/types.ts';
import { isFunctionWord, isLightWord } from '../language/function-words.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import { type Asked, askedNoun, isKindWord, readAsked } from './read-asked.ts';

export interface QuestionFocus {
  text: string;
  language: Language;
  asked: Asked;
  /** The noun that "which" or "how many" asks for, with its adjectives. */
  noun: Word[];
  /** Content words. */
  terms: FocusTerm[];
}

/** A word of the question as passages hold it. */
export interface Word {
  /** Folded. */
  word: string;
  /** By the rules of the passage's language and of the question's: rules of a third would find words that only look alike. */
  stems: Record<Language, string[]>;
}

export interface FocusTerm extends Word {
  /** Written as a name inside the question: it says whom the question is about, not what it asks. */
  isName: boolean;
  /** Says only which kind of thing is asked for: a source with such a thing need not hold the word. */
  isKind: boolean;
  /** Share of a full word's weight: "take", "have" and their like tell little. */
  weight: number;
}

/** Share of a full word's weight that a light verb has. */
const lightWeight = 0.35;

const languages: Language[] = ['en', 'ru', 'pl', 'de', 'es', 'und'];

export function readFocus(question: string, language: Language): QuestionFocus {
  const distinct = [...new Set(words(question).map(({ word }) => word))];
  const content = distinct.filter((word) => !isFunctionWord(word));
  const names = nameWords(question, language);
  const asked = readAsked(question);
  return {
    text: question,
    language,
    asked,
    noun: askedNoun(question).map((word) => toWord(word, language)),
    terms: (content.length > 0 ? content : distinct).map((word) => ({
      ...toWord(word, language),
      isName: names.has(word),
      isKind: isKindWord(word, asked),
      weight: isLightWord(word) ? lightWeight : 1,
    })),
  };
}

function toWord(word: string, question: Language): Word {
  const own = stem(word, question);
  const stems = languages.map((each) => [each, [...new Set([own, stem(word, each)])]]);
  return { word, stems: Object.fromEntries(stems) as Word['stems'] };
}

/** Words with a capital that no sentence begins with; German writes every noun so. */
function nameWords(question: string, language: Language): Set<string> {
  if (language === 'de') return new Set();
  const found = words(question).filter(({ start }) => {
    const isFirst = /(?:^|[.!?…:])[\s\p{P}]*$/u.test(question.slice(0, start));
    // "VAT" and "НДС" are words of the matter.
    return (
      !isFirst &&
      /^\p{Lu}/u.test(question.slice(start)) &&
      !/^\p{Lu}{2,5}(?!\p{L})/u.test(question.slice(start))
    );
  });
  return new Set(found.map(({ word }) => word));
}

/** A text as its stems. */
export interface Stemmed {
  stems: ReadonlySet<string>;
  language: Language;
}

export function stemmed(text: string, language: Language): Stemmed {
  return { stems: new Set(words(text).map(({ word }) => stem(word, language))), language };
}

/** True when the text holds the word in any form. */
export function holdsTerm({ stems, language }: Stemmed, word: Word): boolean {
  return word.stems[language].some((each) => stems.has(each));
}

/** Letters that two stems of one family share at least, and the share of the shorter one. */
const familyLetters = 5;
const familyShare = 0.8;
/** What makes a word for a doer or a deed of a shorter one: "own", "owner". */
const derivation =
  /^(?:e?rs?|or|ing|ment|ation|tion|al|ance|ship|ник|тел|ен|к|ени|ани|ств|щик|чик|ung|er|ość|ción)$/u;

/** True when the text holds a word of the term's family: "teach" and "teacher", «обрезать» and «обрезка». */
export function holdsFamily({ stems, language }: Stemmed, word: Word): boolean {
  for (const own of word.stems[language]) {
    if (own.length < 3) continue;
    for (const other of stems) if (isFamily(own, other)) return true;
  }
  return false;
}

function isFamily(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.charCodeAt(0) !== long.charCodeAt(0) || short.length < 3) return false;
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  if (shared === short.length && derivation.test(long.slice(shared))) return true;
  return shared >= familyLetters && shared >= familyShare * short.length && long.length - shared <= 4;
}

/** "und" is no language to differ in: numbers and names are at home everywhere. */
export function isOtherLanguage(question: Language, text: Language): boolean {
  return question !== text && question !== 'und' && text !== 'und';
}
