/** Does a cited source hold what a sentence says? */
import type { Language, Support } from '../../api/types.ts';
import { type DateMention, isSameDate, readDates } from '../language/dates.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { isSameNumber, type NumberMention, readNumbers } from '../language/numbers.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';

export interface Verdict {
  support: Support;
  /** The numbers, dates, quoted phrases and names that no cited source holds; else, the words that it says nothing of. */
  missing: string[];
}

/** What a sentence says that can be looked up. */
interface Claims {
  numbers: NumberMention[];
  dates: DateMention[];
  phrases: string[];
  names: string[];
}

/** Share of a sentence's content words below which the source speaks of something else, and below which only of a part. */
const leastShare = 0.2;
const fullShare = 0.45;

export interface Source {
  text: string;
  language: Language;
}

/**
 * Every number, date, quoted phrase and name must occur in a cited source: numbers by value ("1 000,5" is "1,000.5"),
 * dates by day, names by stem. In one language the content words count as well. No source: unsupported.
 */
export function verify(sentence: string, language: Language, sources: Source[]): Verdict {
  if (sources.length === 0) return { support: 'unsupported', missing: [] };
  const claims = readClaims(sentence, language);
  const missing = missingClaims(claims, sentence, language, sources);
  const count = claims.numbers.length + claims.dates.length + claims.phrases.length + claims.names.length;
  if (missing.length > 0) {
    return { support: missing.length < count ? 'partly' : 'unsupported', missing };
  }
  if (!sources.some((source) => source.language === language)) return { support: 'supported', missing: [] };
  const { share, absent } = contentShare(sentence, language, sources);
  if (share >= fullShare) return { support: 'supported', missing: [] };
  const support = share < leastShare && count === 0 ? 'unsupported' : 'partly';
  return { support, missing: absent.slice(0, 5) };
}

function readClaims(sentence: string, language: Language): Claims {
  const dates = readDates(sentence);
  const numbers = readNumbers(sentence, language).filter(
    (number) => !dates.some((date) => date.start < number.end && number.start < date.end),
  );
  const phrases = [...sentence.matchAll(/[«“„"]([^«»“”„"]{3,200})[»”“"]/gu)].map((match) => match[1]!.trim());
  // Months, currencies and units beside a number belong to it and are no names.
  const taken = [...dates, ...numbers];
  const rest = taken.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    sentence,
  );
  return { dates, numbers, phrases, names: readNames(rest, language) };
}

/**
 * Capitalised words inside a sentence. The first word is capitalised anyway, and German writes every noun so: there
 * only words that are no ordinary beginning of a sentence or that stand in a run count.
 */
function readNames(sentence: string, language: Language): string[] {
  const found: string[] = [];
  for (const match of sentence.matchAll(
    /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}’'-]*(?:\s+\p{Lu}[\p{L}\p{N}’'-]*)*/gu,
  )) {
    const parts = match[0].split(/\s+/).filter((part) => !isFunctionWord(words(part)[0]?.word ?? ''));
    const isFirst =
      sentence
        .slice(0, match.index)
        .trim()
        .replace(/[«“„"(–—-]/g, '') === '';
    const kept = isFirst && parts.length === 1 && !/\p{Lu}.*\p{Lu}|\d/u.test(parts[0]!) ? [] : parts;
    if (language === 'de' && kept.length < 2 && !/\p{Lu}.*\p{Lu}/u.test(kept[0] ?? '')) continue;
    found.push(...(isFirst && kept.length > 1 && isOrdinary(kept[0]!) ? kept.slice(1) : kept));
  }
  return [...new Set(found)];
}

function isOrdinary(word: string): boolean {
  return isFunctionWord(words(word)[0]?.word ?? '');
}

function missingClaims(claims: Claims, sentence: string, language: Language, sources: Source[]): string[] {
  const read = sources.map((source) => ({
    language: source.language,
    text: source.text,
    numbers: readNumbers(source.text, source.language),
    dates: readDates(source.text),
    folded: foldedWords(source.text),
    stems: new Set(words(source.text).map(({ word }) => stem(word, source.language))),
  }));
  const at = ({ start, end }: { start: number; end: number }): string => sentence.slice(start, end).trim();
  return [
    ...claims.dates
      .filter((date) => !read.some((source) => source.dates.some((other) => isSameDate(date, other))))
      .map(at),
    ...claims.numbers
      .filter(
        (number) =>
          !read.some((source) =>
            source.numbers.some((other) => isSameNumber(number, other, source.language === language)),
          ),
      )
      .map(at),
    ...claims.phrases.filter((phrase) => !read.some(({ folded }) => folded.includes(foldedWords(phrase)))),
    ...claims.names.filter(
      (name) =>
        !read.some((source) =>
          words(name).every(
            ({ word }) =>
              source.stems.has(stem(word, source.language)) ||
              source.stems.has(stem(word, language)) ||
              isInOtherScript(word, source.text),
          ),
        ),
    ),
  ];
}

/** A name can't be looked up where the source never writes in its script: "Иванов" in an English contract. */
function isInOtherScript(word: string, text: string): boolean {
  if (/^\p{Script=Cyrillic}/u.test(word)) return !/\p{Script=Cyrillic}/u.test(text);
  return /^\p{Script=Latin}/u.test(word) && !/\p{Script=Latin}/u.test(text);
}

/** Words with a space on both sides of each, so that "art" is not found in "part". */
function foldedWords(text: string): string {
  return ` ${words(text)
    .map(({ word }) => word)
    .join(' ')} `;
}

function contentShare(
  sentence: string,
  language: Language,
  sources: Source[],
): { share: number; absent: string[] } {
  const held = new Set(
    sources.flatMap((source) => words(source.text).map(({ word }) => stem(word, source.language))),
  );
  const content = words(sentence).filter(({ word }) => !isFunctionWord(word));
  if (content.length === 0) return { share: 1, absent: [] };
  const absent = content.filter(({ word }) => !held.has(stem(word, language)));
  return {
    share: 1 - absent.length / content.length,
    absent: [...new Set(absent.map(({ start, end }) => sentence.slice(start, end)))],
  };
}
