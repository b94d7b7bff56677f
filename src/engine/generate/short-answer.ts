/** Which bare figure, date or name does a sentence give, where one was asked for? */
import { readDates } from '../language/dates.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { type NumberMention, readNumbers } from '../language/numbers.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import type { EvidenceUnit } from './evidence-units.ts';
import { holdsTerm, type QuestionFocus } from './question-focus.ts';
import { mayShareUnit, readFigures } from './read-figures.ts';

interface Candidate {
  text: string;
  start: number;
  end: number;
}

/** Words that ask for a calculation: no single figure of a source is its result. */
const calculation =
  /(?<!\p{L})(?:differences?|changed?|changes|increased?|decreased?|growth|average|mean|ratio|sum|combined|altogether|разниц\p{L}*|изменени\p{L}*|измени\p{L}*|прирост\p{L}*|рост\p{L}*|снижени\p{L}*|средн\p{L}*|сумм(?:а|е|у|арн\p{L}*) (?:всех|двух|за)|вместе|różnic\p{L}*|średni\p{L}*|wzrost\p{L}*|unterschied|durchschnitt\p{L}*|diferencia|promedio)(?!\p{L})/iu;

/** The bare answer as written in the unit; empty wherever two things could be meant or something must be computed. */
export function shortAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  if (calculation.test(focus.text)) return '';
  if (unit.kind === 'row') return cellAnswer(focus, unit);
  switch (focus.asked) {
    case 'quantity':
    case 'duration':
    case 'percent':
      return quantityAnswer(focus, unit);
    case 'year':
      return only(years(focus, unit.text));
    case 'date':
      return dateAnswer(focus, unit.text);
    case 'person':
      return personAnswer(focus, unit);
    default:
      return valueAnswer(focus, unit);
  }
}

function quantityAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  const { text } = unit;
  const dates = readDates(text);
  const asked = readNumbers(focus.text, focus.language).map(({ value }) => value);
  const mentions = readFigures(text, unit.language).filter(
    (number) =>
      !dates.some((date) => date.start < number.end && number.start < date.end) &&
      !isYear(text.slice(number.start, number.end)) &&
      !asked.includes(number.value) &&
      (focus.asked !== 'percent' || number.isPercent),
  );
  const candidates = mentions.map(({ start, end }) => withRange(text, start, end));
  const counted = countedStems(focus);
  if (counted.size === 0) return only(candidates) || besideAsked(focus, unit, mentions);
  // "how many tackles": only the figure right before the counted thing; small numbers are often written as words.
  const before = candidates.filter(({ end }) => {
    const next = words(text.slice(end, end + 60)).slice(0, 3);
    return next.some(({ word }) => counted.has(stem(word, unit.language)));
  });
  if (before.length < 2) return only(before);
  return only(before) || besideAsked(focus, unit, mentions);
}

const equals =
  /(?:(?<!\p{L})(?:is|are|was|were|equals|amounts to|составляет|составляют|составил[аои]?|рав(?:ен|на|но|ны)|beträgt|betragen|wynosi|wynoszą|es(?: de)?|son)|[—–:])\s+$/iu;

/** "What is the rent": the one figure that the sentence gives right after "is", where it holds every word of the question. */
function valueAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  if (!focus.terms.every((term) => holdsTerm(unit.stems, term))) return '';
  const { text } = unit;
  const figures = readFigures(text, unit.language);
  const given = figures.filter(({ start }) => equals.test(text.slice(0, start)));
  const rivals = figures.filter((other) => given.some((figure) => mayShareUnit(text, figure, other)));
  if (rivals.length > given.length) return besideAsked(focus, unit, rivals);
  return only(given.map(({ start, end }) => withRange(text, start, end)));
}

/** Where one ends that a word beside a figure still belongs to; what excepts or denies ends it, too. */
const pieceEnd =
  /[,;:()—–]|\.\s|(?<!\p{L})(?:and|or|but|и|или|а|но|und|oder|aber|i|lub|oraz|y|o|pero|not|outside|except|excluding|other|кроме|вне|не|außer|nicht|poza|nie|fuera|salvo|no)(?!\p{L})/iu;

/**
 * Of several figures, the one that alone has a word of the question right behind it: "EUR 62 abroad". Empty where a figure
 * has a subject of its own before it, as in "the rent is EUR 500 for the hall, the deposit EUR 900".
 */
function besideAsked(focus: QuestionFocus, unit: EvidenceUnit, figures: NumberMention[]): string {
  const { text } = unit;
  const sides = figures.map((figure, index) => {
    const behind = text.slice(figure.end, figures[index + 1]?.start ?? text.length).split(pieceEnd)[0] ?? '';
    // What stands before the first one is the subject of all.
    const before =
      index === 0
        ? ''
        : text
            .slice(figures[index - 1]!.end, figure.start)
            .split(pieceEnd)
            .at(-1)!;
    return { figure, isBeside: askedTerms(focus, unit, behind) > 0, before };
  });
  const beside = sides.filter(({ isBeside }) => isBeside);
  const [chosen] = beside;
  if (!chosen || beside.length > 1) return '';
  if (words(chosen.before).some(({ word }) => !isFunctionWord(word))) return '';
  if (sides.some(({ before }) => askedTerms(focus, unit, before) > 0)) return '';
  return withRange(text, chosen.figure.start, chosen.figure.end).text;
}

