/** How well does each piece of the evidence answer the question? */
import { generate as limits } from '../config.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import { holdsAsked } from './asked-values.ts';
import { type EvidencePassage, type EvidenceUnit, evidenceUnits } from './evidence-units.ts';
import { asksForHead, type HeadRole, headRoles, isHeldByRole } from './letter-head.ts';
import {
  type FocusTerm,
  holdsFamily,
  holdsTerm,
  isOtherLanguage,
  type QuestionFocus,
  type Stemmed,
  stemmed,
} from './question-focus.ts';
import { askedCell } from './row-answer.ts';

/**
 * How near each unit is to the question in meaning, in the order of `evidenceUnits`: 0 is nothing in common, 0.3 much, whatever
 * the embedder; undefined for those that were not looked at.
 */
export type Meanings = readonly (number | undefined)[];

/** A unit with what it holds of the question. */
export interface ScoredUnit {
  unit: EvidenceUnit;
  score: number;
  /** Share of the question's weight in the unit, its neighbours and its headings, 0 to 1. */
  coverage: number;
  /** The same in the unit alone. */
  ownCoverage: number;
  /** The same as `coverage` without the names in the question: a sentence that only names the company answers nothing about it. */
  subjectCoverage: number;
  /** See `Meanings`; undefined without an embedder. */
  meaning: number | undefined;
  /** Holds a thing of the asked kind. */
  holdsAsked: boolean;
  /** The line of a letter's head that the unit is. */
  role: HeadRole | undefined;
}

/** What is known of a unit's surroundings. */
interface Place {
  unit: EvidenceUnit;
  near: (EvidenceUnit | undefined)[];
  /** First sentence of the unit's paragraph, which says what the paragraph speaks of. */
  lead: EvidenceUnit | undefined;
  /** Heading that the unit stands under; in a letter, its subject. */
  heading: EvidenceUnit | undefined;
  /** Of the document's title and the passage's heading path. */
  context: Stemmed;
  role: HeadRole | undefined;
  /** All units of the passage. */
  passage: EvidenceUnit[];
}

/** Share of a term's weight that a unit has for holding it nearby or another word of its family. */
const shares = { family: 0.8, heading: 0.6, near: 0.5, context: 0.35 } as const;

/** Every unit of the evidence with its score; weights of terms come from how rare they are among the units. */
export function scoreUnits(
  focus: QuestionFocus,
  evidence: EvidencePassage[],
  meanings?: Meanings,
): ScoredUnit[] {
  const byPassage = evidence.map((passage, index) => passage.units ?? evidenceUnits(passage, index));
  const all = byPassage.flat();
  const weights = focus.terms.map((term) => {
    const holding = all.filter((unit) => holdsTerm(unit, term)).length;
    return term.weight * Math.log(1 + (all.length + 1) / (holding + 0.5));
  });
  if (weights.length === 0) return [];
  const hasSubject = focus.terms.some(({ isName }) => !isName);
  const subjectWeights = focus.terms.map(({ isName }, index) => (isName && hasSubject ? 0 : weights[index]!));
  const places = byPassage.flatMap((units, index) => placesOf(units, contextStems(evidence[index]!)));
  return places.map((place, at) => scoreUnit(focus, place, { weights, subjectWeights }, meanings?.[at]));
}

function placesOf(units: EvidenceUnit[], context: Stemmed): Place[] {
  const roles = headRoles(units);
  let heading: EvidenceUnit | undefined;
  let lead: EvidenceUnit | undefined;
  return units.map((unit, position) => {
    if (unit.block !== lead?.block) lead = unit;
    if (unit.kind === 'heading' || roles[position] === 'subject') heading = unit;
    const near = [units[position - 1], units[position + 1]];
    return { unit, near, lead, heading, context, role: roles[position], passage: units };
  });
}

