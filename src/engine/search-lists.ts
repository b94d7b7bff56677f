/** What do the keyword index, the phrases and the vectors say to a question? */
import type { Scope } from '../api/types.ts';
import { retrieve as limits } from './config.ts';
import { isFunctionWord } from './language/function-words.ts';
import { words } from './language/words.ts';
import {
  backgroundOf,
  type Scored,
  sortFused,
  toCoverage,
  toMeaning,
  type VectorList,
} from './retrieve/fuse.ts';
import {
  holdsMark,
  type QuestionTerm,
  type ReadQuestion,
  readPhrases,
  stemsOf,
} from './retrieve/read-question.ts';
import { otherReadings } from './retrieve/repair-words.ts';
import { type WeightedTerm, weighTerms } from './retrieve/text-coverage.ts';
import type { SearchParts, WeightedEmbedder } from './search.ts';
import type { StoreReader } from './store/types.ts';

export interface Forced {
  move: string;
  candidates: Scored[];
  /** Of words in quotation marks, which a passage must hold; a marked number only goes first. */
  isPhrase: boolean;
}

export interface Lists {
  /** Best first by coverage. */
  keyword: Scored[];
  /** The question's terms by weight, for weighing loaded passages. */
  terms: WeightedTerm[];
  /** One per embedder that answered. */
  vectors: VectorList[];
  /** Passages that must be there, with the reason for the trace. */
  forced: Forced[];
  /** The question as it was meant, where it was typed on the wrong keyboard layout or with look-alike letters. */
  repaired?: string;
}

type Scopes = (Scope | undefined)[];

/** One scope, or one for each document whose title holds the typed words. */
export async function scopesOf(
  store: StoreReader,
  scope: Scope | undefined,
  title: string | undefined,
): Promise<Scopes> {
  if (title === undefined) return [scope];
  const { rows } = await store.documents({
    ...(scope?.folderId === undefined ? {} : { folderId: scope.folderId }),
    state: 'indexed',
    text: title,
    limit: limits.maxTitledDocuments,
    offset: 0,
  });
  const sought = words(title).map(({ word }) => word);
  return rows
    .filter((row) => {
      const held = new Set(words(row.title).map(({ word }) => word));
      return sought.every((word) => [...held].some((other) => other.startsWith(word)));
    })
    .map((row) => ({ ...scope, documentId: row.id }));
}

/** All lists at once; they are independent but for the repair of a mistyped question. */
export async function readLists(
  parts: SearchParts,
  read: ReadQuestion,
  scopes: Scopes,
  signal: AbortSignal | undefined,
): Promise<Lists> {
  if (read.terms.length === 0) return { keyword: [], terms: [], vectors: [], forced: [] };
  const [keyword, vectors, forced] = await Promise.all([
    keywordList(parts.store, contentTerms(read.terms), scopes),
    vectorLists(parts, read.text, scopes, signal),
    forcedLists(parts.store, read, scopes),
  ]);
  const best = keyword.candidates[0]?.score ?? 0;
  const repaired = best < limits.repairCoverage ? await repair(parts.store, read, scopes, best) : undefined;
  if (repaired) {
    const again = await vectorLists(parts, repaired.text, scopes, signal);
    await completeCosines(parts, again, repaired.candidates);
    const { text, candidates, terms } = repaired;
    const meant = await forcedLists(parts.store, { phrases: readPhrases(text), marks: read.marks }, scopes);
    return { keyword: candidates, terms, vectors: again.lists, forced: meant, repaired: text };
  }
  await completeCosines(parts, vectors, keyword.candidates);
  return { keyword: keyword.candidates, terms: keyword.terms, vectors: vectors.lists, forced };
}

/** Function words find everything and tell nothing; a question of nothing else keeps them. */
function contentTerms(terms: QuestionTerm[]): QuestionTerm[] {
  const content = terms.filter(({ word }) => !isFunctionWord(word));
  return content.length > 0 ? content : terms;
}

