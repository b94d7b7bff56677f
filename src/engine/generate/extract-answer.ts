/** Which sentences of the passages answer the question by themselves? */
import { generate as limits } from '../config.ts';
import { readDates } from '../language/dates.ts';
import { readNumbers } from '../language/numbers.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import type { EvidencePassage, EvidenceUnit } from './evidence-units.ts';
import { evidenceUnits } from './evidence-units.ts';
import { holdsTerm, type QuestionFocus } from './question-focus.ts';

/** A unit with what it holds of the question. */
export interface ScoredUnit {
  unit: EvidenceUnit;
  score: number;
  /** Share of the question's weight in the unit, its neighbours and its headings, 0 to 1. */
  coverage: number;
}

export interface Extract {
  /** In reading order; empty when nothing covers the question. */
  units: EvidenceUnit[];
  best?: ScoredUnit;
}

/**
 * Chooses one to five units. `cosines`, where an embedder is installed, are those of the units with the question, in
 * the order of `evidenceUnits`; they carry questions that share no word with their answer.
 */
export function extractAnswer(
  focus: QuestionFocus,
  evidence: EvidencePassage[],
  cosines?: number[],
): Extract {
  const scored = scoreUnits(focus, evidence, cosines);
  const ranked = scored.filter(({ unit }) => unit.kind !== 'heading').sort((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best || best.score <= 0) return { units: [] };
  const isCarried = (cosines?.length ?? 0) > 0 && best.score >= limits.leastExtractScore;
  if (best.coverage < limits.leastExtractCoverage && !isCarried) return { units: [], best };
  const chosen = [best.unit];
  for (const { unit, score } of ranked.slice(1, limits.maxExtractCandidates)) {
    if (chosen.length >= limits.maxExtractUnits) break;
    if (score < limits.extractScoreShare * best.score) break;
    if (chosen.some((other) => repeats(unit, other))) continue;
    if (addsTerm(focus, unit, chosen)) chosen.push(unit);
  }
  return { units: inReadingOrder(withAntecedents(chosen, scored)), best };
}

/** Every unit of the evidence with its score; weights of terms come from how rare they are among the units. */
export function scoreUnits(
  focus: QuestionFocus,
  evidence: EvidencePassage[],
  cosines?: number[],
): ScoredUnit[] {
  const byPassage = evidence.map((passage, index) => evidenceUnits(passage, index));
  const all = byPassage.flat();
  const weights = focus.terms.map((term) => {
    const holding = all.filter(({ stems }) => holdsTerm(stems, term)).length;
    return Math.log(1 + (all.length + 1) / (holding + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  let at = 0;
  return byPassage.flatMap((units, index) => {
    const context = contextStems(evidence[index]!);
    return units.map((unit, position) => {
      const near = [units[position - 1], units[position + 1]];
      let own = 0;
      let around = 0;
      focus.terms.forEach((term, termIndex) => {
        const weight = weights[termIndex]!;
        if (holdsTerm(unit.stems, term)) own += weight;
        else if (near.some((other) => other && holdsTerm(other.stems, term))) around += 0.5 * weight;
        else if (holdsTerm(context, term)) around += 0.35 * weight;
      });
      const cosine = cosines?.[at++] ?? 0;
      const coverage = (own + around) / total;
      // The search ranked whole passages; a little of that trust stays, so that the first passage wins ties.
      const trust = 1 - 0.04 * Math.min(index, 8);
      const score =
        (coverage + 0.3 * Math.max(0, cosine) + kindBonus(focus, unit)) * trust * lengthFactor(unit);
      return { unit, score, coverage };
    });
  });
}

function contextStems({ passage, language }: EvidencePassage): Set<string> {
  const above = [passage.document.title, ...passage.headings].join('\n');
  return new Set(words(above).map(({ word }) => stem(word, language)));
}

/** A sentence that holds a thing of the asked kind, which the question does not name itself, is likelier the answer. */
function kindBonus(focus: QuestionFocus, unit: EvidenceUnit): number {
  if (focus.asked === 'other') return 0;
  return holdsAsked(focus, unit) ? limits.askedKindBonus : 0;
}

export function holdsAsked(focus: QuestionFocus, unit: EvidenceUnit): boolean {
  const known = new Set(words(focus.text).map(({ word }) => word));
  if (focus.asked === 'date' || focus.asked === 'year') {
    if (readDates(unit.text).length > 0) return true;
    return unit.words.some((word) => /^(?:1\d|20)\d\d$/.test(word) && !known.has(word));
  }
  if (focus.asked === 'person') return /(?<=\p{L}[\p{L},]* )\p{Lu}\p{Ll}+/u.test(unit.text);
  return readNumbers(unit.text, unit.language).some(
    (number) =>
      !known.has(unit.text.slice(number.start, number.end)) &&
      (focus.asked !== 'percent' || number.isPercent),
  );
}

/** Very short pieces say little by themselves, very long ones are no sentence. */
function lengthFactor(unit: EvidenceUnit): number {
  const length = unit.words.length;
  if (length < 4 && unit.kind === 'sentence') return 0.7;
  return length > 80 ? 0.85 : 1;
}

function repeats(a: EvidenceUnit, b: EvidenceUnit): boolean {
  let common = 0;
  for (const each of a.stems) if (b.stems.has(each)) common++;
  return common / Math.max(1, Math.min(a.stems.size, b.stems.size)) > limits.repeatShare;
}

function addsTerm(focus: QuestionFocus, unit: EvidenceUnit, chosen: EvidenceUnit[]): boolean {
  return focus.terms.some(
    (term) => holdsTerm(unit.stems, term) && !chosen.some((other) => holdsTerm(other.stems, term)),
  );
}

const pronounStart =
  /^(?:he|she|it|they|this|these|those|his|her|its|their|он|она|оно|они|это|эти|этот|эта|его|её|ее|их|er|sie|es|dies\p{L}*|on|ona|ono|oni|to|él|ella|ellos|esto)(?!\p{L})/iu;

/** A sentence that begins with a pronoun is read after the one that says whom it means. */
function withAntecedents(chosen: EvidenceUnit[], scored: ScoredUnit[]): EvidenceUnit[] {
  const all = scored.map(({ unit }) => unit);
  const units = [...chosen];
  for (const unit of chosen) {
    if (unit.kind !== 'sentence' || !pronounStart.test(unit.text) || units.length >= limits.maxExtractUnits)
      continue;
    const before = all[all.indexOf(unit) - 1];
    const isBeside =
      before?.passage === unit.passage && before.kind === 'sentence' && unit.start - before.end <= 2;
    if (before && isBeside && !units.includes(before)) units.push(before);
  }
  return units;
}

/** Passages in the order of their best unit, units of one passage as they stand in the document. */
function inReadingOrder(units: EvidenceUnit[]): EvidenceUnit[] {
  const order = [...new Set(units.map(({ passage }) => passage))];
  return [...units].sort((a, b) => order.indexOf(a.passage) - order.indexOf(b.passage) || a.start - b.start);
}
