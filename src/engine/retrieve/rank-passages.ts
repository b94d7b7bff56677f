/** In which order do loaded passages stand, and is any of them relevant? */
import type { DocumentReference, Language, SearchResult } from '../../api/types.ts';
import { retrieve as limits } from '../config.ts';
import type { ChunkKind } from '../document.ts';
import { createTermFinder } from '../language/find-terms.ts';
import {
  type Fused,
  fusedScore,
  isSameLanguage,
  meaningShare,
  sortFused,
  toMeaning,
  type VectorList,
} from './fuse.ts';
import { textCoverage, type WeightedTerm } from './text-coverage.ts';

/** A chunk as far as ranking and showing need it. */
export interface RankedChunk {
  chunkId: number;
  document: DocumentReference & { language: Language; modifiedAtMs: number };
  kind: ChunkKind;
  /** Position among its document's chunks. */
  ordinal: number;
  start: number;
  end: number;
  text: string;
  headings: string[];
  language: Language;
}

/** Only the ratio of lengths matters, so an estimate does. */
const charactersPerWord = 6;

export interface Candidate extends Fused {
  chunk: RankedChunk;
  /** Holds an exact phrase or a marked number of the question. */
  isForced: boolean;
  /** How many of them. */
  holds: number;
}

/**
 * Scores again now that texts and languages are known: coverage by every term of the question, common ones and the
 * document's name included. Forced ones first, then best first.
 */
export function rescore(
  candidates: Candidate[],
  terms: WeightedTerm[],
  vectors: VectorList[],
  question: Language,
): Candidate[] {
  const finder = createTermFinder(terms);
  const lengths = candidates.map(({ chunk }) => chunk.text.length / charactersPerWord);
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const covered = candidates.map((candidate) => {
    const { text, headings, language, document } = candidate.chunk;
    const title = `${document.title}\n${document.path}`;
    const coverage = textCoverage(terms, finder, { text, headings, title, language }, averageLength);
    return { ...candidate, coverage };
  });
  const share = meaningShare(covered);
  const scored = covered.map((candidate) => ({
    ...candidate,
    score: fusedScore(candidate, vectors, isSameLanguage(question, candidate.chunk.language), share),
  }));
  return sortFused(scored).sort((a, b) => b.holds - a.holds);
}

/**
 * Summaries speak for their documents: a passage gains a little where its document's summary was found too, and the
 * summary itself stays only where no passage of the document was found.
 */
export function preferPassages(ranked: Candidate[]): Candidate[] {
  const summaries = new Map<number, number>();
  for (const { chunk, score } of ranked) {
    if (!isSummary(chunk.kind)) continue;
    summaries.set(chunk.document.id, Math.max(summaries.get(chunk.document.id) ?? 0, score));
  }
  const documents = new Set(
    ranked.filter(({ chunk }) => !isSummary(chunk.kind)).map(({ chunk }) => chunk.document.id),
  );
  const kept = ranked
    .filter(({ chunk }) => !isSummary(chunk.kind) || !documents.has(chunk.document.id))
    .map((candidate) => {
      const summary = isSummary(candidate.chunk.kind)
        ? undefined
        : summaries.get(candidate.chunk.document.id);
      if (summary === undefined) return candidate;
      return { ...candidate, score: Math.min(1, candidate.score + limits.summaryWeight * summary) };
    });
  return sortFused(kept).sort((a, b) => b.holds - a.holds);
}

/** Nothing: neither the words nor the meaning of the best passages reach their thresholds. */
export function judge(ranked: Candidate[], vectors: VectorList[]): SearchResult['judgement'] {
  const isRelevant = ranked.slice(0, limits.judgedHits).some(({ coverage, cosines, isForced }) => {
    const at = cosines.findIndex((cosine) => cosine !== undefined);
    const list = vectors[at];
    const speaks = list !== undefined && toMeaning(cosines[at]!, list.background) >= list.relevantMeaning;
    return isForced || coverage >= limits.nothingCoverage || speaks;
  });
  return isRelevant ? 'relevant' : 'nothing';
}

function isSummary(kind: ChunkKind): boolean {
  return kind === 'summary' || kind === 'sheet';
}