interface KeywordList {
  candidates: Scored[];
  terms: WeightedTerm[];
}

async function keywordList(store: StoreReader, terms: QuestionTerm[], scopes: Scopes): Promise<KeywordList> {
  const lists = await Promise.all(
    scopes.map((scope) => store.keywordCandidates({ terms }, scope, limits.listLength)),
  );
  const scored = lists.flatMap(({ candidates, coverageScale }) => toCoverage(candidates, coverageScale));
  return {
    candidates: sortFused(scored).slice(0, limits.listLength),
    terms: weighTerms(terms, lists[0]?.frequencies ?? [], lists[0]?.total ?? 0),
  };
}

interface AnsweredVectors {
  lists: VectorList[];
  queries: { fingerprint: string; vector: Float32Array }[];
}

/** An embedder whose process fails is left out: the search goes on by words and its method says so. */
async function vectorLists(
  parts: SearchParts,
  question: string,
  scopes: Scopes,
  signal: AbortSignal | undefined,
): Promise<AnsweredVectors> {
  const settled = await Promise.allSettled(
    parts.embedders.map((weighted) => vectorList(parts.store, weighted, question, scopes, signal)),
  );
  signal?.throwIfAborted();
  const answered = settled.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  return {
    lists: answered.map(({ list }, at) => ({ ...list, name: at === 0 ? 'meaning' : 'starter' })),
    queries: answered.map(({ query }) => query),
  };
}

async function vectorList(
  store: StoreReader,
  { embedder, keywordWeight, vectorWeight, calibration }: WeightedEmbedder,
  question: string,
  scopes: Scopes,
  signal: AbortSignal | undefined,
): Promise<{ list: Omit<VectorList, 'name'>; query: AnsweredVectors['queries'][number] }> {
  const { fingerprint } = embedder;
  const [vector] = await embedder.embed([question], 'query', signal);
  const [found, anywhere] = await Promise.all([
    Promise.all(
      scopes.map((scope) => store.vectorCandidates(fingerprint, vector!, scope, limits.listLength)),
    ),
    store.cosinesAnywhere(fingerprint, vector!, limits.backgroundPassages),
  ]);
  const entries = sortFused(found.flat()).slice(0, limits.listLength);
  return {
    list: { entries, keywordWeight, vectorWeight, ...scaleOf(calibration, anywhere) },
    query: { fingerprint, vector: vector! },
  };
}

/**
 * The mean is the question's own where the library is large enough to tell: it lies higher in a library about one thing. So
 * does the spread, and there a difference of cosines says less; a library of uniform passages must not make more of it.
 */
function scaleOf(
  calibration: WeightedEmbedder['calibration'],
  anywhere: number[],
): Pick<VectorList, 'background' | 'relevantMeaning'> {
  const own = anywhere.length >= limits.leastBackgroundPassages ? backgroundOf(anywhere) : undefined;
  if (!calibration) {
    const background = own ?? { mean: limits.meaningMean, spread: limits.meaningSpread };
    return { background, relevantMeaning: limits.relevantMeaning };
  }
  return {
    background: {
      mean: own?.mean ?? calibration.mean,
      spread: Math.max(own?.spread ?? 0, calibration.spread),
    },
    relevantMeaning: toMeaning(calibration.nothingCosine, calibration),
  };
}

/** Gives every candidate of any list its exact cosine in the others, so that all sums are whole. */
async function completeCosines(
  parts: SearchParts,
  vectors: AnsweredVectors,
  keyword: Scored[],
): Promise<void> {
  const all = new Map(
    [...keyword, ...vectors.lists.flatMap(({ entries }) => entries)].map((one) => [one.chunkId, one]),
  );
  await Promise.all(
    vectors.lists.map(async (list, at) => {
      const known = new Set(list.entries.map(({ chunkId }) => chunkId));
      const missing = [...all.values()].filter(({ chunkId }) => !known.has(chunkId));
      const { fingerprint, vector } = vectors.queries[at]!;
      const cosines = await parts.store.cosines(
        fingerprint,
        vector,
        missing.map(({ chunkId }) => chunkId),
      );
      missing.forEach(({ chunkId, documentId }, index) => {
        const score = cosines[index];
        if (score !== undefined) list.entries.push({ chunkId, documentId, score });
      });
      sortFused(list.entries);
    }),
  );
}