/** "27-30%" is one figure; brackets around one belong to the sentence. */
function withRange(text: string, start: number, end: number): Candidate {
  const first = /\d[\d.,]*\s?[–-]\s?$/.exec(text.slice(0, start));
  const from = first ? first.index : start;
  const shown = text.slice(from, end).trim();
  return { text: /^\([^)]*\)$/.test(shown) ? shown.slice(1, -1) : shown, start: from, end };
}

/** Stems of what is counted: the content words right after "how many". */
function countedStems(focus: QuestionFocus): Set<string> {
  // "How much is X" asks for the price or measure of X: nothing is counted.
  const match =
    /(?:how many|сколько(?!\s+(?:сто[ия]т?|стоил|составля|получа|плат|длит|длят))|(?<!\p{L})ile|wie ?viele|cuánt[oa]s)\s+(?<rest>.*)/iu.exec(
      focus.text,
    );
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
  return [...text.matchAll(/(?<![\d.,])(?:1\d|20)\d\d(?![\d%\p{L}-]|[.,]\d)/gu)]
    .map((match) => ({ text: match[0], start: match.index, end: match.index + 4 }))
    .filter((year) => !known.has(year.text));
}

/** The one run of two or more capitalised words that the question does not name; empty when the sentence names anything else. */
function personAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  const run =
    /\p{Lu}(?:\.|[\p{L}’'-]*)(?:\s+(?:(?:van|von|de|der|da|del|la|al|bin|ibn)\s+)?\p{Lu}(?:\.|[\p{L}’'-]*))*/gu;
  const known = new Set(focus.terms.flatMap((term) => [...term.stems]));
  const named = [...unit.text.matchAll(run)]
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
    .filter(({ text, start }) => {
      const parts = words(text);
      if (start === 0 && (parts.length < 2 || isFunctionWord(parts[0]?.word ?? ''))) return false;
      return parts.length > 0 && !parts.some(({ word }) => known.has(stem(word, unit.language)));
    });
  const person = only(named);
  return words(person).length >= 2 ? person : '';
}

/** The cell in the column that the question names, of a row whose label the question names in full. */
function cellAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  const [label, ...rest] = unit.cells;
  if (!label || !isAskedLabel(focus, unit, label.value)) return '';
  const figures = rest.filter(({ value }) => /\p{N}/u.test(value));
  const scored = figures.map((cell) => ({ cell, score: askedTerms(focus, unit, cell.column) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const chosen = scored.filter(({ score }) => score === best).map(({ cell }) => cell.value);
  return chosen.length === 1 && (best > 0 || figures.length === 1) ? chosen[0]! : '';
}

/** How many of the question's terms the text holds. */
function askedTerms(focus: QuestionFocus, unit: EvidenceUnit, text: string): number {
  const stems = new Set(words(text).map(({ word }) => stem(word, unit.language)));
  return focus.terms.filter((term) => holdsTerm(stems, term)).length;
}

/** "Operating expenses" is not what "other operating expenses" asks for: label and question must agree both ways. */
function isAskedLabel(focus: QuestionFocus, unit: EvidenceUnit, label: string): boolean {
  // A function word elsewhere, but "other" makes another row of a table.
  if (isOther(focus.text) !== isOther(label)) return false;
  const asked = new Set(focus.terms.flatMap((term) => [...term.stems]));
  const content = words(label).filter(({ word }) => !isFunctionWord(word) && !/\d/.test(word));
  if (content.length === 0) return false;
  if (!content.every(({ word }) => asked.has(stem(word, unit.language)))) return false;
  return focus.terms.every(
    (term) => /\d/.test(term.word) || holdsTerm(unit.stems, term) || isAmountWord(term.word),
  );
}

function isOther(text: string): boolean {
  return /(?<!\p{L})(?:others?|проч\p{L}+|други\p{L}+|pozostał\p{L}+|sonstig\p{L}+|otr[oa]s?)(?!\p{L})/iu.test(
    text,
  );
}

/** Words that only say that a figure is asked for. */
function isAmountWord(word: string): boolean {
  return /^(?:amount|value|figure|number|total|company|year|fiscal|recorded|reported|сумма|значение|число|год\p{L}*|составил\p{L}*|равн\p{L}*|betrag|wert|kwota|wartość|importe|valor)$/u.test(
    word,
  );
}

function only(candidates: Candidate[]): string {
  const distinct = [...new Set(candidates.map(({ text }) => text))];
  return distinct.length === 1 ? distinct[0]! : '';
}

function isYear(text: string): boolean {
  return /^(?:1[5-9]|20)\d\d$/.test(text);
}
