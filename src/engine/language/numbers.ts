/** Which numbers stand in a text, and when are two of them the same? */
import type { Language } from '../../api/types.ts';

/** A number as it stands in a text. */
export interface NumberMention {
  /** Half-open range in the text, with sign, currency and scale word. */
  start: number;
  end: number;
  /** As its language would read it; the sign counts. */
  value: number;
  /** Every reading that the writing allows, `value` first: "1.214" is 1.214 or 1214, "(5)" is −5 or 5. */
  readings: number[];
  /** Written factor beside it: 1, a thousand, a million, a billion, a trillion. */
  scale: number;
  isPercent: boolean;
  /** Currency sign or code beside it, as written; empty if none. */
  currency: string;
}

const spaces = ' \u00a0\u2007\u2009\u202f';
const currencies = 'US\\$|[$€£¥₽₴₸₹]|USD|EUR|GBP|RUB|PLN|CHF';
/** Digits in groups of three by spaces or apostrophes, or any run of digits with points and commas between. */
const digits = `\\d{1,3}(?:[${spaces}'’]\\d{3})+(?![\\d])(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*`;
const scaleWords: [number, string][] = [
  [1e12, 'trillions?|трлн|триллион(?:а|ов|ы)?|bln\\.? ?zł|biliona?|bilion(?:y|ów)|Billion(?:en)?'],
  [1e9, 'billions?|bn|млрд|миллиард(?:а|ов|ы)?|mld|mrd|miliard(?:a|y|ów)?|Milliarden?|mil millones'],
  [1e6, 'millions?|mln|mn|mm|млн|миллион(?:а|ов|ы)?|Mio|Millionen|milion(?:a|y|ów)?|mill[oó]n(?:es)?'],
  [1e3, 'thousands?|тыс|тысяч[аиу]?|tys|tysi[ąę]c[ey]?|tausend|mil|Tsd'],
];
/** "Billion" is 10¹² in German and 10⁹ in English. */
const otherScales: [number, string][] = [
  [1e12, 'trillions?|трлн|триллион(?:а|ов|ы)?|bilion(?:a|y|ów)?|bill[oó]n(?:es)?(?= de)'],
  ...scaleWords.slice(1),
];
const percentWords = '%|‰|percent|per cent|процент(?:а|ов|ы)?|Prozent|procent(?:a|y|ów)?|por ciento';

const numberPattern = new RegExp(
  `(?<open>\\(\\s?)?(?<before>(?:${currencies})[${spaces}]*)?(?<sign>[-−–+](?:[${spaces}]?(?=[$€£¥₽]))?)?` +
    `(?<after>(?:${currencies})[${spaces}]*)?(?<digits>${digits})(?<tail>[${spaces}]?(?:${percentWords}))?(?<close>\\s?\\)(?<percent>[${spaces}]?%)?)?`,
  'giu',
);
const currencyWords =
  'руб(?:л(?:ей|я|ь|ю|ях|ями)|\\.)?|коп(?:е(?:ек|йк\\p{L}{1,2})|\\.)?|евро|доллар\\p{L}{0,3}|фунт(?:ов|а)? стерлингов|крон\\p{L}{0,2}|zł(?:ot\\p{L}{1,3})?|euros?|cents?|dollars?|pounds? sterling|pence|roubles?|rubles?|kron(?:or|a|en?)|francs?|pesos?|yen|yuan';
const trailingCurrency = new RegExp(`^[${spaces}]?(${currencies}|${currencyWords})(?![\\p{L}\\d])`, 'iu');
const digitOrWord = /[\p{L}\p{N}_]/u;

/** Numbers in order. Years, parts of dates and versions are numbers too; "covid-19" holds 19, "10–20" holds 10 and 20. */
export function readNumbers(text: string, language: Language = 'und'): NumberMention[] {
  const found: NumberMention[] = [];
  for (const match of text.matchAll(numberPattern)) {
    const groups = match.groups!;
    const written = groups.digits!;
    const before = text.charAt(match.index - 1);
    const isGlued = digitOrWord.test(before) && !groups.open;
    const isNegative = /[-−–]/.test(groups.sign ?? '') && !isGlued && !/[)\]]/.test(before);
    const isBracketed = Boolean(groups.open && groups.close);
    // A lone bracket belongs to the sentence around the number.
    const unpaired = isBracketed ? '' : (groups.close ?? '');
    const opening = isBracketed ? '' : (groups.open ?? '');
    if (isVersion(written)) {
      found.push(...readParts(written, match.index + match[0].indexOf(written)));
      continue;
    }
    const magnitudes = readDigits(written, language);
    const scale = readScale(text, match.index + match[0].length - unpaired.length, language);
    const currency = (groups.before ?? groups.after ?? '').trim();
    const trailing = trailingCurrency.exec(text.slice(scale.end, scale.end + 20));
    const start = match.index + opening.length + (isGlued ? (groups.sign ?? '').length : 0);
    const readings = withSign(magnitudes, isNegative, isBracketed, isAmount(written, currency));
    found.push({
      // A currency sign between two numbers was taken by the first.
      start: Math.max(start, found.at(-1)?.end ?? 0),
      end: scale.end + (trailing?.[0].length ?? 0),
      value: readings[0]!,
      readings,
      scale: scale.factor,
      isPercent: Boolean(groups.tail ?? groups.percent),
      currency: currency || (trailing?.[1] ?? ''),
    });
  }
  return found;
}

