/** How is a batch of token numbers run through an ONNX graph? */
import { setImmediate } from 'node:timers/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { AppError } from '../../api/errors.ts';
import { embed } from '../config.ts';
import { batchByLength } from './batch-by-length.ts';
import type { EncoderSpec } from './encoder-spec.ts';
import { type EncodedInput, EncoderTokenizer } from './encoder-tokenizer.ts';
import { type EncoderOutput, toFloats } from './pool.ts';
import { Turns } from './turns.ts';

/** What a graph may ask for. */
const knownInputs = new Set(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']);

function invalid(name: string, why: string, cause?: unknown): AppError {
  return new AppError(
    'MODEL_INVALID',
    `Model can’t be used: ${name}: ${why}: check it or install it again.`,
    { cause },
  );
}

/** Holds an ONNX session and its tokenizer open. */
export class OnnxEncoder {
  readonly spec: EncoderSpec;
  readonly tokenizer: EncoderTokenizer;
  private readonly session: InferenceSession;
  private readonly output: string;
  private readonly turns = new Turns();

  private constructor(
    spec: EncoderSpec,
    tokenizer: EncoderTokenizer,
    session: InferenceSession,
    output: string,
  ) {
    this.spec = spec;
    this.tokenizer = tokenizer;
    this.session = session;
    this.output = output;
  }

  /** @throws AppError MODEL_INVALID when the files are no encoder that is understood */
  static async load(spec: EncoderSpec): Promise<OnnxEncoder> {
    const tokenizer = await EncoderTokenizer.load(
      spec.tokenizerPath,
      spec.tokenizerConfigPath,
      spec.maxTokens,
    ).catch((cause: unknown) => {
      throw invalid(spec.name, `its tokenizer can’t be read (${firstLine(cause)})`, cause);
    });
    const session = await InferenceSession.create(spec.modelPath, {
      executionProviders: ['cpu'],
      intraOpNumThreads: spec.threads,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
    }).catch((cause: unknown) => {
      throw invalid(spec.name, `ONNX Runtime can’t load it (${firstLine(cause)})`, cause);
    });
    const foreign = session.inputNames.filter((name) => !knownInputs.has(name));
    if (foreign.length > 0 || !session.inputNames.includes('input_ids')) {
      throw invalid(
        spec.name,
        `its graph asks for ${session.inputNames.join(', ')}, which is no text encoder`,
      );
    }
    const absent = (spec.inputs ?? []).filter((name) => !session.inputNames.includes(name));
    if (absent.length > 0) throw invalid(spec.name, `its graph has no input ${absent.join(', ')}`);
    const output = spec.output ?? session.outputNames[0];
    if (output === undefined || !session.outputNames.includes(output)) {
      throw invalid(spec.name, `its graph has no output "${output}" but ${session.outputNames.join(', ')}`);
    }
    return new OnnxEncoder(spec, tokenizer, session, output);
  }

  /** Tokenises texts, letting others in between so that a question never waits for a long list of passages. */
  async encodeAll(
    texts: string[],
    encode: (tokenizer: EncoderTokenizer, text: string) => EncodedInput,
    signal?: AbortSignal,
  ): Promise<EncodedInput[]> {
    const inputs: EncodedInput[] = [];
    for (const text of texts) {
      if (inputs.length % embed.tokeniseTexts === embed.tokeniseTexts - 1) await setImmediate();
      signal?.throwIfAborted();
      inputs.push(encode(this.tokenizer, text));
    }
    return inputs;
  }

  /**
   * Runs inputs in batches of like length.
   * @param isUrgent whether it goes before others that wait
   * @param take gets each batch: its output, the indices of its inputs, and their lengths
   */
  async runAll(
    inputs: EncodedInput[],
    isUrgent: boolean,
    take: (output: EncoderOutput, indices: number[], lengths: number[]) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const lengths = inputs.map((input) => input.ids.length);
    for (const batch of batchByLength(lengths, embed.batchTokens, embed.batchTexts)) {
      // A run blocks this thread, so this is the moment for a cancel or a question to arrive.
      await setImmediate();
      signal?.throwIfAborted();
      const output = await this.turns.take(isUrgent, () => this.run(batch.map((index) => inputs[index]!)));
      take(
        output,
        batch,
        batch.map((index) => lengths[index]!),
      );
    }
  }

  private async run(batch: EncodedInput[]): Promise<EncoderOutput> {
    const width = Math.max(1, ...batch.map((input) => input.ids.length));
    const feeds: Record<string, Tensor> = {};
    this.session.inputNames.forEach((name, position) => {
      const metadata = this.session.inputMetadata[position];
      const isShort = metadata?.isTensor === true && metadata.type === 'int32';
      feeds[name] = makeTensor(batch, width, valuesOf(name), isShort);
    });
    const results = await this.session.run(feeds, [this.output]);
    const tensor = results[this.output]!;
    const data = toFloats(tensor.data, tensor.type);
    if (data === undefined) throw invalid(this.spec.name, `its output is of type ${tensor.type}`);
    if (tensor.dims[0] !== batch.length || tensor.dims.length < 1 || tensor.dims.length > 3) {
      throw invalid(this.spec.name, `its output has the shape ${tensor.dims.join(' × ')}`);
    }
    return { data, dims: tensor.dims };
  }

  async close(): Promise<void> {
    await this.session.release();
  }
}

type ValueOf = (input: EncodedInput, position: number) => number;

function valuesOf(name: string): ValueOf {
  switch (name) {
    case 'input_ids':
      return (input, position) => input.ids[position]!;
    case 'attention_mask':
      return () => 1;
    case 'token_type_ids':
      return (input, position) => input.segments[position]!;
    default:
      return (_, position) => position;
  }
}

/** Padding is zero everywhere; the attention mask keeps it out. */
function makeTensor(batch: EncodedInput[], width: number, value: ValueOf, isShort: boolean): Tensor {
  const count = batch.length * width;
  // 64-bit integers are written through a 32-bit view of their low halves: a BigInt per token is ten times slower.
  const words = new Int32Array(isShort ? count : count * 2);
  const step = isShort ? 1 : 2;
  batch.forEach((input, row) => {
    const start = row * width;
    for (let position = 0; position < input.ids.length; position += 1) {
      words[(start + position) * step] = value(input, position);
    }
  });
  const dims = [batch.length, width];
  return isShort
    ? new Tensor('int32', words, dims)
    : new Tensor('int64', new BigInt64Array(words.buffer), dims);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!.slice(0, 300);
}
