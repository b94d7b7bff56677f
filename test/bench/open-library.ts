/** How is a folder indexed so that the time of each step shows? */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IndexSummary } from '../../src/api/types.ts';
import { catchUpVectors } from '../../src/engine/embed-catch-up.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { indexFolder } from '../../src/engine/index-folder.ts';
import type { ReadTimings } from '../../src/engine/index-timings.ts';
import type { PassageEmbedder } from '../../src/engine/index-write.ts';
import { createModels, type Models } from '../../src/engine/model-host.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import { Store } from '../../src/engine/store/store.ts';
import type { StoreApi, StoreWriter } from '../../src/engine/store/types.ts';
import { processorMs } from './bench-context.ts';

const modelsFolder = fileURLToPath(new URL('../../models', import.meta.url));

export interface BenchLibrary {
  store: StoreApi;
  pool: ParsePool;
  models: Models;
  /** Milliseconds so far in which the writer had something to do. */
  writerMs(): number;
  close(): Promise<void>;
}

/** A new library in an empty folder. */
export async function openLibrary(folder: string): Promise<BenchLibrary> {
  mkdirSync(folder, { recursive: true });
  const opened = await Store.open({ path: path.join(folder, 'library.db'), entries: sourceEntries });
  const { store, writerMs } = watchWriter(opened);
  const pool = new ParsePool({ entry: sourceEntries.indexWorker });
  const models = createModels({
    folders: [modelsFolder],
    entry: sourceEntries.modelProcess,
    starterEntry: sourceEntries.starterThread,
  });
  return {
    store,
    pool,
    models,
    writerMs,
    close: async () => {
      await pool.close();
      await models.close();
      await store.close();
    },
  };
}

const writes = [
  'beginDocument',
  'appendBatch',
  'writeDocuments',
  'finishDocument',
  'failDocument',
  'abandonDocument',
  'touchDocument',
  'removeDocuments',
  'markFolder',
  'addVectors',
  'optimise',
] as const satisfies (keyof StoreWriter)[];

/** Several readers wait for one writer, so their waits overlap: what counts is the time in which anybody waited. */
function watchWriter(store: StoreApi): { store: StoreApi; writerMs: () => number } {
  let waiting = 0;
  let since = 0;
  let total = 0;
  const watched = Object.fromEntries(
    writes.map((name) => {
      const write = store[name] as (...args: unknown[]) => Promise<unknown>;
      return [
        name,
        async (...args: unknown[]) => {
          if (waiting === 0) since = performance.now();
          waiting += 1;
          try {
            return await write.apply(store, args);
          } finally {
            waiting -= 1;
            if (waiting === 0) total += performance.now() - since;
          }
        },
      ];
    }),
  );
  return { store: { ...store, ...watched }, writerMs: () => total };
}

/** Milliseconds that each step worked; parse and chunk run in several workers, so the sum may exceed `elapsedMs`. */
export interface StepTimes {
  parse: number;
  chunk: number;
  embed: number;
  store: number;
}

export interface IndexMeasure {
  summary: IndexSummary;
  /** Wall-clock time, with the vectors. */
  elapsedMs: number;
  /** Processor time of all threads. */
  processorMs: number;
  steps: StepTimes;
  hasEmbedder: boolean;
}

/** Tells how long the embedder was waited for. */
function watchEmbedder(embedder: PassageEmbedder, tell: (ms: number) => void): PassageEmbedder {
  const { fingerprint, dimensions, features } = embedder;
  return {
    ...{ fingerprint, dimensions, features },
    embedFeatures: async (...call) => {
      const from = performance.now();
      try {
        return await embedder.embedFeatures(...call);
      } finally {
        tell(performance.now() - from);
      }
    },
  };
}

/** Reads a folder into the library as the product does. */
export async function indexTimed(library: BenchLibrary, folderPath: string): Promise<IndexMeasure> {
  const { store, pool, models } = library;
  const embedder = (await models.starter())?.embedder;
  const id = await store.addFolder(folderPath, path.basename(folderPath));
  const steps: StepTimes = { parse: 0, chunk: 0, embed: 0, store: 0 };
  const onTimings = ({ check, parse, chunk, embed }: ReadTimings) => {
    steps.parse += check + parse;
    steps.chunk += chunk;
    steps.embed += embed;
  };
  const writerBefore = library.writerMs();
  const processorBefore = processorMs();
  const start = performance.now();
  const watched =
    embedder &&
    watchEmbedder(embedder, (ms) => {
      steps.embed += ms;
    });
  const summary = await indexFolder({
    ...{ store, pool, folder: { id, path: folderPath }, onTimings },
    embedder: watched,
  });
  if (embedder) {
    // Nothing is left to it unless the embedder failed meanwhile.
    const writerBeforeVectors = library.writerMs();
    const from = performance.now();
    await catchUpVectors({ store, embedder });
    steps.embed += performance.now() - from - (library.writerMs() - writerBeforeVectors);
  }
  steps.store = library.writerMs() - writerBefore;
  return {
    ...{ summary, steps, hasEmbedder: embedder !== undefined },
    elapsedMs: performance.now() - start,
    processorMs: processorMs() - processorBefore,
  };
}
