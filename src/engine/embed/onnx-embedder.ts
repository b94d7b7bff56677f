/** What is the vector of a text? By an ONNX encoder that its manifest describes. */
import { AppError } from '../../api/errors.ts';
import type { Embedder } from '../document.ts';
import type { EmbedderSpec } from './encoder-spec.ts';
import { OnnxEncoder } from './onnx-encoder.ts';
import { normalise, pool } from './pool.ts';

/** An encoder with pooling. */
export class OnnxEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  private readonly spec: EmbedderSpec;
  private readonly encoder: OnnxEncoder;

  private constructor(spec: EmbedderSpec, encoder: OnnxEncoder) {
    this.spec = spec;
    this.encoder = encoder;
    this.fingerprint = spec.fingerprint;
    this.dimensions = spec.dimensions;
    this.maxTokens = spec.maxTokens;
  }

  /** @throws AppError MODEL_INVALID when the files are no encoder that is understood */
  static async load(spec: EmbedderSpec): Promise<OnnxEmbedder> {
    return new OnnxEmbedder(spec, await OnnxEncoder.load(spec));
  }

  /** Cancelling is heard between two batches. */
  async embed(texts: string[], role: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]> {
    const prefix = role === 'query' ? this.spec.queryPrefix : this.spec.passagePrefix;
    const inputs = await this.encoder.encodeAll(
      texts,
      (tokenizer, text) => tokenizer.encode(prefix + text),
      signal,
    );
    const vectors = new Array<Float32Array>(texts.length);
    await this.encoder.runAll(
      inputs,
      role === 'query',
      (output, indices, lengths) => {
        if (output.dims.length < 2 || output.dims.at(-1)! < this.dimensions)
          throw this.tooNarrow(output.dims);
        const pooled = pool(output, lengths, this.spec.pooling, this.dimensions);
        indices.forEach((index, row) => {
          vectors[index] = this.spec.normalise ? normalise(pooled[row]!) : pooled[row]!;
        });
      },
      signal,
    );
    return vectors;
  }

  private tooNarrow(dims: readonly number[]): AppError {
    return new AppError(
      'MODEL_INVALID',
      `Model can’t be used: ${this.spec.name}: its output has the shape ${dims.join(' × ')}, its manifest promises ${this.dimensions} dimensions: correct the manifest.`,
    );
  }

  async close(): Promise<void> {
    await this.encoder.close();
  }
}
