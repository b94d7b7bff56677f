/** How much do the commonest words of a question add to passages that rarer words have found? */
import type { Database } from 'better-sqlite3';
import { createTermFinder } from '../language/find-terms.ts';
import { b, k1, type Term } from './keyword-terms.ts';
import { readTexts } from './read-text.ts';
import type { Candidate } from './types.ts';

/**
 * Adds the BM25 of terms that FTS5 was not asked for, counted in the passages' own text: FTS5 would take over a second to say
 * where a common word stands in given rows.
 */
export function rescore(db: Database, candidates: Candidate[], terms: Term[]): Candidate[] {
  const finder = createTermFinder(terms);
  const texts = new Map(
    readTexts(
      db,
      candidates.map(({ chunkId }) => chunkId),
    ).map((text) => [text.chunkId, text]),
  );
  const counted = candidates.flatMap((candidate) => {
    const read = texts.get(candidate.chunkId);
    if (read === undefined) return [];
    const counts = terms.map(() => 0);
    const length = finder.find(read.text, read.language, ({ term }) => counts[term]!++);
    return [{ candidate, counts, length }];
  });
  const mean = counted.reduce((sum, one) => sum + one.length, 0) / Math.max(counted.length, 1);
  return counted.map(({ candidate, counts, length }) => {
    const damping = k1 * (1 - b + (b * length) / Math.max(mean, 1));
    const added = terms.reduce(
      (sum, term, i) => sum + (term.idf * counts[i]! * (k1 + 1)) / (counts[i]! + damping),
      0,
    );
    return { ...candidate, score: candidate.score + added };
  });
}
