/** How long does a question take in a large library, by words and by meaning, and which stage takes it? */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nearest } from '../../src/engine/config.ts';
import { catchUpVectors } from '../../src/engine/embed-catch-up.ts';
import { search, type WeightedEmbedder } from '../../src/engine/search.ts';
import { openForReading } from '../../src/engine/store/connection.ts';
import { NearestFiles } from '../../src/engine/store/nearest-search.ts';
import { Scopes } from '../../src/engine/store/scope-extent.ts';
import { VectorSearch } from '../../src/engine/store/search-vectors.ts';
import type { StoreApi } from '../../src/engine/store/types.ts';
import { type BenchContext, type Section, scaled } from './bench-context.ts';
import { openLibrary } from './open-library.ts';
import { median, percentile, type Row } from './report.ts';
import { createRandom, readVocabulary, syntheticQuestions, syntheticVector } from './synthetic.ts';
import { fillLibrary } from './synthetic-library.ts';

const section = 'search';
const QUESTIONS = 500;
/** Asked before the clock starts, so that the cache is warm as in a running application. */
const WARM_UP = 50;
const PROGRESS_EVERY = 20_000;
/** Questions whose nearest passages are compared with an exact search. */
const COMPARED = 50;
const NEAREST = 50;
const LIST = 100;
const BUILT_IN_DIMENSIONS = 256;
/** The nearest-neighbour file is waited for so long; it is built in the background. */
const MAX_BUILD_MS = 30 * 60_000;

interface Size {
  passages: number;
  p50AtMost: number;
  p95AtMost: number;
}

const hundredThousand: Size = { passages: 100_000, p50AtMost: 25, p95AtMost: 60 };
const million: Size = { passages: 1_000_000, p50AtMost: 60, p95AtMost: 150 };
/** Of words alone at 100,000. */
const keywordsAtMost = 15;
/** Documents whose number holds these digits lie scattered over the whole library. */
const scattered = { pathPart: '77' };

export const measureSearch: Section = async (context) => {
  const vocabulary = readVocabulary();
  if (!vocabulary)
    return [{ section, what: 'a question', unit: 'ms' as const, note: 'the test data is absent' }];
  const rows: Row[] = [];
  for (const size of context.withMillion ? [hundredThousand, million] : [hundredThousand]) {
    const passages = scaled(size.passages, context, 1_000);
    rows.push(...(await measureSize(context, { ...size, passages }, vocabulary)));
  }
  return rows;
};

async function measureSize(context: BenchContext, size: Size, vocabulary: string[]): Promise<Row[]> {
  const folder = context.folder('library');
  const library = await openLibrary(folder);
  try {
    const { store, models } = library;
    await fillLibrary(store, { vocabulary, passages: size.passages }, (written) => {
      if (written % PROGRESS_EVERY === 0) context.note(`${written} of ${size.passages} passages written`);
    });
    const asked = syntheticQuestions({
      vocabulary,
      passages: size.passages,
      questions: scaled(QUESTIONS, context, 50),
    });
    const questions = asked.map(({ question }) => question);
    const words = await time(store, [], questions);
    const narrow = await time(store, [], questions, scattered);
    const starter = await models.starter();
    const embedder = starter ?? randomEmbedder();
    const note = starter ? 'by the built-in embedder' : 'random vectors: the built-in embedder is not here';
    context.note(`vectors ${note}`);
    await catchUpVectors({ store, embedder: embedder.embedder });
    const builtMs = await waitForFile(folder, size.passages);
    const both = await time(store, [embedder], questions);
    const recall = await recallOf(folder, embedder, questions);
    const at = `${size.passages.toLocaleString('en')} passages`;
    const { p50AtMost, p95AtMost } = size;
    return [
      ...rowsOf(`words alone, ${at}`, words, { ...size, p50AtMost: Math.min(keywordsAtMost, p50AtMost) }),
      ...rowsOf(`words in 1/50 of the documents, scattered, ${at}`, narrow, { ...size, p50AtMost: 60 }),
      ...rowsOf(`words and meaning, ${at}`, both, { ...size, p50AtMost, p95AtMost }, note),
      {
        ...{ section, unit: '%' as const, what: `of the ${NEAREST} nearest found, ${at}` },
        ...{ value: 100 * recall, atLeast: 97 },
        note: `nearest-neighbour file waited for ${Math.round(builtMs / 1000)} s`,
      },
    ];
  } finally {
    await library.close();
  }
}

