/** Which passages answer this question? The recipe of a search; each numbered line is one stage. */
import type { Hit, Passage, Scope, SearchResult } from '../api/types.ts';
import { retrieve as limits } from './config.ts';
import type { Embedder, Reranker } from './document.ts';
import { anchorsOfRange } from './retrieve/anchors.ts';
import { startClock } from './retrieve/clock.ts';
import { findDuplicates } from './retrieve/duplicates.ts';
import { type Background, type Fused, fuse, sortFused } from './retrieve/fuse.ts';
import { contentFinder, findMatches } from './retrieve/matches.ts';
import {
  type Candidate,
  judge,
  preferPassages,
  type RankedChunk,
  rescore,
} from './retrieve/rank-passages.ts';
import { type ReadQuestion, readQuestion } from './retrieve/read-question.ts';
import { blendRerank } from './retrieve/rerank.ts';
import { narrowScope } from './retrieve/typed-filters.ts';
import { keepQuoted, type Lists, readLists, scopesOf } from './search-lists.ts';
import type { StoreReader } from './store/types.ts';
import { widenChunk } from './widen-passage.ts';

/** An embedder with the weights that it was calibrated to. */
export interface WeightedEmbedder {
  embedder: Embedder;
  /** Weights of keyword coverage and of cosine; they add up to 1. */
  keywordWeight: number;
  vectorWeight: number;
  /** How its cosines are spread, where that was measured; else the library's own passages tell. */
  calibration?: (Background & { nothingCosine: number }) | undefined;
  /** The one that ships with the program: it knows words, not what they are about. Default false. */
  isBuiltIn?: boolean;
}

export interface SearchParts {
  store: StoreReader;
  /** Better ones first: the first that has a passage's vector speaks for its meaning. None: search is by keywords only. */
  embedders: WeightedEmbedder[];
  reranker?: Reranker | undefined;
}

