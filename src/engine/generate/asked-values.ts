/** Which things of the asked kind does a piece hold, that the question does not name itself? */
import type { Range } from '../../api/types.ts';
import { readDates } from '../language/dates.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { readNumbers } from '../language/numbers.ts';
import { words } from '../language/words.ts';
import type { EvidenceUnit } from './evidence-units.ts';
import { holdsTerm, isOtherLanguage, type QuestionFocus, stemmed } from './question-focus.ts';
import { type Amount, boundedStart, readAmounts } from './read-amounts.ts';
import { readCodes, readHours, readNames, readWeekdays } from './read-names.ts';

/** A thing that may be the answer, as written in the piece. */
export interface AskedValue extends Range {
  text: string;
  /** How well it fits the kind, 0 to 1. */
  fit: number;
  amount?: Amount;
}

type Piece = Pick<EvidenceUnit, 'text' | 'language'>;

/** In order of the text; empty for kinds that no form gives away. */
export function askedValues(focus: QuestionFocus, piece: Piece): AskedValue[] {
  const known = new Set(words(focus.text).map(({ word }) => word));
  return candidates(focus, piece).filter(({ text }) => {
    const own = words(text).filter(({ word }) => !isFunctionWord(word));
    return own.length === 0 || own.some(({ word }) => !known.has(word));
  });
}

/** True where the piece holds a thing that fits the asked kind well. */
export function holdsAsked(focus: QuestionFocus, piece: Piece): boolean {
  return askedValues(focus, piece).some(({ fit }) => fit >= 0.5);
}

function candidates(focus: QuestionFocus, piece: Piece): AskedValue[] {
  const { text, language } = piece;
  const value = ({ start, end }: Range, fit: number): AskedValue => ({
    start,
    end,
    text: text.slice(start, end).trim(),
    fit,
  });
  switch (focus.asked) {
    case 'count':
    case 'amount':
    case 'money':
    case 'percent':
    case 'measure':
      return amountValues(focus, piece);
    case 'year':
      return readYears(text).map((range) => value(range, 1));
    case 'date':
      return dateValues(focus, text, value);
    case 'time':
      return readHours(text).map((range) => value(range, 1));
    case 'person':
      return readNames(text, language).map((name) => value(name, name.isDoubtful ? 0.45 : 1));
    case 'place':
      return readNames(text, language).map((name) =>
        value(name, placeBefore.test(text.slice(0, name.start)) ? 1 : 0.6),
      );
    case 'name':
      return readNames(text, language).map((name) => {
        const fit = isNoun(focus, piece, name.text) || isBesideNoun(focus, piece, name) ? 1 : 0.7;
        return value(name, name.isDoubtful ? 0.6 * fit : fit);
      });
    case 'code':
      return readCodes(text).map((range) => value(range, isBesideNoun(focus, piece, range) ? 1 : 0.7));
    default:
      return [];
  }
}

const placeBefore =
  /(?<!\p{L})(?:in|at|to|from|near|on|into|through|outside|в|во|на|из|под|около|город[еау]?|г\.|aus|nach|bei|w|we|do|z|ze|en|a|de)\s+(?:the\s+|der\s+|die\s+|la\s+|el\s+)?$/iu;

/** The word before or the words right behind name the asked thing: "shed 4B", "the Merkit tribe". */
function isBesideNoun(focus: QuestionFocus, { text, language }: Piece, { start, end }: Range): boolean {
  const before = words(text.slice(Math.max(0, start - 60), start)).slice(-2);
  const behind = words(text.slice(end, end + 40)).slice(0, 1);
  return isNoun(focus, { text, language }, [...before, ...behind].map(({ word }) => word).join(' '));
}

/** True where the words hold a word of the asked noun. */
function isNoun(focus: QuestionFocus, { language }: Piece, text: string): boolean {
  const held = stemmed(text, language);
  return focus.noun.some((word) => holdsTerm(held, word));
}

