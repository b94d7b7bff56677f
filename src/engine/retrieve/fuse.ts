/** How do several ranked lists become one? */
import type { Language, Why } from '../../api/types.ts';
import { retrieve as limits } from '../config.ts';

/** One entry of a ranked list. */
export interface Scored {
  chunkId: number;
  documentId: number;
  /** Keyword list: coverage. Vector lists: cosine. */
  score: number;
}

/** How an embedder's cosines lie between a question and passages that have nothing to do with it. */
export interface Background {
  mean: number;
  /** Standard deviation, above 0. */
  spread: number;
}

/** A list of one embedder, with what it was calibrated to. */
export interface VectorList {
  name: string;
  /** Scores are cosines. */
  entries: Scored[];
  /** Weights of keyword coverage and of meaning; they add up to 1. */
  keywordWeight: number;
  vectorWeight: number;
  background: Background;
  /** Meaning, see toMeaning, from which on a passage is relevant whatever its words are. */
  relevantMeaning: number;
}

/** A candidate with everything that its place was made from. */
export interface Fused {
  chunkId: number;
  documentId: number;
  score: number;
  /** Share of the question's weight that the passage holds, 0 to 1; 0 when no keyword list held it. */
  coverage: number;
  /** By vector list, in their order; undefined where the passage has no vector there. */
  cosines: (number | undefined)[];
  lists: Why['lists'];
  moves: string[];
}

/** BM25 as a share of the most that the question's terms can earn; a little above 1 where words stand as they were typed. */
export function toCoverage<T extends Scored>(candidates: T[], coverageScale: number): T[] {
  if (coverageScale <= 0) return candidates.map((candidate) => ({ ...candidate, score: 0 }));
  return candidates.map((candidate) => ({
    ...candidate,
    score: Math.max(0, candidate.score / coverageScale),
  }));
}

/** Joins the lists; every candidate of any list is there once, best first. */
export function fuse(keyword: Scored[], vectors: VectorList[]): Fused[] {
  const byChunk = new Map<number, Fused>();
  const entryOf = ({ chunkId, documentId }: Scored): Fused => {
    let entry = byChunk.get(chunkId);
    if (!entry) {
      entry = {
        chunkId,
        documentId,
        score: 0,
        coverage: 0,
        cosines: vectors.map(() => undefined),
        lists: [],
        moves: [],
      };
      byChunk.set(chunkId, entry);
    }
    return entry;
  };
  keyword.forEach((scored, index) => {
    const entry = entryOf(scored);
    entry.coverage = scored.score;
    entry.lists.push({ name: 'keywords', rank: index + 1, score: scored.score });
  });
  vectors.forEach((list, at) => {
    list.entries.forEach((scored, index) => {
      const entry = entryOf(scored);
      entry.cosines[at] = scored.score;
      entry.lists.push({ name: list.name, rank: index + 1, score: scored.score });
    });
  });
  const fused = [...byChunk.values()];
  const share = meaningShare(fused);
  // Languages are known only once texts are loaded: here each passage gets the benefit of the doubt.
  for (const entry of fused) entry.score = fusedScore(entry, vectors, undefined, share);
  return sortFused(fused);
}

/** Mean and spread of cosines with passages taken at random. */
export function backgroundOf(cosines: number[]): Background {
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, cosines.length);
  const variance =
    cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / Math.max(1, cosines.length);
  // A library of one text repeated has no spread.
  return { mean, spread: Math.max(Math.sqrt(variance), limits.leastSpread) };
}

/**
 * A cosine as it stands out of its background, in the units of the built-in embedder, so that embedders whose cosines lie
 * between 0.7 and 0.9 can be compared with others: 0 is nothing in common, 0.3 much. (cosine − mean) / spread × 0.07.
 */
export function toMeaning(cosine: number, { mean, spread }: Background): number {
  return ((cosine - mean) / spread) * limits.meaningSpread;
}

/**
 * How much meaning adds to what words say, 0 to 1: nothing where some passage holds a good part of the question's words.
 * Measured: a constant share costs a point of Hit@1 in four sets of five.
 */
export function meaningShare(candidates: Pick<Fused, 'coverage'>[]): number {
  const best = candidates.reduce((most, { coverage }) => Math.max(most, coverage), 0);
  return Math.max(0, 1 - best / limits.decisiveCoverage);
}

/**
 * Coverage plus meaning, each by its weight, coverage counting 1; the first list that has the passage's vector speaks for its
 * meaning. In the question's language meaning stands for the coverage that it makes likely; in another one, where a passage
 * can't earn credit for its words, it adds to what names and numbers earned.
 */
export function fusedScore(
  { coverage, cosines }: Pick<Fused, 'coverage' | 'cosines'>,
  vectors: VectorList[],
  isSameLanguage: boolean | undefined,
  share: number,
): number {
  const at = cosines.findIndex((cosine) => cosine !== undefined);
  const list = vectors[at];
  // Not embedded yet: its words alone speak for it.
  if (list === undefined) return coverage;
  const meaning = Math.max(0, toMeaning(cosines[at]!, list.background));
  const weight = list.vectorWeight / Math.max(list.keywordWeight, limits.leastKeywordWeight);
  // Where the language is not known yet, words must not count more than those of a passage without a vector.
  const wordFactor = isSameLanguage === undefined ? 1 : limits.otherLanguageWords;
  const worded = isSameLanguage
    ? Math.max(coverage, limits.sameLanguageStand * meaning)
    : wordFactor * coverage + limits.otherLanguageCredit * meaning;
  return worded + weight * share * meaning;
}

/** "und" is no language to differ in: numbers and names are at home everywhere. */
export function isSameLanguage(question: Language, passage: Language): boolean {
  return question === passage || question === 'und' || passage === 'und';
}

/** Best first; equal scores keep the order of the index, so that a search always answers alike. */
export function sortFused<T extends { score: number; chunkId: number }>(entries: T[]): T[] {
  return entries.sort((a, b) => b.score - a.score || a.chunkId - b.chunkId);
}
