/** How does the engine reach the built-in embedder, so that a question never waits for a folder that is being read? */
import { Piscina } from 'piscina';
import { AppError } from '../api/errors.ts';
import { starter as limits } from './config.ts';
import type { Embedder } from './document.ts';
import type { FeaturesSpec } from './embed/features-embedder.ts';
import { buffersOf, cutFeatures, type JoinedFeatures } from './embed/join-features.ts';
import type { FeatureSettings } from './embed/open-feature-reader.ts';
import { Turns } from './embed/turns.ts';
import type { StarterSpec } from './model-specs.ts';
import type { StarterReply } from './starter-thread.ts';

/** The built-in embedder in its own thread. Texts are cut by its own count of words. */
export class StarterEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  /** With these a parse worker reads features for `embedFeatures`. */
  readonly features: FeatureSettings;
  readonly #name: string;
  readonly #thread: Piscina;
  readonly #turns = new Turns();
  #isClosed = false;

  private constructor(spec: StarterSpec, thread: Piscina) {
    const { vocabularyPath, hashedRows, commonRows, maxWords } = spec;
    this.fingerprint = spec.fingerprint;
    this.dimensions = spec.dimensions;
    this.maxTokens = maxWords;
    this.features = { vocabularyPath, hashedRows, commonRows, maxWords };
    this.#name = spec.name;
    this.#thread = thread;
  }

  /**
   * Loads the model, whose files were checked.
   * @param entry absolute path of the thread's entry, see starter-thread.ts
   * @throws AppError MODEL_INVALID when it is no such model
   */
  static async open(entry: string, spec: StarterSpec): Promise<StarterEmbedder> {
    const { name, modelPath, vocabularyPath, hashedRows, commonRows, maxWords, dimensions } = spec;
    const workerData: FeaturesSpec = {
      ...{ name, modelPath, vocabularyPath, hashedRows, commonRows, maxWords, dimensions },
    };
    const thread = new Piscina({
      filename: entry,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: limits.youngHeapMb },
      workerData,
    });
    const starter = new StarterEmbedder(spec, thread);
    try {
      await starter.embed([''], 'query');
    } catch (error) {
      await starter.close();
      throw error;
    }
    return starter;
  }

  /** Questions go first; cancelling is heard between two runs. */
  async embed(texts: string[], role: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += limits.requestTexts) {
      const some = texts.slice(from, from + limits.requestTexts);
      const values = await this.#run(role === 'query', 'embed', some, [], signal);
      some.forEach((_, index) => {
        vectors.push(values.slice(index * this.dimensions, (index + 1) * this.dimensions));
      });
    }
    return vectors;
  }

  /** Vectors of passages, one after the other. The features are handed over: the caller's own are gone. */
  async embedFeatures(features: JoinedFeatures, signal?: AbortSignal): Promise<Float32Array> {
    const vectors = new Float32Array(features.lengths.length * this.dimensions);
    let at = 0;
    for (const piece of cutFeatures(features, limits.requestTexts)) {
      const values = await this.#run(false, 'embedFeatures', piece, buffersOf(piece), signal);
      vectors.set(values, at);
      at += values.length;
    }
    return vectors;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // A session that is open while its thread ends is freed by nobody.
    await this.#thread.run(undefined, { name: 'close' }).catch(() => undefined);
    await this.#thread.destroy();
  }

  async #run(
    isUrgent: boolean,
    name: 'embed' | 'embedFeatures',
    task: unknown,
    transferList: ArrayBuffer[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array> {
    const reply = await this.#turns.take(isUrgent, async () => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw this.#failed('it is closed');
      return this.#thread.run(task, { name, transferList }).catch((cause: unknown) => {
        throw this.#failed(cause instanceof Error ? cause.message : String(cause), cause);
      }) as Promise<StarterReply>;
    });
    if ('code' in reply) throw new AppError(reply.code, reply.message);
    return new Float32Array(reply);
  }

  #failed(why: string, cause?: unknown): AppError {
    return new AppError(
      'MODEL_FAILED',
      `Finding by meaning failed: ${this.#name}: ${why}: start Lectern again.`,
      { cause },
    );
  }
}
