/** What is the vector of a text? By an ONNX encoder that its manifest describes. */
import type { Embedder } from '../document.ts';
import type { EmbedderSpec } from './encoder-spec.ts';
import { invalidModel, type LoadOptions, OnnxEncoder, type Reading } from './onnx-encoder.ts';
import { normalise, pool } from './pool.ts';

/** How an embedder reads what its encoder gives. */
function readingOf(spec: EmbedderSpec): Reading {
  return {
    probe: (tokenizer, text) => tokenizer.encode(text),
    read: (output, lengths) => {
      const { dims } = output;
      if (dims.length < 2 || dims.at(-1)! < spec.dimensions) {
        const why = `its output has the shape ${dims.join(' × ')}, its manifest promises ${spec.dimensions} dimensions`;
        throw invalidModel(spec.name, why);
      }
      return pool(output, lengths, spec.pooling, spec.dimensions);
    },
  };
}

/** An encoder with pooling. */
export class OnnxEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly encoder: OnnxEncoder;
  private readonly spec: EmbedderSpec;

  private constructor(spec: EmbedderSpec, encoder: OnnxEncoder) {
    this.spec = spec;
    this.encoder = encoder;
    this.fingerprint = spec.fingerprint;
    this.dimensions = spec.dimensions;
    this.maxTokens = spec.maxTokens;
  }

  /** @throws AppError MODEL_INVALID when the files are no encoder that is understood, or don't belong together */
  static async load(spec: EmbedderSpec, options: LoadOptions = {}): Promise<OnnxEmbedder> {
    return new OnnxEmbedder(spec, await OnnxEncoder.load(spec, readingOf(spec), options));
  }

  /** Cancelling is heard between two batches. */
  async embed(texts: string[], role: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]> {
    const prefix = role === 'query' ? this.spec.queryPrefix : this.spec.passagePrefix;
    const inputs = await this.encoder.encodeAll(
      texts,
      (tokenizer, text) => tokenizer.encode(prefix + text),
      signal,
    );
    const vectors = await this.encoder.runAll(inputs, role === 'query', signal);
    return this.spec.normalise ? vectors.map(normalise) : vectors;
  }

  async close(): Promise<void> {
    await this.encoder.close();
  }
}
