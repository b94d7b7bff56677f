/** Which bare figure, date or name does a sentence give, where one was asked for? */
import { readDates } from '../language/dates.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { readNumbers } from '../language/numbers.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import type { EvidenceUnit } from './evidence-units.ts';
import type { QuestionFocus } from './question-focus.ts';

interface Candidate {
  text: string;
  start: number;
  end: number;
}

/** The bare answer as written in the unit; empty wherever two things could be meant. */
export function shortAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  if (unit.kind === 'row') return cellAnswer(focus, unit);
  switch (focus.asked) {
    case 'quantity':
    case 'percent':
      return quantityAnswer(focus, unit);
    case 'year':
      return only(years(focus, unit.text));
    case 'date':
      return dateAnswer(focus, unit.text);
    case 'person':
      return only(names(focus, unit));
    default:
      return '';
  }
}

function quantityAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  const { text } = unit;
  const dates = readDates(text);
  const asked = readNumbers(focus.text, focus.language).map(({ value }) => value);
  const mentions = readNumbers(text, unit.language).filter(
    (number) =>
      !dates.some((date) => date.start < number.end && number.start < date.end) &&
      !isYear(text.slice(number.start, number.end)) &&
      !asked.includes(number.value) &&
      (focus.asked !== 'percent' || number.isPercent),
  );
  const candidates = mentions.map(({ start, end }) => ({ text: text.slice(start, end).trim(), start, end }));
  if (candidates.length <= 1) return only(candidates);
  // "how many tackles": the figure right before the counted thing.
  const counted = countedStems(focus);
  const before = candidates.filter(({ end }) => {
    const next = words(text.slice(end, end + 60)).slice(0, 3);
    return next.some(({ word }) => counted.has(stem(word, unit.language)));
  });
  return only(before);
}

/** Stems of what is counted: the content words right after "how many". */
function countedStems(focus: QuestionFocus): Set<string> {
  const match = /(?:how (?:many|much)|сколько|ile|wie ?viele?|cuánt[oa]s?)\s+(?<rest>.*)/iu.exec(focus.text);
  const found = words(match?.groups?.rest ?? '')
    .filter(({ word }) => !isFunctionWord(word))
    .slice(0, 2);
  return new Set(
    found.flatMap(({ word }) => [...(focus.terms.find((term) => term.word === word)?.stems ?? [])]),
  );
}

function dateAnswer(focus: QuestionFocus, text: string): string {
  const inQuestion = new Set(readDates(focus.text).flatMap(({ readings }) => readings));
  const dates = readDates(text).filter(
    ({ readings }) => !readings.some((reading) => inQuestion.has(reading)),
  );
  if (dates.length > 0)
    return only(dates.map(({ start, end }) => ({ text: text.slice(start, end), start, end })));
  return only(years(focus, text));
}

function years(focus: QuestionFocus, text: string): Candidate[] {
  const known = new Set(words(focus.text).map(({ word }) => word));
  return [...text.matchAll(/(?<![\d.,])(?:1\d|20)\d\d(?![\d%]|[.,]\d)/g)]
    .map((match) => ({ text: match[0], start: match.index, end: match.index + 4 }))
    .filter((year) => !known.has(year.text));
}

/** Runs of capitalised words that the question does not name. A sentence's first word is one only inside a run. */
function names(focus: QuestionFocus, unit: EvidenceUnit): Candidate[] {
  const run = /\p{Lu}[\p{L}’'.-]*(?:\s+(?:(?:van|von|de|der|da|del|la|al|bin)\s+)?\p{Lu}[\p{L}’'-]*)*/gu;
  const known = focus.terms.flatMap((term) => [...term.stems]);
  return [...unit.text.matchAll(run)]
    .map((match) => ({
      text: match[0].replace(/[.'’]+$/, ''),
      start: match.index,
      end: match.index + match[0].length,
    }))
    .filter(({ text, start }) => {
      const parts = words(text);
      if (parts.length < 2 && start === 0) return false;
      if (parts.every(({ word }) => isFunctionWord(word))) return false;
      return parts.length >= 2 && !parts.some(({ word }) => known.includes(stem(word, unit.language)));
    });
}

/** The cell in the column that the question names, of a row whose label it names. */
function cellAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  const asks = (text: string): number => {
    const stems = new Set(words(text).map(({ word }) => stem(word, unit.language)));
    return focus.terms.filter((term) => [...term.stems].some((each) => stems.has(each))).length;
  };
  const label = unit.cells[0];
  if (!label || asks(label.value) === 0) return '';
  const rest = unit.cells.slice(1).filter(({ value }) => /\p{N}/u.test(value));
  const scored = rest.map((cell) => ({ cell, score: asks(cell.column) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const chosen = scored.filter(({ score }) => score === best).map(({ cell }) => cell.value);
  return chosen.length === 1 && (best > 0 || rest.length === 1) ? chosen[0]! : '';
}

function only(candidates: Candidate[]): string {
  const distinct = [...new Set(candidates.map(({ text }) => text))];
  return distinct.length === 1 ? distinct[0]! : '';
}

function isYear(text: string): boolean {
  return /^(?:1[5-9]|20)\d\d$/.test(text);
}