export interface SearchRequest {
  question: string;
  scope?: Scope | undefined;
  /** Hits to return, default 10. */
  limit?: number | undefined;
  /** Shows each passage with the neighbours that speak of the same thing; ranks are taken before. Default false. */
  isWidened?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Never fails for what the question holds: an empty one, operators or only signs find nothing. */
export async function search(parts: SearchParts, request: SearchRequest): Promise<SearchResult> {
  const { store } = parts;
  const { signal, limit = 10 } = request;
  const clock = startClock();
  // 1. Read the question: language, words, exact phrases, marked numbers, typed filters.
  const read = readQuestion(request.question);
  const scope = narrowScope(request.scope, read.filters);
  const scopes = await scopesOf(store, scope, read.filters.title);
  clock.mark('read');
  // 2. Ask for every list: words, exact phrases and numbers, meaning. A mistyped question is repaired here.
  const [lists, coverage] = await Promise.all([
    readLists(parts, read, scopes, signal),
    store.coverage(scope),
  ]);
  clock.mark('lists');
  // 3. Fuse them by their calibrated weights.
  const fused = fuse(lists.keyword, lists.vectors);
  // 4. Force in what holds an exact phrase or marked number, load the best with their text, keep what holds the phrases.
  const loaded = await loadShortlist(store, fused, lists, read);
  const quoted = keepQuoted(loaded, lists.forced);
  clock.mark('load');
  // 5. Weigh again where languages differ, let summaries speak for their documents.
  const ranked = preferPassages(rescore(quoted ?? loaded, lists.terms, lists.vectors, read.language));
  // 6. Rerank.
  const reranked = await rerank(parts.reranker, read.text, ranked, signal);
  clock.mark('rank');
  // 7. Leave out what repeats a better passage.
  const distinct = await dropDuplicates(parts, reranked, limit);
  clock.mark('diversify');
  // 8. Judge whether anything is relevant; else keep only the nearest.
  const judgement = quoted ? judge(distinct, lists.vectors) : 'nothing';
  const shown = distinct.slice(0, judgement === 'nothing' ? Math.min(limit, limits.nearestHits) : limit);
  // 9. Show: neighbours, places in the original, matching words, why.
  const wide = request.isWidened ? await widen(parts, shown) : shown;
  const hits = await toHits(store, wide, read);
  clock.mark('show');
  return {
    question: request.question,
    ...(lists.repaired === undefined ? {} : { readAs: lists.repaired }),
    language: read.language,
    hits,
    judgement,
    method: lists.vectors.length > 0 ? 'hybrid' : 'keywords',
    coverage,
    ...(scope === undefined ? {} : { scope }),
    stages: clock.stages,
    elapsedMs: clock.elapsedMs(),
  };
}

async function loadShortlist(
  store: StoreReader,
  fused: Fused[],
  lists: Lists,
  read: ReadQuestion,
): Promise<Candidate[]> {
  const byChunk = new Map(fused.map((entry) => [entry.chunkId, entry]));
  const forced = new Map<number, { entry: Fused; moves: string[] }>();
  for (const { candidates, move } of lists.forced) {
    for (const candidate of candidates) {
      const entry = byChunk.get(candidate.chunkId) ?? {
        ...candidate,
        score: 0,
        coverage: 0,
        cosines: lists.vectors.map(() => undefined),
        lists: [],
        moves: [],
      };
      const known = forced.get(candidate.chunkId);
      if (known) known.moves.push(move);
      else forced.set(candidate.chunkId, { entry, moves: [move] });
    }
  }
  const entries = new Map(fused.slice(0, limits.shortlistLength).map((entry) => [entry.chunkId, entry]));
  for (const [chunkId, { entry }] of forced) entries.set(chunkId, entry);
  const chunks = await store.chunks([...entries.keys()]);
  return chunks.map((chunk) => ({
    ...entries.get(chunk.chunkId)!,
    chunk,
    moves: [
      ...(forced.get(chunk.chunkId)?.moves ?? []),
      ...(lists.repaired === undefined ? [] : [`repaired: ${lists.repaired}`]),
    ],
    isForced: forced.has(chunk.chunkId),
    holds: read.phrases.length + read.marks.length > 0 ? (forced.get(chunk.chunkId)?.moves.length ?? 0) : 0,
  }));
}

async function rerank(
  reranker: Reranker | undefined,
  question: string,
  ranked: Candidate[],
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  if (!reranker || ranked.length < 2) return ranked;
  const scores = await reranker.score(
    question,
    ranked.map(({ chunk }) => chunk.text),
    signal,
  );
  const blended = blendRerank(
    ranked.map(({ score }) => score),
    scores,
  );
  const moved = sortFused(ranked.map((candidate, index) => ({ ...candidate, score: blended[index]! })));
  return [...moved.filter(({ isForced }) => isForced), ...moved.filter(({ isForced }) => !isForced)].map(
    (candidate, index) => {
      const before = ranked.findIndex(({ chunkId }) => chunkId === candidate.chunkId);
      if (before === index) return candidate;
      return { ...candidate, moves: [...candidate.moves, `reranked: from ${before + 1} to ${index + 1}`] };
    },
  );
}

async function dropDuplicates(parts: SearchParts, ranked: Candidate[], limit: number): Promise<Candidate[]> {
  // Each shown passage may repeat at most one other; twice as many are enough to fill the list.
  const near = ranked.slice(0, Math.max(2 * limit, limits.nearestHits));
  // The built-in embedder's cosine says little that common words do not.
  const first = parts.embedders.find(({ isBuiltIn }) => !isBuiltIn)?.embedder;
  const vectors = first
    ? await parts.store.vectors(
        first.fingerprint,
        near.map(({ chunkId }) => chunkId),
      )
    : new Map<number, Float32Array>();
  const duplicates = findDuplicates(
    near.map(({ chunkId, chunk }) => {
      const vector = vectors.get(chunkId);
      return vector ? { text: chunk.text, vector } : { text: chunk.text };
    }),
  );
  return near.filter((_, index) => !duplicates.has(index));
}

/** Needs vectors: without an embedder nothing tells whether a neighbour belongs. */
async function widen({ store, embedders }: SearchParts, shown: Candidate[]): Promise<Candidate[]> {
  const [first] = embedders;
  if (first === undefined) return shown;
  return Promise.all(
    shown.map(async (candidate) => ({
      ...candidate,
      chunk: await widenChunk(store, candidate.chunk, first),
    })),
  );
}

async function toHits(store: StoreReader, candidates: Candidate[], read: ReadQuestion): Promise<Hit[]> {
  const passages = await showPassages(
    store,
    candidates.map(({ chunk }) => chunk),
  );
  const finder = contentFinder(read.terms);
  return candidates.map(({ chunk, score, lists, moves }, index) => ({
    ...passages[index]!,
    rank: index + 1,
    score,
    matches: findMatches(chunk.text, finder, chunk.language),
    why: { lists, moves },
  }));
}

/** Chunks as passages, with their places in the original. */
export async function showPassages(store: StoreReader, chunks: RankedChunk[]): Promise<Passage[]> {
  const ranges = chunks.map(({ document, start, end }) => ({ documentId: document.id, start, end }));
  const blocks = await store.blocksOf(ranges);
  return chunks.map((chunk, index) => {
    const { language: _language, modifiedAtMs: _modifiedAtMs, ...document } = chunk.document;
    const { start, end, text, headings } = chunk;
    return { document, start, end, text, headings, anchors: anchorsOfRange(blocks[index]!, start, end) };
  });
}
