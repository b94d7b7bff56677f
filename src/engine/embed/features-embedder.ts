/** What is the vector of a text whose features are known? By the ONNX graph of the built-in embedder. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { AppError } from '../../api/errors.ts';
import { starter as limits } from '../config.ts';
import type { FeatureReader } from '../language/embedding-features.ts';
import { batchByLength } from './batch-by-length.ts';
import { type JoinedFeatures, joinFeatures } from './join-features.ts';
import { type FeatureSettings, openFeatureReader } from './open-feature-reader.ts';

/** What must be known to run it. Its files were checked. */
export interface FeaturesSpec extends FeatureSettings {
  /** Shown in messages. */
  name: string;
  /** Absolute. */
  modelPath: string;
  dimensions: number;
}

/** Holds the ONNX session and the vocabulary open. */
export class FeaturesEmbedder {
  readonly #spec: FeaturesSpec;
  readonly #reader: FeatureReader;
  readonly #session: InferenceSession;

  private constructor(spec: FeaturesSpec, reader: FeatureReader, session: InferenceSession) {
    this.#spec = spec;
    this.#reader = reader;
    this.#session = session;
  }

  /** @throws AppError MODEL_INVALID when the files are not the two that are understood */
  static async open(spec: FeaturesSpec): Promise<FeaturesEmbedder> {
    const opening = Promise.all([
      openFeatureReader(spec),
      InferenceSession.create(spec.modelPath, {
        executionProviders: ['cpu'],
        // One core is indexing's share of it; a question's vector takes less than a thread's waking.
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        graphOptimizationLevel: 'all',
        // An arena would keep the largest run's memory for good.
        enableCpuMemArena: false,
        logSeverityLevel: 3,
      }),
    ]);
    const [reader, session] = await opening.catch((cause: unknown) => {
      throw invalid(spec.name, `its files can’t be read (${firstLine(cause)})`, cause);
    });
    const names = `${[...session.inputNames].sort().join(', ')} → ${session.outputNames.join(', ')}`;
    if (names !== 'rows, weights → vectors') {
      throw invalid(spec.name, `its graph reads ${names}, not rows, weights → vectors`);
    }
    return new FeaturesEmbedder(spec, reader, session);
  }

  /** Vectors of unit length, one after the other; of a text without words it is zero. */
  embed(texts: string[]): Promise<Float32Array> {
    return this.embedFeatures(joinFeatures(texts.map((text) => this.#reader.ofText(text))));
  }

  async embedFeatures(features: JoinedFeatures): Promise<Float32Array> {
    const { dimensions } = this.#spec;
    const lengths = [...features.lengths];
    const starts = startsOf(lengths);
    const vectors = new Float32Array(lengths.length * dimensions);
    for (const batch of batchByLength(lengths, () => limits.batchFeatures, limits.batchTexts)) {
      const values = await this.#run(features, batch, lengths, starts);
      batch.forEach((text, row) => {
        vectors.set(values.subarray(row * dimensions, (row + 1) * dimensions), text * dimensions);
      });
    }
    return vectors;
  }

  async #run(
    features: JoinedFeatures,
    batch: number[],
    lengths: number[],
    starts: number[],
  ): Promise<Float32Array> {
    const width = Math.max(1, ...batch.map((text) => lengths[text]!));
    const rows = new Int32Array(batch.length * width);
    const weights = new Float32Array(batch.length * width);
    batch.forEach((text, row) => {
      const [from, to] = [starts[text]!, starts[text]! + lengths[text]!];
      rows.set(features.rows.subarray(from, to), row * width);
      weights.set(features.weights.subarray(from, to), row * width);
    });
    const shape = [batch.length, width];
    const results = await this.#session.run({
      rows: new Tensor('int32', rows, shape),
      weights: new Tensor('float32', weights, shape),
    });
    const { data } = results.vectors!;
    const { name, dimensions } = this.#spec;
    if (data instanceof Float32Array && data.length === batch.length * dimensions) return data;
    throw invalid(name, `its vectors do not have the ${dimensions} dimensions that its manifest promises`);
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

function startsOf(lengths: number[]): number[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return at - length;
  });
}

function invalid(name: string, why: string, cause?: unknown): AppError {
  return new AppError('MODEL_INVALID', `Model can’t be used: ${name}: ${why}: install Lectern again.`, {
    cause,
  });
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!.slice(0, 300);
}