interface Times {
  all: number[];
  stages: Map<string, number[]>;
  missed: number;
}

async function time(
  store: StoreApi,
  embedders: WeightedEmbedder[],
  questions: string[],
  scope?: { pathPart: string },
): Promise<Times> {
  const ask = (question: string) => search({ store, embedders }, { question, scope });
  for (const question of questions.slice(0, WARM_UP)) await ask(question);
  const times: Times = { all: [], stages: new Map(), missed: 0 };
  for (const question of questions) {
    const from = performance.now();
    const result = await ask(question);
    times.all.push(performance.now() - from);
    if (result.hits.length === 0) times.missed += 1;
    for (const { stage, ms } of result.stages)
      times.stages.set(stage, [...(times.stages.get(stage) ?? []), ms]);
  }
  return times;
}

function rowsOf(what: string, { all, stages, missed }: Times, size: Size, note?: string): Row[] {
  const inWords = [...stages].map(([stage, each]) => `${stage} ${median(each).toFixed(1)}`).join(', ');
  const about = `${all.length} questions, ${missed} without a hit`;
  const row = { section, unit: 'ms' as const };
  return [
    {
      ...row,
      ...{ what: `${what}, p50`, value: median(all), atMost: size.p50AtMost },
      note: `median stages, ms: ${inWords}`,
    },
    {
      ...row,
      ...{ what: `${what}, p95`, value: percentile(all, 95), atMost: size.p95AtMost },
      note: note ? `${about}; ${note}` : about,
    },
  ];
}

/** Stands in where the built-in embedder's files are not there: its length, and no order that a search could use. */
function randomEmbedder(): WeightedEmbedder {
  const random = createRandom(11);
  return {
    embedder: {
      ...{ fingerprint: 'random', dimensions: BUILT_IN_DIMENSIONS, maxTokens: 512 },
      embed: async (texts) => texts.map(() => syntheticVector(BUILT_IN_DIMENSIONS, random)),
    },
    ...{ keywordWeight: 0.7, vectorWeight: 0.3 },
  };
}

/** Until the file that stands beside the library holds nearly all passages; at once where the library is too small for one. */
async function waitForFile(folder: string, passages: number): Promise<number> {
  const start = performance.now();
  const held = () => {
    const mark = readdirSync(folder).find((name) => name.includes('.nearest-') && name.endsWith('.json'));
    return mark === undefined ? 0 : Number(JSON.parse(readFileSync(path.join(folder, mark), 'utf8')).count);
  };
  const wanted =
    passages < nearest.leastVectors ? 0 : passages * (1 - nearest.packedAddedShare) - nearest.leastAdded;
  while (held() < wanted && performance.now() - start < MAX_BUILD_MS)
    await new Promise((resolve) => setTimeout(resolve, 500));
  return performance.now() - start;
}

/** Share of the exactly nearest passages that the file finds, as a search asks it. */
async function recallOf(
  folder: string,
  { embedder }: WeightedEmbedder,
  questions: string[],
): Promise<number> {
  const file = path.join(folder, 'library.db');
  const db = openForReading(file);
  const [near, exact] = [1, 0].map(
    (version) => new VectorSearch(db, new Scopes(db), new NearestFiles(db, file, Int32Array.of(version))),
  );
  const vectors = await embedder.embed(questions.slice(0, COMPARED), 'query');
  let shared = 0;
  let all = 0;
  for (const vector of vectors) {
    const ask = (search: VectorSearch) => search.candidates(embedder.fingerprint, vector, undefined, LIST);
    const found = new Set(ask(near!).map(({ chunkId }) => chunkId));
    for (const { chunkId } of ask(exact!).slice(0, NEAREST)) {
      all++;
      if (found.has(chunkId)) shared++;
    }
  }
  db.close();
  return all === 0 ? 1 : shared / all;
}