function amountValues(focus: QuestionFocus, { text, language }: Piece): AskedValue[] {
  const asked = readNumbers(focus.text, focus.language).map(({ value }) => value);
  return readAmounts(text, language)
    .filter(({ value }) => !asked.includes(value))
    .map((amount) => {
      const behind = words(text.slice(amount.start, amount.end + 60)).slice(1, 5);
      const counted = isNoun(focus, { text, language }, behind.map(({ word }) => word).join(' '));
      const start = boundedStart(text, amount.start);
      // "How many days": the unit stands in the question.
      const isUnitAsked = isNoun(focus, { text, language }, text.slice(amount.numberEnd, amount.end));
      const shown = withRange(text, start, isUnitAsked ? amount.numberEnd : amount.end);
      return {
        ...shown,
        fit: fitOf(focus, amount, counted || isOtherLanguage(focus.language, language)),
        amount,
      };
    })
    .filter(({ fit }) => fit > 0);
}

/** How well an amount fits what is asked; 0 for another unit. */
function fitOf(focus: QuestionFocus, { unit, isSpelled, value }: Amount, isCounted: boolean): number {
  // A lone small number in words is a part of the language more often than an answer.
  const plain = isSpelled && value < 4 ? 0.45 : 0.7;
  switch (focus.asked) {
    case 'money':
      return unit === 'money' ? 1 : unit === '' && !isSpelled ? 0.4 : 0;
    case 'percent':
      return unit === 'percent' ? 1 : 0;
    case 'measure':
      if (unit === 'time' || unit === 'size') return 1;
      return unit === 'money' ? 0.5 : unit === '' && !isSpelled ? 0.3 : 0;
    case 'count':
      if (unit === 'percent') return 0;
      if (isCounted) return 1;
      // "How many pages": another thing is counted here; unless nothing says what.
      return focus.noun.length > 0 ? (unit === '' ? 0.45 : 0) : plain;
    default:
      return unit === '' ? plain : 1;
  }
}

/** "27-30%" is one figure, "between 5 and 9" its two; brackets around one belong to the sentence. */
function withRange(text: string, start: number, end: number): AskedValue {
  const first = /\d[\d.,]*\s?[–-]\s?$/.exec(text.slice(0, start));
  const from = first ? first.index : start;
  const shown = text.slice(from, end).trim();
  return { text: /^\([^)]*\)$/.test(shown) ? shown.slice(1, -1) : shown, start: from, end, fit: 1 };
}

function readYears(text: string): Range[] {
  return [...text.matchAll(/(?<![\d.,–-])(?:1\d|20)\d\d(?![\d%\p{L}]|-\p{L}|[.,]\d)/gu)].map((match) => ({
    start: match.index,
    end: match.index + 4,
  }));
}

/** «1998 году»: the word belongs to a year that answers "when". */
function withYearWord(text: string, { start, end }: Range): Range {
  const behind = /^\s(?:год(?:а|у|ом)?|г\.)(?!\p{L})/u.exec(text.slice(end, end + 6));
  return { start, end: end + (behind?.[0].length ?? 0) };
}

/** Days first; where none stands, months, years, decades and days of the week. */
function dateValues(
  focus: QuestionFocus,
  text: string,
  value: (range: Range, fit: number) => AskedValue,
): AskedValue[] {
  const inQuestion = new Set(readDates(focus.text).flatMap(({ readings }) => readings));
  const dates = readDates(text)
    .filter(({ readings }) => !readings.some((reading) => inQuestion.has(reading)))
    // "5 and 6 July" are two days of one answer.
    .map(({ start, end }) => {
      const first = /(?<![\d.,])\d{1,2}\s?(?:–|-|and|to|и|und|i|y)\s?$/u.exec(text.slice(0, start));
      return value(withYearWord(text, { start: first ? first.index : start, end }), 1);
    });
  const free = (range: Range): boolean =>
    !dates.some(({ start, end }) => start < range.end && range.start < end);
  const others = [
    ...readYears(text).map((range) => value(withYearWord(text, range), 0.8)),
    ...[...text.matchAll(/(?<!\p{L})(?:the )?(?:early |mid-|late )?1\d\d0s(?!\p{L})/gu)].map((match) =>
      value({ start: match.index, end: match.index + match[0].length }, 0.7),
    ),
  ].filter(free);
  // Days of the week and hours are what is left where no date stands.
  const isDayKnown = readWeekdays(focus.text).length > 0;
  const weak = [...(isDayKnown ? [] : readWeekdays(text)), ...readHours(text)]
    .filter(free)
    .map((range) => value(range, 0.6));
  return [...dates, ...others, ...(dates.length + others.length > 0 ? [] : weak)].sort(
    (a, b) => a.start - b.start,
  );
}
