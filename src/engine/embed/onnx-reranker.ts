/** How well does a passage answer a question? By an ONNX cross-encoder that reads both at once. */
import type { Reranker } from '../document.ts';
import type { EncoderSpec } from './encoder-spec.ts';
import { invalidModel, type LoadOptions, OnnxEncoder, type Reading } from './onnx-encoder.ts';

/** How a reranker reads what its encoder gives: one logit per pair; of two the second is "relevant". */
function readingOf(spec: EncoderSpec): Reading {
  return {
    probe: (tokenizer, text) => tokenizer.join(tokenizer.plain(text), tokenizer.plain(text)),
    read: ({ data, dims }, lengths) => {
      const logits = dims.length === 1 ? 1 : dims.at(-1)!;
      if (data.length !== lengths.length * logits || logits < 1 || logits > 2) {
        const why = `its output has the shape ${dims.join(' × ')}, a reranker gives one or two numbers per pair`;
        throw invalidModel(spec.name, why);
      }
      return lengths.map((_, row) => {
        const at = row * logits;
        return Float32Array.of(logits === 1 ? data[at]! : data[at + 1]! - data[at]!);
      });
    },
  };
}

/** A cross-encoder. */
export class OnnxReranker implements Reranker {
  readonly fingerprint: string;
  readonly encoder: OnnxEncoder;

  private constructor(encoder: OnnxEncoder) {
    this.encoder = encoder;
    this.fingerprint = encoder.spec.fingerprint;
  }

  /** @throws AppError MODEL_INVALID when the files are no encoder that is understood, or don't belong together */
  static async load(spec: EncoderSpec, options: LoadOptions = {}): Promise<OnnxReranker> {
    return new OnnxReranker(await OnnxEncoder.load(spec, readingOf(spec), options));
  }

  /** Probabilities, 0 to 1, in the order of the passages. Cancelling is heard between two batches. */
  async score(question: string, passages: string[], signal?: AbortSignal): Promise<number[]> {
    const first = this.encoder.plain(question);
    const inputs = await this.encoder.encodeAll(
      passages,
      (tokenizer, passage) => tokenizer.join(first, tokenizer.plain(passage)),
      signal,
    );
    const logits = await this.encoder.runAll(inputs, true, signal);
    return logits.map((logit) => 1 / (1 + Math.exp(-logit[0]!)));
  }

  async close(): Promise<void> {
    await this.encoder.close();
  }
}
