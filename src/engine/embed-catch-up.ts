/** How do chunks get the vectors that they still lack, and when do old ones go? */
import { AppError } from '../api/errors.ts';
import { embed as limits } from './config.ts';
import type { Embedder } from './document.ts';
import { embeddingText } from './embed/embedding-text.ts';
import type { InstalledEmbedder } from './model-host.ts';
import type { StoreReader, StoreWriter } from './store/types.ts';

export interface CatchUpOptions {
  store: Pick<StoreReader, 'documentsWithoutVectors' | 'chunksWithoutVector'> &
    Pick<StoreWriter, 'addVectors'>;
  embedder: Embedder;
  signal?: AbortSignal;
  /** After every stored batch: chunks embedded so far by this call. */
  onProgress?: (embedded: number) => void;
}

/**
 * Embeds every chunk that has no vector of the embedder's fingerprint, the most-asked documents first, then the newest, a
 * bounded batch at a time. What is stored stays, so it may be stopped at any moment and goes on from there.
 * @returns number of chunks embedded
 * @throws the signal's reason when cancelled, and AppError MODEL_FAILED when the embedder fails
 */
export async function catchUpVectors(options: CatchUpOptions): Promise<number> {
  const { store, embedder } = options;
  let embedded = 0;
  for (;;) {
    // 1. which documents, in which order
    const documents = await store.documentsWithoutVectors(embedder.fingerprint, limits.catchUpDocuments);
    // 2. their chunks; documents that became visible meanwhile are met by the next look
    const more = await embedDocuments(options, documents, embedded);
    embedded += more;
    // A look that finds only what can't be stored would be repeated for ever.
    if (more === 0) return embedded;
  }
}

async function embedDocuments(options: CatchUpOptions, documents: number[], before: number): Promise<number> {
  const { store, embedder, signal, onProgress } = options;
  const { fingerprint, dimensions } = embedder;
  let embedded = 0;
  for (let at = 0; at < documents.length; ) {
    signal?.throwIfAborted();
    const group = documents.slice(at, at + limits.catchUpGroup);
    const chunks = await store.chunksWithoutVector(fingerprint, group, limits.catchUpChunks);
    if (chunks.length > 0) {
      const vectors = await embedder.embed(chunks.map(embeddingText), 'passage', signal);
      const rows = chunks.map(({ chunkId }, index) => ({ chunkId, vector: vectors[index]! }));
      await store.addVectors(fingerprint, dimensions, rows);
      embedded += rows.length;
      onProgress?.(before + embedded);
    }
    // A full batch may not be all of the group: what is stored is not met again.
    if (chunks.length < limits.catchUpChunks) at += group.length;
  }
  return embedded;
}

interface DropOptions {
  store: Pick<StoreReader, 'fingerprints' | 'documentsWithoutVectors'> & Pick<StoreWriter, 'dropVectors'>;
  /** What is searched with now. */
  embedders: Pick<InstalledEmbedder, 'id' | 'isBuiltIn' | 'embedder'>[];
  /** Every model that is installed, in use or not. */
  installed: { id: string; isBuiltIn: boolean }[];
  signal?: AbortSignal;
}

/**
 * Drops the vectors that others have replaced: of a model that is gone, of an older version of one in use, and of a better
 * embedder that another one took the place of. Nothing goes while any embedder in use lacks a single vector, and nothing of
 * a model that is merely not running now.
 */
export async function dropOldVectors(options: DropOptions): Promise<void> {
  const { store, embedders, installed, signal } = options;
  if (embedders.length === 0) return;
  for (const { embedder } of embedders) {
    if ((await store.documentsWithoutVectors(embedder.fingerprint, 1)).length > 0) return;
  }
  const inUse = new Set(embedders.map(({ embedder }) => embedder.fingerprint));
  const hasBetter = embedders.some(({ isBuiltIn }) => !isBuiltIn);
  for (const fingerprint of await store.fingerprints()) {
    const id = fingerprint.slice(0, fingerprint.lastIndexOf(':'));
    const model = installed.find((one) => one.id === id);
    const isReplaced = !model || embedders.some((one) => one.id === id) || (hasBetter && !model.isBuiltIn);
    if (inUse.has(fingerprint) || !isReplaced) continue;
    while ((await store.dropVectors(fingerprint, limits.dropVectors)) === limits.dropVectors) {
      signal?.throwIfAborted();
    }
  }
}

export interface EmbedAllOptions extends Omit<DropOptions, 'store'> {
  store: CatchUpOptions['store'] & DropOptions['store'];
}

/** Gives every chunk the vectors of all embedders in use, then drops what they replaced. Returns how many chunks were embedded. */
export async function embedAll(options: EmbedAllOptions): Promise<number> {
  const { store, embedders, signal } = options;
  // The built-in one first: it takes minutes where a better one takes hours.
  const quickFirst = embedders.toSorted((a, b) => Number(b.isBuiltIn) - Number(a.isBuiltIn));
  let embedded = 0;
  for (const { embedder } of quickFirst) {
    try {
      embedded += await catchUpVectors({ store, embedder, ...(signal ? { signal } : {}) });
    } catch (error) {
      signal?.throwIfAborted();
      // One that fails now goes on another time, and is no reason for the others to wait.
      if (!(error instanceof AppError) || !error.code.startsWith('MODEL_')) throw error;
    }
  }
  await dropOldVectors(options);
  return embedded;
}
