/** How is a library opened, and how do calls reach its threads? */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Piscina } from 'piscina';
import { AppError } from '../../api/errors.ts';
import { store as limits } from '../config.ts';
import { damageMark } from './connection.ts';
import { NearestKeeper } from './nearest-keeper.ts';
import type { PackedBatch } from './pack-batch.ts';
import { type Call, type Outcome, unwrap } from './thread-calls.ts';
import type { ChunkVectors, StoreApi, StoreReader, StoreWriter } from './types.ts';
import type { WriterCalls } from './writer-thread.ts';

export interface StoreOptions {
  /** Absolute path of the database file; its folder is made if need be. */
  path: string;
  /** Absolute paths of the thread entries. */
  entries: { writerThread: string; readerThread: string; nearestThread: string };
}

/** A library that is open: StoreApi over one writer thread and some reader threads. */
export interface Store extends StoreApi {
  /** Where a damaged library was moved to when this one was begun in its place; tell the user and index again. */
  readonly setAside: string | undefined;
}

// The compiler holds these lists to the interfaces: a method that is missing or unknown is an error.
const readerCalls: Record<keyof StoreReader, true> = {
  folders: true,
  knownFiles: true,
  knownMembers: true,
  memberCounts: true,
  orphans: true,
  documents: true,
  ledgerCounts: true,
  exclusions: true,
  document: true,
  documentByPath: true,
  contentHash: true,
  sheets: true,
  sheetRows: true,
  counts: true,
  coverage: true,
  chunkCount: true,
  generation: true,
  keywordCandidates: true,
  phraseCandidates: true,
  vectorCandidates: true,
  cosines: true,
  cosinesAnywhere: true,
  vectors: true,
  chunks: true,
  chunksByOrdinal: true,
  blocks: true,
  blocksOf: true,
  vectorCoverage: true,
  documentsWithoutVectors: true,
  chunksWithoutVector: true,
  fingerprints: true,
  conversations: true,
  conversation: true,
  evaluationRun: true,
  setting: true,
};

const writerCalls: Record<keyof StoreWriter, true> = {
  addFolder: true,
  removeFolder: true,
  setExclusions: true,
  markFolder: true,
  beginDocument: true,
  appendBatch: true,
  finishDocument: true,
  failDocument: true,
  abandonDocument: true,
  writeDocuments: true,
  touchDocument: true,
  distrust: true,
  removeDocuments: true,
  addVectors: true,
  dropVectors: true,
  forgetVectorAdditions: true,
  countAsked: true,
  saveConversation: true,
  removeConversation: true,
  saveEvaluationRun: true,
  setSetting: true,
  checkIntegrity: true,
  optimise: true,
};

/** Buffers that go over to the writer instead of being copied. */
function handedOver(call: Call<StoreWriter>): ArrayBuffer[] {
  const buffers = new Set<ArrayBufferLike>();
  const take = (batch: PackedBatch | undefined, vectors: ChunkVectors | undefined) => {
    if (batch) buffers.add(batch.buffer);
    if (vectors) buffers.add(vectors.values.buffer);
  };
  if (call.method === 'appendBatch') {
    const [, batch, vectors] = call.args as Parameters<StoreWriter['appendBatch']>;
    take(batch, vectors);
  }
  if (call.method === 'writeDocuments') {
    const [, documents] = call.args as Parameters<StoreWriter['writeDocuments']>;
    for (const document of documents) if ('finished' in document) take(document.batch, document.vectors);
  }
  return [...buffers] as ArrayBuffer[];
}

/** Calls after which a nearest-neighbour file may no longer agree. */
const changesVectors: ReadonlySet<keyof StoreWriter> = new Set<keyof StoreWriter>([
  'addVectors',
  'appendBatch',
  'writeDocuments',
  'finishDocument',
  'removeDocuments',
  'removeFolder',
  'dropVectors',
]);

/** An object whose every method is one call sent to a pool of threads. */
function remote<Api>(names: Record<keyof Api, true>, send: (call: Call<Api>) => Promise<unknown>): Api {
  const methods = (Object.keys(names) as (keyof Api)[]).map((method) => [
    method,
    (...args: unknown[]) => send({ method, args }),
  ]);
  return Object.fromEntries(methods) as Api;
}

/**
 * Opens the library at a path, made new where none stands. Throws LIBRARY_BUSY while another process has it open and
 * LIBRARY_NEWER when a newer Lectern wrote it; a damaged one is set aside, see Store.setAside.
 */
async function open(options: StoreOptions): Promise<Store> {
  mkdirSync(dirname(options.path), { recursive: true });
  const nearestVersion = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const pool = (filename: string, minThreads: number, maxThreads: number) =>
    new Piscina<unknown, Outcome>({
      filename,
      minThreads,
      maxThreads,
      idleTimeout: Number.POSITIVE_INFINITY,
      resourceLimits: { maxYoungGenerationSizeMb: limits.youngHeapMb },
      workerData: { path: options.path, nearestVersion: nearestVersion.buffer },
    });
  let isClosed = false;
  const send = async <Api>(
    threads: Piscina<unknown, Outcome>,
    call: Call<Api>,
    transferList: ArrayBuffer[] = [],
  ): Promise<unknown> => {
    if (isClosed)
      throw new AppError(
        'ENGINE_GONE',
        `Using the library failed: ${options.path} is closed: open it again.`,
      );
    const outcome = await threads.run(call, { name: 'handle', transferList });
    if ('code' in outcome && outcome.code === 'LIBRARY_DAMAGED') writeFileSync(damageMark(options.path), '');
    return unwrap(outcome);
  };
  const writers = pool(options.entries.writerThread, 1, 1);
  const { setAside } = await openOrDestroy(writers);
  // The first thread starts at once, further ones with the first calls that find it busy.
  const readers = pool(options.entries.readerThread, 1, limits.readers);
  // One alone holds packed vectors in memory, and compares them while others look for words.
  const vectorReaders = pool(options.entries.readerThread, 0, 1);
  const reading = remote<StoreReader>(readerCalls, (call) =>
    send(call.method === 'vectorCandidates' ? vectorReaders : readers, call),
  );
  const writing = remote<StoreWriter>(writerCalls, async (call) => {
    const result = await send(writers, call, handedOver(call));
    if (changesVectors.has(call.method)) keeper.touch();
    return result;
  });
  const keeper = new NearestKeeper({
    path: options.path,
    entry: options.entries.nearestThread,
    version: nearestVersion,
    chunkCount: reading.chunkCount,
    forget: writing.forgetVectorAdditions,
  });
  const close = async () => {
    if (isClosed) return;
    await keeper.close();
    isClosed = true;
    // Readers first: the last connection to close folds the log back into the library's file.
    await Promise.all([readers.destroy(), vectorReaders.destroy()]);
    unwrap(await writers.run({ method: 'close', args: [] } satisfies Call<WriterCalls>, { name: 'handle' }));
    await writers.destroy();
  };
  return {
    setAside,
    ...reading,
    ...writing,
    close,
  };
}

/** The writer's first call. A pool keeps the process alive, so a library that did not open leaves none behind. */
async function openOrDestroy(writers: Piscina<unknown, Outcome>): Promise<{ setAside: string | undefined }> {
  const call: Call<WriterCalls> = { method: 'open', args: [] };
  const outcome = await writers.run(call, { name: 'handle' });
  if ('code' in outcome) await writers.destroy();
  return unwrap(outcome) as { setAside: string | undefined };
}

export const Store = { open };
