/** How far does a passage go on speaking of the same thing? */
import { retrieve as limits } from './config.ts';
import { cosineOf } from './retrieve/duplicates.ts';
import type { WeightedEmbedder } from './search.ts';
import type { StoredChunk, StoreReader } from './store/types.ts';

/**
 * The chunk grown over its neighbours while their cosine with it says that they speak of the same thing, at most
 * `retrieve.neighbourSteps` each way. Only prose grows: a table's rows and a function are whole by themselves.
 */
export async function widenChunk(
  store: StoreReader,
  chunk: StoredChunk,
  { embedder: { fingerprint }, calibration }: Pick<WeightedEmbedder, 'embedder' | 'calibration'>,
): Promise<StoredChunk> {
  if (chunk.kind !== 'prose') return chunk;
  const { neighbourSteps: steps } = limits;
  const near = await store.chunksByOrdinal(
    chunk.document.id,
    Math.max(0, chunk.ordinal - steps),
    chunk.ordinal + steps,
  );
  const vectors = await store.vectors(
    fingerprint,
    near.map(({ chunkId }) => chunkId),
  );
  const least = calibration
    ? calibration.mean + limits.neighbourSpreads * calibration.spread
    : limits.neighbourCosine;
  const own = vectors.get(chunk.chunkId);
  const belongs = (other: StoredChunk | undefined): other is StoredChunk =>
    other?.kind === 'prose' && (cosineOf(own, vectors.get(other.chunkId)) ?? 0) > least;
  const byOrdinal = new Map(near.map((other) => [other.ordinal, other]));
  const grow = (step: 1 | -1): StoredChunk => {
    let edge = chunk;
    for (let count = 0; count < steps; count++) {
      const next = byOrdinal.get(edge.ordinal + step);
      if (!belongs(next)) break;
      edge = next;
    }
    return edge;
  };
  const [first, last] = [grow(-1), grow(1)];
  if (first === chunk && last === chunk) return chunk;
  const [start, end] = [Math.min(first.start, chunk.start), Math.max(last.end, chunk.end)];
  const blocks = await store.blocks(chunk.document.id, start, end);
  const text = blocks
    .map((block) => block.text.slice(Math.max(0, start - block.start), Math.max(0, end - block.start)))
    .join('');
  return { ...chunk, start, end, text };
}
