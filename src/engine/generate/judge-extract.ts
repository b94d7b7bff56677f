/** Does the best piece answer the question, or does it only speak of the same things? */
import { generate as limits } from '../config.ts';
import { isOtherLanguage, type QuestionFocus } from './question-focus.ts';
import { type Asked, asksForName } from './read-asked.ts';
import type { ScoredUnit } from './score-units.ts';

/** Kinds that an answer can't do without: a sentence with no number answers no "how many". */
const needed: ReadonlySet<Asked> = new Set<Asked>([
  'count',
  'amount',
  'money',
  'percent',
  'measure',
  'date',
  'year',
  'time',
  'code',
]);

/**
 * True where the piece holds enough of the question to be its answer; more is asked of it where the search doubts that any
 * passage is relevant: a passage speaks of several things, and its one right sentence may say what all of it does not.
 */
export function isAnswered(focus: QuestionFocus, best: ScoredUnit, isDoubtful: boolean): boolean {
  if (asksForName(focus.text) && !best.holdsAsked) return false;
  const { meaning, coverage, unit } = best;
  const doubt = isDoubtful ? limits.doubtCoverage : 0;
  const least = Math.min(limits.mostNeededCoverage, leastCoverage(focus, best) + doubt);
  if (meaning === undefined) return coverage >= least;
  if (isOtherLanguage(focus.language, unit.language) && coverage < least) {
    return (
      meaning + limits.coverageMeaning * coverage >=
      limits.leastMeaning + (isDoubtful ? limits.doubtMeaning : 0)
    );
  }
  const gain = limits.meaningCoverage * (meaning - limits.leastMeaning);
  // Names alone make texts alike, and likeness is no number where a number is asked for.
  return coverage + (isWanting(focus, best) ? Math.min(0, gain) : gain) >= least;
}

/**
 * In a short question every word counts: of two words one is a half, and no answer. Measured on XQuAD: with the gold
 * passage taken away two of three questions are refused, with it one right answer in fifty is lost.
 */
function leastCoverage(focus: QuestionFocus, best: ScoredUnit): number {
  const ofShort = limits.shortQuestionCoverage / Math.max(1, focus.terms.length);
  const ofKind = missesKind(focus, best) ? limits.missingKindCoverage : 0;
  const ofSubject = onlyNames(focus, best) || missesCell(focus, best) ? limits.missingSubjectCoverage : 0;
  return limits.leastExtractCoverage + ofShort + ofKind + ofSubject;
}

function isWanting(focus: QuestionFocus, best: ScoredUnit): boolean {
  return missesKind(focus, best) || onlyNames(focus, best) || missesCell(focus, best);
}

function missesKind(focus: QuestionFocus, { holdsAsked }: ScoredUnit): boolean {
  return needed.has(focus.asked) && !holdsAsked;
}

/** A piece that only names whom the question is about says nothing of what it asks. */
function onlyNames(focus: QuestionFocus, { subjectCoverage }: ScoredUnit): boolean {
  const hasSubject = focus.terms.some(({ isName, isKind }) => !isName && !isKind);
  return hasSubject && subjectCoverage < limits.leastSubjectCoverage;
}

/** A row without the asked column only names its thing, too. */
function missesCell(focus: QuestionFocus, { unit, holdsAsked }: ScoredUnit): boolean {
  return unit.kind === 'row' && focus.asked !== 'other' && !holdsAsked;
}
