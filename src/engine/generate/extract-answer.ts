/** Which sentences of the passages answer the question by themselves? */
import { generate as limits } from '../config.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import { holdsAsked, mayHoldAsked } from './asked-kind.ts';
import type { EvidencePassage, EvidenceUnit } from './evidence-units.ts';
import { evidenceUnits } from './evidence-units.ts';
import { holdsTerm, type QuestionFocus } from './question-focus.ts';

/** A unit with what it holds of the question. */
export interface ScoredUnit {
  unit: EvidenceUnit;
  score: number;
  /** Share of the question's weight in the unit, its neighbours and its headings, 0 to 1. */
  coverage: number;
  /** The same without the names in the question: a sentence that only names the company answers nothing about it. */
  subjectCoverage: number;
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
  const misses = focus.asked !== 'other' && !mayHoldAsked(focus, best.unit);
  if (misses && best.subjectCoverage < limits.leastSubjectCoverage && !isCarried) return { units: [], best };
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
  if (weights.length === 0) return [];
  const hasSubject = focus.terms.some(({ isName }) => !isName);
  const subjectWeights = focus.terms.map(({ isName }, index) => (isName && hasSubject ? 0 : weights[index]!));
  let at = 0;
  return byPassage.flatMap((units, index) => {
    const context = contextStems(evidence[index]!);
    const isHeader = headerLines(units);
    let heading: EvidenceUnit | undefined;
    return units.map((unit, position) => {
      if (unit.kind === 'heading') heading = unit;
      const near = [units[position - 1], units[position + 1]];
      const shares = focus.terms.map((term) => {
        if (holdsTerm(unit.stems, term)) return 1;
        if (near.some((other) => other && holdsTerm(other.stems, term))) return 0.5;
        return holdsTerm(context, term) ? 0.35 : 0;
      });
      const underHeading = focus.terms.map((term) => (heading && holdsTerm(heading.stems, term) ? 1 : 0));
      const cosine = cosines?.[at++] ?? 0;
      const coverage = weighted(shares, weights);
      const subjectCoverage = weighted(shares, subjectWeights);
      // The search ranked whole passages; a little of that trust stays, so that the first passage wins ties.
      const trust = 1 - 0.04 * Math.min(index, 8);
      const score =
        (coverage +
          0.3 * Math.max(0, cosine) +
          kindBonus(focus, unit) +
          limits.headingBonus * weighted(underHeading, weights)) *
        trust *
        lengthFactor(unit) *
        newsFactor(focus, unit) *
        headerFactor(focus, unit, isHeader[position] === true);
      return { unit, score, coverage, subjectCoverage };
    });
  });
}

/** Sum of the shares as a part of the most that it can be. */
function weighted(shares: number[], weights: number[]): number {
  const most = weights.reduce((sum, weight) => sum + weight, 0);
  return shares.reduce((sum, share, index) => sum + share * weights[index]!, 0) / most;
}

/** A piece that says nothing beyond the question, as a title or a subject line does, names the matter and answers nothing. */
function newsFactor(focus: QuestionFocus, unit: EvidenceUnit): number {
  const label = /^\p{L}[\p{L} ]{0,20}:\s/u.exec(unit.text)?.[0] ?? '';
  const isNews = (word: string): boolean =>
    !isFunctionWord(word) && !focus.terms.some((term) => term.stems.has(stem(word, unit.language)));
  const saysMore = words(unit.text.slice(label.length)).some(({ word }) => isNews(word));
  return saysMore || holdsAsked(focus, unit) ? 1 : 0.6;
}

/** A short label, a colon and a value: "From: Anna", «Тема: отпуск». */
const labelled = /^(?<label>\p{Lu}[\p{L}-]*(?: [\p{L}-]+){0,2}):\s+\S/u;

/** Which units are lines of the block of labelled values at the top of a document, as letters have one: two lines at least. */
function headerLines(units: EvidenceUnit[]): boolean[] {
  const isLine = units.map(
    ({ kind, start, text }) => kind === 'sentence' && start < limits.headerLength && labelled.test(text),
  );
  return isLine.map(
    (line, index) =>
      line &&
      (isLine[index - 1] === true ||
        isLine[index + 1] === true ||
        (units[index]!.text.match(/(?<=\s)\p{Lu}\p{L}*:\s/gu)?.length ?? 0) > 0),
  );
}

/** What heads a letter says who, when and about what; it answers only a question for one of these. */
function headerFactor(focus: QuestionFocus, unit: EvidenceUnit, isHeader: boolean): number {
  if (!isHeader) return 1;
  if (focus.asked === 'person' || focus.asked === 'date' || focus.asked === 'year') return 1;
  const label = words(labelled.exec(unit.text)?.groups?.label ?? '').map(({ word }) => word);
  const isNamed = focus.terms.some(({ word, stems }) =>
    label.some((each) => each === word || stems.has(stem(each, unit.language))),
  );
  return isNamed || headerQuestion.test(focus.text) ? 1 : limits.headerFactor;
}

/** Words that ask for the subject, sender, recipient or time of a letter. */
const headerQuestion =
  /(?<!\p{L})(?:subject|sender|sent|recipient|addressee|тем[аеуы]|отправител\p{L}*|получател\p{L}*|адресат\p{L}*|Betreff|Absender|Empfänger|temat|nadawc\p{L}*|odbiorc\p{L}*|asunto|remitente|destinatario)(?!\p{L})/iu;

function contextStems({ passage, language }: EvidencePassage): Set<string> {
  const above = [passage.document.title, ...passage.headings].join('\n');
  return new Set(words(above).map(({ word }) => stem(word, language)));
}

/** A sentence that holds a thing of the asked kind, which the question does not name itself, is likelier the answer. */
function kindBonus(focus: QuestionFocus, unit: EvidenceUnit): number {
  if (focus.asked === 'other') return 0;
  return holdsAsked(focus, unit) ? limits.askedKindBonus : 0;
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