/**
 * Words in quotation marks are meant as they stand: only passages that hold every phrase are kept, else those that hold
 * one. Undefined where no passage holds any, so that nothing can answer.
 */
export function keepQuoted<T extends { chunkId: number }>(
  candidates: T[],
  forced: Forced[],
): T[] | undefined {
  const phrases = forced
    .filter(({ isPhrase }) => isPhrase)
    .map((phrase) => new Set(phrase.candidates.map(({ chunkId }) => chunkId)));
  if (phrases.length === 0) return candidates;
  const holdAll = candidates.filter(({ chunkId }) => phrases.every((phrase) => phrase.has(chunkId)));
  if (holdAll.length > 0) return holdAll;
  const holdOne = candidates.filter(({ chunkId }) => phrases.some((phrase) => phrase.has(chunkId)));
  return holdOne.length > 0 ? holdOne : undefined;
}

async function forcedLists(
  store: StoreReader,
  read: Pick<ReadQuestion, 'phrases' | 'marks'>,
  scopes: Scopes,
): Promise<Forced[]> {
  const find = async (sought: string[]): Promise<Scored[]> =>
    (
      await Promise.all(scopes.map((scope) => store.phraseCandidates(sought, scope, limits.phraseListLength)))
    ).flat();
  const phrases = read.phrases.map(async (phrase) => ({
    move: `forced: exact phrase "${phrase.join(' ')}"`,
    candidates: await find(phrase),
    isPhrase: true,
  }));
  const marks = read.marks.map(async (mark) => {
    const found = await find(words(mark.value).map(({ word }) => word));
    const chunks = await store.chunks(found.map(({ chunkId }) => chunkId));
    const holding = new Set(
      chunks
        .filter(({ text, headings }) => holdsMark([...headings, text].join('\n'), mark))
        .map(({ chunkId }) => chunkId),
    );
    return {
      move: `forced: ${mark.kind === 'section' ? '§' : '№'} ${mark.value}`,
      candidates: found.filter(({ chunkId }) => holding.has(chunkId)),
      isPhrase: false,
    };
  });
  return Promise.all([...phrases, ...marks]);
}

/** Tries other readings of what was typed; kept only where the library knows them much better. */
async function repair(
  store: StoreReader,
  read: ReadQuestion,
  scopes: Scopes,
  before: number,
): Promise<({ text: string } & KeywordList) | undefined> {
  const tokens = read.text.split(/\s+/).filter((token) => token !== '');
  const readings = tokens.slice(0, limits.maxQuestionWords).map((token) => {
    const bare = token.replace(/[.,;:!?]+$/, '');
    return { token, others: [...otherReadings(bare), ...(bare === token ? [] : otherReadings(token))] };
  });
  const variants = Math.max(0, ...readings.map(({ others }) => others.length));
  let best: ({ text: string } & KeywordList) | undefined;
  for (let variant = 0; variant < variants; variant++) {
    const text = readings.map(({ token, others }) => others[variant] ?? others[0] ?? token).join(' ');
    const found = words(text).map(({ word }) => ({ word, stems: stemsOf(word, read.language) }));
    const list = await keywordList(store, contentTerms(found), scopes);
    const score = list.candidates[0]?.score ?? 0;
    const least = 1.5 * Math.max(before, best?.candidates[0]?.score ?? 0);
    if (score >= limits.repairCoverage && score > least) best = { text, ...list };
  }
  return best;
}
