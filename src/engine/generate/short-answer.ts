/** Which bare figure, date, name or place does a piece give, where one was asked for? */
import { generate as limits } from '../config.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import { type AskedValue, askedValues } from './asked-values.ts';
import type { EvidenceUnit } from './evidence-units.ts';
import { type HeadRole, headValue } from './letter-head.ts';
import {
  type FocusTerm,
  holdsFamily,
  holdsTerm,
  isOtherLanguage,
  type QuestionFocus,
  type Stemmed,
  stemmed,
} from './question-focus.ts';
import { type Amount, mayShareUnit, readAmounts } from './read-amounts.ts';
import type { Asked } from './read-asked.ts';
import { askedCell } from './row-answer.ts';

/** Words that ask for a calculation: no single figure of a source is its result. */
const calculation =
  /(?<!\p{L})(?:differences?|changed?|changes|increased?|decreased?|growth|average|mean|ratio|sum|combined|altogether|разниц\p{L}*|изменени\p{L}*|измени\p{L}*|прирост\p{L}*|рост\p{L}*|снижени\p{L}*|средн\p{L}*|сумм(?:а|е|у|арн\p{L}*) (?:всех|двух|за)|вместе|różnic\p{L}*|średni\p{L}*|wzrost\p{L}*|unterschied|durchschnitt\p{L}*|diferencia|promedio)(?!\p{L})/iu;

/** "In which year was it larger": no year stands beside the answer. */
const comparison =
  /(?<!\p{L})(?:larg|small|high|low|great|few|long|short)(?:er|est)(?!\p{L})|(?<!\p{L})(?:more|most|less|least|больше|меньше|наибольш\p{L}+|наименьш\p{L}+|выше|ниже|höher|größer|größt\p{L}*|więcej|mniej|mayor|menor)(?!\p{L})/iu;

/** The bare answer as written in the unit; empty wherever two things could be meant or something must be computed. */
export function shortAnswer(focus: QuestionFocus, unit: EvidenceUnit, role?: HeadRole): string {
  if (calculation.test(focus.text)) return '';
  if (focus.asked === 'year' && comparison.test(focus.text)) return '';
  if (role !== undefined) return headValue(unit);
  if (unit.kind === 'row') return askedCell(focus, unit)?.value ?? '';
  return choose(focus, unit, askedValues(focus, unit)) || valueAnswer(focus, unit);
}

/** The value that stands closest to the question's words, where it stands clearly closer than any other. */
function choose(focus: QuestionFocus, unit: EvidenceUnit, values: AskedValue[]): string {
  const bestFit = Math.max(0, ...values.map(({ fit }) => fit));
  if (bestFit < limits.leastFit) return '';
  const fitting = values.filter(({ fit }) => fit >= limits.rivalFit * bestFit);
  // Words of another language stand near nothing: there only a value without a rival is sure, and no name is.
  if (isOtherLanguage(focus.language, unit.language)) {
    if (focus.asked === 'name' || focus.asked === 'place') return '';
    return new Set(fitting.map(({ text }) => text)).size === 1 ? fitting[0]!.text : '';
  }
  const amounts = fitting.flatMap(({ amount, fit }) => (amount && fit === bestFit ? [amount] : []));
  if (amounts.some((amount, index) => amounts.slice(0, index).some((other) => mayShareUnit(amount, other)))) {
    const beside = besideAsked(focus, unit, amounts);
    return fitting.find(({ amount }) => amount !== undefined && amount === beside)?.text ?? '';
  }
  const ranked = fitting
    .map((value) => ({ value, near: closeness(focus, unit, value) }))
    .map(({ value, near }) => ({ value, near, score: value.fit * near }))
    .sort((a, b) => b.score - a.score);
  const [first, ...others] = ranked;
  const most = mostCloseness(focus, unit);
  const isNear = nameKinds.has(focus.asked)
    ? first!.score >= limits.leastNameCloseness * most
    : first!.near >= limits.leastFigureCloseness * most;
  if (!isNear) return '';
  const rival = others.find(({ value }) => value.text !== first!.value.text);
  if (!rival) return first!.value.text;
  const isListed = others.some(({ value }) => areListed(unit.text, first!.value, value));
  return !isListed && first!.score >= limits.shortLead * rival.score ? first!.value.text : '';
}

/** "2023 and 2024": neither alone is the answer. */
function areListed(text: string, a: AskedValue, b: AskedValue): boolean {
  const between = a.end <= b.start ? text.slice(a.end, b.start) : text.slice(b.end, a.start);
  return /^\s*(?:,|,?\s(?:and|or|и|или|und|oder|i|lub|y|o))\s+$/u.test(between);
}

/** A name may be anybody's; a figure of the asked kind is seldom another's. */
const nameKinds: ReadonlySet<Asked> = new Set<Asked>(['person', 'place', 'name']);

/** The closeness of a value that stands beside every word; a word that the piece leaves to its surroundings counts half. */
function mostCloseness(focus: QuestionFocus, unit: EvidenceUnit): number {
  return focus.terms.reduce((sum, term) => {
    if (term.isKind) return sum;
    return sum + term.weight * (holdsTerm(unit, term) || holdsFamily(unit, term) ? 1 : 0.5);
  }, base);
}

/** What every value has, so that a question of kind words alone can be answered. */
const base = 0.1;

