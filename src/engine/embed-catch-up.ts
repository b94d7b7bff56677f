/** How do chunks get the vectors that they still lack? */
import { embed } from './config.ts';
import type { Embedder } from './document.ts';
import { embeddingText } from './embed/embedding-text.ts';
import type { StoreReader, StoreWriter } from './store/types.ts';

export interface CatchUpOptions {
  store: Pick<StoreReader, 'chunksWithoutVector' | 'vectorCoverage'> & Pick<StoreWriter, 'addVectors'>;
  embedder: Embedder;
  signal?: AbortSignal;
  /** After every stored batch: chunks with a vector, of all. */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/**
 * Embeds every chunk that has no vector of the embedder's fingerprint, a bounded batch at a time. What is stored stays, so it
 * may be stopped at any moment and goes on from there.
 * @returns number of chunks embedded
 * @throws the signal's reason when cancelled, and AppError MODEL_FAILED when the embedder fails
 */
export async function catchUpVectors(options: CatchUpOptions): Promise<number> {
  const { store, embedder, signal, onProgress } = options;
  const { fingerprint, dimensions } = embedder;
  let embedded = 0;
  let afterId = 0;
  let embeddedInPass = 0;
  while (true) {
    signal?.throwIfAborted();
    // 1. the next chunks, in ascending order
    const chunks = await store.chunksWithoutVector(fingerprint, afterId, embed.catchUpChunks);
    if (chunks.length === 0) {
      // A document that became visible meanwhile may lie before the cursor: go on until a pass finds nothing.
      if (embeddedInPass === 0) return embedded;
      afterId = 0;
      embeddedInPass = 0;
      continue;
    }
    // 2. their vectors
    const vectors = await embedder.embed(chunks.map(embeddingText), 'passage', signal);
    // 3. stored
    const rows = chunks.map((chunk, index) => ({ chunkId: chunk.chunkId, vector: vectors[index]! }));
    await store.addVectors(fingerprint, dimensions, rows);
    afterId = rows.at(-1)!.chunkId;
    embedded += rows.length;
    embeddedInPass += rows.length;
    if (onProgress) onProgress(await store.vectorCoverage(fingerprint));
  }
}
