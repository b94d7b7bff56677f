/** How much of a question does a passage hold, words that nearly every passage has included? */
import type { Language } from '../../api/types.ts';
import { retrieve as limits } from '../config.ts';
import type { TermFinder } from '../language/find-terms.ts';
import type { QuestionTerm } from './read-question.ts';

/** A term of the question with its weight. */
export interface WeightedTerm extends QuestionTerm {
  /** Inverse document frequency, above 0. */
  idf: number;
}

/** Same constants as FTS5's. */
const k1 = 1.2;
const b = 0.75;

/**
 * Weighs terms by how rare they are. FTS5's own idf is nought for a word in half of all passages; such a word still
 * tells two documents apart ("Standard" and "Plus"), so this one never reaches nought.
 */
export function weighTerms(terms: QuestionTerm[], frequencies: number[], total: number): WeightedTerm[] {
  return terms.map((term, index) => {
    const frequency = Math.min(frequencies[index] ?? 0, total);
    return { ...term, idf: Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5)) };
  });
}

export interface CoveredText {
  text: string;
  /** Headings above it. */
  headings: string[];
  /** What names its document: title and path. */
  title: string;
  language: Language;
}

/**
 * BM25 of a passage over a question's terms as a share of the most it can be, 0 to 1.
 * @param finder made for the terms in their order
 * @param averageLength of the passages compared, in words
 */
export function textCoverage(
  terms: WeightedTerm[],
  finder: TermFinder,
  { text, headings, title, language }: CoveredText,
  averageLength: number,
): number {
  const body = countTerms(terms, finder, text, language);
  const above = countTerms(terms, finder, headings.join('\n'), language);
  const named = countTerms(terms, finder, title, language);
  const norm = k1 * (1 - b + (b * body.length) / Math.max(1, averageLength));
  let sum = 0;
  let most = 0;
  terms.forEach((term, index) => {
    most += term.idf;
    const count =
      body.counts[index]! +
      limits.headingWeight * Math.min(1, above.counts[index]!) +
      limits.titleWeight * Math.min(1, named.counts[index]!);
    sum += (term.idf * count) / (count + norm);
  });
  return most === 0 ? 0 : sum / most;
}

/** Occurrences of each term in any form, and the length in words. */
function countTerms(
  terms: WeightedTerm[],
  finder: TermFinder,
  text: string,
  language: Language,
): { counts: number[]; length: number } {
  const counts = terms.map(() => 0);
  const length = finder.find(text, language, ({ term, isExact }) => {
    // The very form that was typed counts a little more.
    counts[term]! += isExact ? 1 + limits.exactFormBonus : 1;
  });
  return { counts, length };
}