function scoreUnit(
  focus: QuestionFocus,
  place: Place,
  { weights, subjectWeights }: { weights: number[]; subjectWeights: number[] },
  meaning: number | undefined,
): ScoredUnit {
  const { unit, heading, role } = place;
  const isAskedHead = role !== undefined && asksForHead(focus, role, unit);
  const holds =
    isAskedHead || (unit.kind === 'row' ? askedCell(focus, unit) !== undefined : holdsAsked(focus, unit));
  const own = focus.terms.map((term) => ownShare(term, unit, holds));
  const whole = focus.terms.map((term, index) =>
    Math.max(own[index]!, isAskedHead ? headShare(term, place) : shareNearby(term, place)),
  );
  const coverage = weighted(whole, weights);
  const subjectCoverage = weighted(whole, subjectWeights);
  const underHeading = focus.terms.map((term) => (heading && holdsTerm(heading, term) ? 1 : 0));
  // The search ranked whole passages; a little of that trust stays, so that the first passage wins ties.
  const trust = 1 - 0.04 * Math.min(unit.passage, 8);
  const score =
    (coverage +
      meaningShare(focus, unit) * Math.max(0, meaning ?? 0) +
      (holds && focus.asked !== 'other' ? limits.askedKindBonus : 0) +
      limits.headingBonus * weighted(underHeading, weights)) *
    trust *
    lengthFactor(unit) *
    newsFactor(focus, unit, holds) *
    (role === undefined || isAskedHead ? 1 : limits.headerFactor);
  return {
    unit,
    score,
    coverage,
    ownCoverage: weighted(own, weights),
    subjectCoverage,
    meaning,
    holdsAsked: holds,
    role: isAskedHead ? role : undefined,
  };
}

/** Words of another language can't be shared: there meaning decides. */
function meaningShare({ language }: QuestionFocus, unit: EvidenceUnit): number {
  return isOtherLanguage(language, unit.language) ? limits.otherLanguageMeaning : limits.meaningShare;
}

/** A word that only names the asked kind is held by any thing of that kind. */
function ownShare(term: FocusTerm, unit: EvidenceUnit, holds: boolean): number {
  if (holdsTerm(unit, term) || (term.isKind && holds)) return 1;
  return holdsFamily(unit, term) ? shares.family : 0;
}

function shareNearby(term: FocusTerm, { near, lead, heading, context }: Place): number {
  if (heading && holdsTerm(heading, term)) return shares.heading;
  if (near.some((other) => other && holdsTerm(other, term))) return shares.near;
  if (lead && holdsTerm(lead, term)) return shares.near;
  return holdsTerm(context, term) ? shares.context : 0;
}

/** A line of a letter's head speaks for the whole letter. */
function headShare(term: FocusTerm, { role, heading, passage, context }: Place): number {
  if (isHeldByRole(term.word, role!)) return 1;
  const subject = heading ?? passage[0];
  const isNamed = [subject, ...passage.slice(0, 6)].some((unit) => unit && holdsTerm(unit, term));
  if (isNamed) return 1;
  if (passage.some((unit) => holdsTerm(unit, term))) return shares.heading;
  return holdsTerm(context, term) ? shares.context : 0;
}

/** Sum of the shares as a part of the most that it can be. */
function weighted(parts: number[], weights: number[]): number {
  const most = weights.reduce((sum, weight) => sum + weight, 0);
  return parts.reduce((sum, share, index) => sum + share * weights[index]!, 0) / most;
}

function contextStems({ passage, language }: EvidencePassage): Stemmed {
  return stemmed([passage.document.title, ...passage.headings].join('\n'), language);
}

/** A piece that says nothing beyond the question, as a title or a subject line does, names the matter and answers nothing. */
function newsFactor(focus: QuestionFocus, unit: EvidenceUnit, holds: boolean): number {
  if (holds) return 1;
  const label = /^\p{L}[\p{L} ]{0,20}:\s/u.exec(unit.text)?.[0] ?? '';
  const isNews = (word: string): boolean =>
    !isFunctionWord(word) &&
    !focus.terms.some((term) => term.stems[unit.language].includes(stem(word, unit.language)));
  return words(unit.text.slice(label.length)).some(({ word }) => isNews(word)) ? 1 : limits.titleFactor;
}

/** Very short pieces say little by themselves, very long ones are no sentence. */
function lengthFactor(unit: EvidenceUnit): number {
  const length = unit.words.length;
  if (length < 4 && unit.kind === 'sentence') return 0.7;
  return length > 80 ? 0.85 : 1;
}
