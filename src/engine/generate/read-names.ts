/** Which proper names and marks stand in a piece? */
import type { Language, Range } from '../../api/types.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { words } from '../language/words.ts';

export interface NameMention extends Range {
  text: string;
  /** The single word that begins the sentence: its capital may mean nothing. */
  isDoubtful: boolean;
}

const capital = "(?:\\p{Lu}\\.){2,}|\\p{Lu}(?:\\p{L}|[’'&–-](?=\\p{L}))*\\.?";
/** Small words inside a name. */
const link = '(?:of(?: the)?|the|von|van|der|den|de|del|della|di|da|la|le|el|al|bin|ibn|y|und|&)';
const run = new RegExp(
  `(?<![\\p{L}\\d])(?:\\p{Lu}\\.\\s?)*(?:${capital})(?:[\\s\\u00a0]+(?:${link}[\\s\\u00a0]+)?(?:${capital}|[IVX]+(?!\\p{L})|\\d{1,4}\\p{Lu}?(?![\\p{L}\\d.,])))*`,
  'gu',
);
const quoted = /[«“„"](?<inner>\p{L}[^«»“”„"\n]{1,60})[»”“"]/gu;

/** Runs of capitalised words and what stands in quotation marks. German writes every noun so: there a run has two words. */
export function readNames(text: string, language: Language): NameMention[] {
  const found: NameMention[] = [];
  for (const match of text.matchAll(quoted)) {
    const start = match.index + 1;
    found.push({
      text: match.groups!.inner!,
      start,
      end: start + match.groups!.inner!.length,
      isDoubtful: false,
    });
  }
  for (const match of text.matchAll(run)) {
    const mention = trimmed(match[0], match.index, text);
    if (mention === undefined) continue;
    if (found.some(({ start, end }) => mention.start < end && start < mention.end)) continue;
    if (language === 'de' && !/\s/.test(mention.text)) continue;
    found.push(mention);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Without an ordinary word that only begins the sentence, and without a full stop that ends it. */
function trimmed(raw: string, at: number, text: string): NameMention | undefined {
  let start = at;
  let written = raw;
  const first = words(raw)[0];
  if (first && isFunctionWord(first.word)) {
    const rest = raw.slice(first.end);
    const skipped = rest.length - rest.replace(/^[\s.]+/, '').length;
    start += first.end + skipped;
    written = rest.slice(skipped);
    // "The king of Spain": what is left must begin with a capital again.
    const next = /\p{Lu}/u.exec(written);
    if (!next) return undefined;
    start += next.index;
    written = written.slice(next.index);
  }
  // "Darwin's theory" names Darwin.
  written = written.replace(/[’']s?$/u, '');
  const lastWord = /(?<=[\s.]|^)(\p{L}+)\.$/u.exec(written)?.[1] ?? '';
  if (lastWord.length > 3 || (lastWord !== '' && start + written.length >= text.trimEnd().length)) {
    written = written.slice(0, -1);
  }
  // One letter is a mark: "4-П", "plan B".
  if (!/\p{L}{2}/u.test(written)) return undefined;
  const isFirst =
    text
      .slice(0, start)
      .replace(/^\s*\d+(?:\.\d+)*[.)]?\s/, '')
      .trim() === '';
  const isDoubtful = isFirst && !/\s/.test(written) && !/\p{Lu}.*\p{Lu}/u.test(written);
  return { text: written, start, end: start + written.length, isDoubtful };
}

/** Telephone numbers, addresses, article and room marks: what has a digit and identifies something. */
const codes: RegExp[] = [
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu,
  /(?:https?:\/\/|www\.)[^\s,;)]+/gu,
  /\+?\d[\d\u00a0 ()-]{6,}\d/gu,
  /(?<![\p{L}\d.,])(?=[\p{L}\d./-]*\d)(?:\p{Lu}[\p{L}\d]*|\d+\p{L}?|\d+)(?:[-./–]?[\p{Lu}\d]+)*(?![\p{L}\d])/gu,
];

/** Marks in order; the longest reading of each place. */
export function readCodes(text: string): Range[] {
  const found: Range[] = [];
  for (const pattern of codes) {
    for (const match of text.matchAll(pattern)) {
      const range = { start: match.index, end: match.index + match[0].length };
      if (!found.some((other) => range.start < other.end && other.start < range.end)) found.push(range);
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Hours of the day: "13:00", "9.30 am", «в 23 часа», "18 Uhr", "noon". */
const hour =
  /(?<![\d.,:])(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?\s?(?:a\.?m\.?|p\.?m\.?|o[’']clock|час(?:а|ов|ам)?|Uhr)(?!\p{L})|(?<![\d.,:])(?:[01]?\d|2[0-4]):[0-5]\d(?!\d)|(?<!\p{L})(?:noon|midnight|полдень|полудня|полночь|полуночи|Mittag|Mitternacht)(?!\p{L})/giu;

export function readHours(text: string): Range[] {
  return [...text.matchAll(hour)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const weekday =
  /(?<!\p{L})(?:(?:on |by |until |every )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?: (?:morning|noon|afternoon|evening|night))?|(?:понедельник|вторник|сред[ауы]|четверг|пятниц[ауы]|суббот[ауы]|воскресень[ея])(?:а|ам|у)?|вторникам|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tags?|Mittwochs?)(?!\p{L})/giu;

/** Days of the week, with the part of the day. */
export function readWeekdays(text: string): Range[] {
  return [...text.matchAll(weekday)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}