/**
 * True when both are the same number. Strict compares the languages' own readings; otherwise any reading that the
 * writing allows will do, for texts in two languages. "1.5 million" is also "1,500,000", and "1.5" where a table
 * gives its unit elsewhere. Percent is not compared: tables name it in their header.
 */
export function isSameNumber(a: NumberMention, b: NumberMention, isStrict = false): boolean {
  const left = isStrict ? [a.value] : a.readings;
  const right = isStrict ? [b.value] : b.readings;
  return left.some((x) =>
    right.some(
      (y) => isClose(x * a.scale, y * b.scale) || ((a.scale === 1 || b.scale === 1) && isClose(x, y)),
    ),
  );
}

/** Equal but for the last bit of binary fractions. */
export function isClose(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

/** "1.0.21" and "12.03.2024" are no thousands: each part is a number of its own. */
function isVersion(written: string): boolean {
  const marks = written.match(/[.,]/g) ?? [];
  return marks.length > 1 && new Set(marks).size === 1 && !/^\d{1,3}(?:[.,]\d{3})+$/.test(written);
}

function readParts(written: string, offset: number): NumberMention[] {
  return [...written.matchAll(/\d+/g)].map((part) => {
    const start = offset + part.index;
    const value = Number(part[0]);
    return {
      start,
      end: start + part[0].length,
      value,
      readings: [value],
      scale: 1,
      isPercent: false,
      currency: '',
    };
  });
}

/** Magnitudes that "1.214,5" and the like can mean, the language's own reading first. */
function readDigits(written: string, language: Language): number[] {
  const compact = written.replace(new RegExp(`[${spaces}'’]`, 'g'), '');
  const separators = compact.match(/[.,]/g) ?? [];
  if (separators.length === 0) return [Number(compact)];
  const last = separators.at(-1)!;
  const decimals = compact.length - compact.lastIndexOf(last) - 1;
  const asThousands = Number(compact.replace(/[.,]/g, ''));
  const cut = compact.lastIndexOf(last);
  const asDecimal = Number(`${compact.slice(0, cut).replace(/[.,]/g, '')}.${compact.slice(cut + 1)}`);
  if (compact.length !== written.length || new Set(separators).size === 2) return [asDecimal];
  if (separators.length > 1) return [asThousands];
  if (decimals !== 3 || /^0\d*[.,]/.test(compact) || cut > 3) return [asDecimal];
  return isThousandsMark(last, language) ? [asThousands, asDecimal] : [asDecimal, asThousands];
}

function isThousandsMark(mark: string, language: Language): boolean {
  if (mark === ',') return language === 'en' || language === 'und';
  return language === 'de' || language === 'es' || language === 'pl';
}

/** Accounts write losses in brackets; "(5)" alone may also number a paragraph, so both signs are kept. */
function withSign(
  magnitudes: number[],
  isNegative: boolean,
  isBracketed: boolean,
  isMoney: boolean,
): number[] {
  if (isNegative) return magnitudes.map((value) => -value);
  if (!isBracketed) return magnitudes;
  const negative = magnitudes.map((value) => -value);
  return isMoney ? [...negative, ...magnitudes] : [...magnitudes, ...negative];
}

function isAmount(written: string, currency: string): boolean {
  return currency !== '' || /[.,]/.test(written);
}

/** Compiled once: a text holds many numbers. */
const compile = (scales: [number, string][]): [number, RegExp][] =>
  scales.map(([factor, words]) => [
    factor,
    new RegExp(`^[${spaces}-]?(?:${words})(?![\\p{L}\\p{N}])\\.?`, 'iu'),
  ]);
const germanPatterns = compile(scaleWords);
const scalePatterns = compile(otherScales);

function readScale(text: string, from: number, language: Language): { factor: number; end: number } {
  const rest = text.slice(from, from + 24);
  for (const [factor, pattern] of language === 'de' ? germanPatterns : scalePatterns) {
    const match = pattern.exec(rest);
    if (match) return { factor, end: from + match[0].length };
  }
  return { factor: 1, end: from };
}
