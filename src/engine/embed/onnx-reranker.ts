/** How well does a passage answer a question? By an ONNX cross-encoder that reads both at once. */
import { AppError } from '../../api/errors.ts';
import type { Reranker } from '../document.ts';
import type { EncoderSpec } from './encoder-spec.ts';
import { OnnxEncoder } from './onnx-encoder.ts';

/** A cross-encoder with one logit per pair; of two logits the second is "relevant". */
export class OnnxReranker implements Reranker {
  readonly fingerprint: string;
  private readonly encoder: OnnxEncoder;

  private constructor(encoder: OnnxEncoder) {
    this.encoder = encoder;
    this.fingerprint = encoder.spec.fingerprint;
  }

  /** @throws AppError MODEL_INVALID when the files are no encoder that is understood */
  static async load(spec: EncoderSpec): Promise<OnnxReranker> {
    return new OnnxReranker(await OnnxEncoder.load(spec));
  }

  /** Probabilities, 0 to 1, in the order of the passages. Cancelling is heard between two batches. */
  async score(question: string, passages: string[], signal?: AbortSignal): Promise<number[]> {
    const first = this.encoder.tokenizer.plain(question);
    const inputs = await this.encoder.encodeAll(
      passages,
      (tokenizer, passage) => tokenizer.join(first, tokenizer.plain(passage)),
      signal,
    );
    const scores = new Array<number>(passages.length).fill(0);
    await this.encoder.runAll(
      inputs,
      true,
      (output, indices) => {
        const logits = output.dims.length === 1 ? 1 : output.dims.at(-1)!;
        if (output.data.length !== indices.length * logits || logits > 2) throw this.noLogits(output.dims);
        indices.forEach((index, row) => {
          const at = row * logits;
          const logit = logits === 1 ? output.data[at]! : output.data[at + 1]! - output.data[at]!;
          scores[index] = 1 / (1 + Math.exp(-logit));
        });
      },
      signal,
    );
    return scores;
  }

  private noLogits(dims: readonly number[]): AppError {
    return new AppError(
      'MODEL_INVALID',
      `Model can’t be used: ${this.encoder.spec.name}: its output has the shape ${dims.join(' × ')}, a reranker gives one or two numbers per pair: install another.`,
    );
  }

  async close(): Promise<void> {
    await this.encoder.close();
  }
}
