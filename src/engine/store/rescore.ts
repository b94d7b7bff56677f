/** How much do the commonest words of a question add to passages that rarer words have found? */
import type { Database } from 'better-sqlite3';
import type { Language } from '../../api/types.ts';
import type { Stemmer } from '../language/stem.ts';
import { eachWord } from '../language/words.ts';
import { b, k1, type Term } from './keyword-terms.ts';
import { slice } from './read-text.ts';
import type { Candidate } from './types.ts';
import { blocksInRangeSql, type DocumentRange } from './write-documents.ts';

interface Counted {
  candidate: Candidate;
  /** Occurrences by term. */
  counts: number[];
  /** In words. */
  length: number;
}

/**
 * Adds the BM25 of terms that FTS5 was not asked for, counted in the passages' own text: FTS5 would take over a second to say
 * where a common word stands in given rows.
 */
export function rescore(db: Database, candidates: Candidate[], terms: Term[], stemmer: Stemmer): Candidate[] {
  const read = db.prepare<[number], { start: number; end: number; text: string | null; language: Language }>(
    'SELECT start, "end" AS "end", text, language FROM chunks WHERE id = ?',
  );
  const blocks = db.prepare<DocumentRange, { start: number; text: string }>(blocksInRangeSql('start, text'));
  const counted: Counted[] = [];
  for (const candidate of candidates) {
    const chunk = read.get(candidate.chunkId);
    if (chunk === undefined) continue;
    const text =
      chunk.text ?? slice(blocks, { document: candidate.documentId, start: chunk.start, end: chunk.end });
    counted.push({ candidate, ...countTerms(text, chunk.language, terms, stemmer) });
  }
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

function countTerms(
  text: string,
  language: Language,
  terms: Term[],
  stemmer: Stemmer,
): { counts: number[]; length: number } {
  const counts = terms.map(() => 0);
  let length = 0;
  eachWord(text, (word) => {
    length++;
    const stem = stemmer.stem(word, language);
    for (let i = 0; i < terms.length; i++) if (terms[i]!.stems.has(stem)) counts[i]!++;
  });
  return { counts, length };
}
