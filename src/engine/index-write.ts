/** How do documents get from the parse workers into the library? Short ones several at a time, long ones batch by batch. */
import { indexing as limits } from './config.ts';
import { concatFeatures, type JoinedFeatures } from './embed/join-features.ts';
import type { FeatureSettings } from './embed/open-feature-reader.ts';
import type { ReadBatch } from './index-messages.ts';
import type {
  ChunkVectors,
  DocumentFailure,
  FileStamp,
  FinishedDocument,
  StoreWriter,
} from './store/types.ts';

/** Makes the vectors of documents that are being read; see StarterEmbedder. */
export interface PassageEmbedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly features: FeatureSettings;
  /** Vectors one after the other; the features are handed over. */
  embedFeatures(features: JoinedFeatures, signal?: AbortSignal): Promise<Float32Array>;
}

/** A document that was read to its end, or the reason why it could not be. */
export type ReadFile = { file: FileStamp } & (
  | { rest?: ReadBatch | undefined; finished: FinishedDocument }
  | { failure: DocumentFailure }
);

export interface DocumentWritesOptions {
  store: Pick<StoreWriter, 'appendBatch' | 'writeDocuments'>;
  folderId: number;
  /** Without it documents are found by their words until somebody catches up. */
  embedder?: PassageEmbedder | undefined;
  /** Documents that are not written when it fires never will be. */
  signal: AbortSignal;
}

interface Waiting {
  read: ReadFile;
  bytes: number;
  written: PromiseWithResolvers<number>;
}

/** Writes what a run reads. A document becomes visible with its vectors, or without any when there is no embedder. */
export class DocumentWrites {
  readonly #options: DocumentWritesOptions;
  #embedder: PassageEmbedder | undefined;
  #group: Waiting[] = [];
  #groupBytes = 0;
  #unwritten = 0;
  #unwrittenBytes = 0;
  #last: Promise<void> = Promise.resolve();
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #room = Promise.withResolvers<void>();
  #failure: { error: unknown } | undefined;

  constructor(options: DocumentWritesOptions) {
    this.#options = options;
    this.#embedder = options.embedder;
  }

  /** What a worker needs to read features; undefined when nobody makes vectors. */
  get features(): FeatureSettings | undefined {
    return this.#embedder?.features;
  }

  /** Takes a short document, waiting while too many are unwritten; `written` gives its number once it is visible. */
  async add(read: ReadFile): Promise<{ written: Promise<number> }> {
    while (this.#isFull()) await this.#room.promise;
    const written = Promise.withResolvers<number>();
    // Whoever does not wait for it hears of its failure by the run's.
    written.promise.catch(() => undefined);
    // Asked now: the bytes are handed over later.
    const bytes = 'finished' in read ? (read.rest?.packed.length ?? 0) : 0;
    this.#unwritten += 1;
    this.#unwrittenBytes += bytes;
    this.#group.push({ read, bytes, written });
    this.#groupBytes += bytes;
    const isFull = this.#group.length >= limits.groupDocuments || this.#groupBytes >= limits.groupBytes;
    const waitMs = isFull ? 0 : this.#sentAt + limits.groupDelayMs - performance.now();
    if (waitMs <= 0) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), waitMs);
    return { written: written.promise };
  }

  /** Writes a batch of a long document. */
  async append(documentId: number, { packed, features }: ReadBatch): Promise<void> {
    const [vectors] = await this.#vectorsOf([features]);
    await this.#options.store.appendBatch(documentId, packed, vectors);
  }

  /** Waits until everything taken is written. Throws what kept it from being written. */
  async settle(): Promise<void> {
    await this.drain();
    if (this.#failure) throw this.#failure.error;
  }

  /** Waits until everything taken is written, or given up. */
  async drain(): Promise<void> {
    this.#send();
    await this.#last;
  }

  #isFull(): boolean {
    return this.#unwritten >= limits.maxUnwritten || this.#unwrittenBytes >= limits.maxUnwrittenBytes;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#group.length === 0) return;
    const group = this.#group;
    this.#group = [];
    this.#groupBytes = 0;
    this.#sentAt = performance.now();
    // The next group is embedded while this one is written.
    const vectors = this.#vectorsOf(
      group.map(({ read }) => ('finished' in read ? read.rest?.features : undefined)),
    );
    this.#last = this.#last.then(async () => this.#write(group, await vectors));
  }

  async #write(group: Waiting[], vectors: (ChunkVectors | undefined)[]): Promise<void> {
    const { store, folderId, signal } = this.#options;
    try {
      signal.throwIfAborted();
      // A container may not stand there without what was taken before it.
      if (this.#failure) throw this.#failure.error;
      const documents = group.map(({ read }, index) => {
        if ('failure' in read) return read;
        const { file, rest, finished } = read;
        const ofChunks = vectors[index];
        return {
          ...{ file, finished },
          ...(rest ? { batch: rest.packed } : {}),
          ...(ofChunks ? { vectors: ofChunks } : {}),
        };
      });
      const ids = await store.writeDocuments(folderId, documents);
      for (const [index, { written }] of group.entries()) written.resolve(ids[index]!);
    } catch (error) {
      this.#failure ??= { error };
      for (const { written } of group) written.reject(error);
    }
    this.#unwritten -= group.length;
    for (const { bytes } of group) this.#unwrittenBytes -= bytes;
    this.#room.resolve();
    this.#room = Promise.withResolvers<void>();
  }

  /** Vectors of several batches, made in one go; of those with chunks that have features. */
  async #vectorsOf(batches: (JoinedFeatures | undefined)[]): Promise<(ChunkVectors | undefined)[]> {
    const embedder = this.#embedder;
    const all = batches.filter((features) => features !== undefined && features.lengths.length > 0);
    if (!embedder || all.length === 0) return batches.map(() => undefined);
    const counts = batches.map((features) => features?.lengths.length ?? 0);
    try {
      const values = await embedder.embedFeatures(
        concatFeatures(all as JoinedFeatures[]),
        this.#options.signal,
      );
      const { fingerprint, dimensions } = embedder;
      let at = 0;
      return counts.map((count) => {
        const own = values.subarray(at, at + count * dimensions);
        at += own.length;
        return count === 0 ? undefined : { fingerprint, dimensions, values: own };
      });
    } catch {
      // Meaning is an extra: the rest of the run goes on by words, and catching up makes what is missing.
      this.#embedder = undefined;
      return batches.map(() => undefined);
    }
  }
}
