/** Which sentences of the passages answer the question by themselves? */
import { generate as limits } from '../config.ts';
import type { EvidencePassage, EvidenceUnit } from './evidence-units.ts';
import { isAnswered } from './judge-extract.ts';
import { holdsFamily, holdsTerm, type QuestionFocus } from './question-focus.ts';
import { type Meanings, type ScoredUnit, scoreUnits } from './score-units.ts';

export interface Extract {
  /** In reading order; empty when nothing covers the question. */
  units: EvidenceUnit[];
  /** The same without what was added for the reader, best first. */
  ranked: ScoredUnit[];
}

/** Chooses one to five units. `meanings`, where an embedder is installed, carry questions that share no word with their answer; `isDoubtful` where the search found nothing relevant. */
export function extractAnswer(
  focus: QuestionFocus,
  evidence: EvidencePassage[],
  meanings?: Meanings,
  isDoubtful = false,
): Extract {
  const scored = scoreUnits(focus, evidence, meanings);
  const ranked = scored.filter(({ unit }) => unit.kind !== 'heading').sort((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best || best.score <= 0 || !isAnswered(focus, best, isDoubtful)) return { units: [], ranked: [] };
  const chosen = [best];
  for (const candidate of ranked.slice(1, limits.maxExtractCandidates)) {
    if (chosen.length >= limits.maxExtractUnits) break;
    if (candidate.score < limits.extractScoreShare * best.score) break;
    if (chosen.some((other) => repeats(candidate.unit, other.unit))) continue;
    if (addsTerm(focus, candidate.unit, chosen)) chosen.push(candidate);
  }
  const units = withAntecedents(
    chosen.map(({ unit }) => unit),
    scored,
  );
  return { units: inReadingOrder(units), ranked: chosen };
}

function repeats(a: EvidenceUnit, b: EvidenceUnit): boolean {
  let common = 0;
  for (const each of a.stems) if (b.stems.has(each)) common++;
  return common / Math.max(1, Math.min(a.stems.size, b.stems.size)) > limits.repeatShare;
}

/** A further sentence must hold a word of the question that no chosen one holds, and that a thing of the asked kind leaves open. */
function addsTerm(focus: QuestionFocus, unit: EvidenceUnit, chosen: ScoredUnit[]): boolean {
  return focus.terms.some(
    (term) =>
      holdsTerm(unit, term) &&
      !chosen.some(
        (other) =>
          holdsFamily(other.unit, term) || holdsTerm(other.unit, term) || (term.isKind && other.holdsAsked),
      ),
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