/** Words on which the closeness falls to a half. */
const halfDistance = 4;
/** Words that a comma, and a mark that ends a clause, count as. */
const commaDistance = 2;
const clauseDistance = 5;

/** Sum over the question's words of how near each stands to the value; 1 for a word right beside it. */
function closeness(focus: QuestionFocus, { text, language }: EvidenceUnit, value: AskedValue): number {
  const found = words(text).map((word) => ({
    ...word,
    held: { stems: new Set([stem(word.word, language)]), language },
  }));
  const sum = focus.terms.reduce((total, term) => {
    if (term.isKind) return total;
    const near = found
      .filter((word) => word.end <= value.start || word.start >= value.end)
      .map((word) => ({ word, share: wordShare(word.held, term) }))
      .filter(({ share }) => share > 0)
      .map(({ word, share }) => (share * halfDistance) / (halfDistance + distance(text, word, value)));
    return total + term.weight * Math.max(0, ...near);
  }, base);
  return (
    sum * (focus.asked === 'person' && byBefore.test(text.slice(0, value.start)) ? limits.agentFactor : 1)
  );
}

const byBefore = /(?<!\p{L})(?:by|von|przez|por)\s+(?:the\s+)?(?:\p{Ll}+\s+){0,2}$/iu;

function wordShare(held: Stemmed, term: FocusTerm): number {
  if (holdsTerm(held, term)) return 1;
  return holdsFamily(held, term) ? 0.7 : 0;
}

function distance(text: string, word: { start: number; end: number }, value: AskedValue): number {
  const between =
    word.end <= value.start ? text.slice(word.end, value.start) : text.slice(value.end, word.start);
  // "The treasurer, Anna Beck": a name set beside what it explains.
  if (/^,\s$/.test(between)) return 0;
  const commas = between.match(/,/g)?.length ?? 0;
  const clauses = between.match(/[;:()]|\s[—–]\s/g)?.length ?? 0;
  return words(between).length + commaDistance * commas + clauseDistance * clauses;
}

const equals =
  /(?:(?<!\p{L})(?:is|are|was|were|equals|amounts to|of|составляет|составляют|составил[аои]?|рав(?:ен|на|но|ны)|beträgt|betragen|wynosi|wynoszą|es(?: de)?|son)|[—–:=])\s+$/iu;

/** "What is the rent": the one figure that the sentence gives right after "is", where it holds every word of the question. */
function valueAnswer(focus: QuestionFocus, unit: EvidenceUnit): string {
  if (focus.asked !== 'other' && focus.asked !== 'name') return '';
  if (!focus.terms.every((term) => term.isKind || holdsTerm(unit, term))) return '';
  const { text } = unit;
  const amounts = readAmounts(text, unit.language);
  // "At what wind": where no name is given, the only figure is what was asked for.
  const [only, ...more] = amounts.filter(({ isSpelled, unit: measure }) => !isSpelled || measure !== '');
  if (focus.asked === 'name' && only && more.length === 0) return text.slice(only.start, only.end).trim();
  const given = amounts.filter(({ start }) => equals.test(text.slice(0, start)));
  const rivals = amounts.filter(
    (other) => !other.isSpelled && given.some((amount) => mayShareUnit(amount, other)),
  );
  const chosen = rivals.length > given.length ? besideAsked(focus, unit, rivals) : given[0];
  if (!chosen || (rivals.length <= given.length && given.length > 1)) return '';
  return text.slice(chosen.start, chosen.end).trim();
}

/** Where one ends that a word beside a figure still belongs to; what excepts or denies ends it, too. */
const pieceEnd =
  /[,;:()—–]|\.\s|(?<!\p{L})(?:and|or|but|и|или|а|но|und|oder|aber|i|lub|oraz|y|o|pero|not|outside|except|excluding|other|кроме|вне|не|außer|nicht|poza|nie|fuera|salvo|no)(?!\p{L})/iu;

/**
 * Of several amounts, the one that alone has a word of the question right behind it: "EUR 62 abroad". None where an amount
 * has a subject of its own before it, as in "the rent is EUR 500 for the hall, the deposit EUR 900".
 */
function besideAsked(focus: QuestionFocus, unit: EvidenceUnit, amounts: Amount[]): Amount | undefined {
  const { text } = unit;
  const sides = amounts.map((amount, index) => {
    const behind = text.slice(amount.end, amounts[index + 1]?.start ?? text.length).split(pieceEnd)[0] ?? '';
    // What stands before the first one is the subject of all.
    const before =
      index === 0
        ? ''
        : text
            .slice(amounts[index - 1]!.end, amount.start)
            .split(pieceEnd)
            .at(-1)!;
    return { amount, isBeside: askedTerms(focus, unit, behind) > 0, before };
  });
  const beside = sides.filter(({ isBeside }) => isBeside);
  const [chosen] = beside;
  if (!chosen || beside.length > 1) return undefined;
  if (words(chosen.before).some(({ word }) => !isFunctionWord(word))) return undefined;
  if (sides.some(({ before }) => askedTerms(focus, unit, before) > 0)) return undefined;
  return chosen.amount;
}

/** How many of the question's terms the text holds. */
function askedTerms(focus: QuestionFocus, unit: EvidenceUnit, text: string): number {
  const held = stemmed(text, unit.language);
  return focus.terms.filter((term) => holdsTerm(held, term)).length;
}
