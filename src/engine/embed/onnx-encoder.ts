/** How is a batch of token numbers run through an ONNX graph? */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../api/errors.ts';
import { embed } from '../config.ts';
import { batchByLength } from './batch-by-length.ts';
import { inputFault, makeFeeds, type Padding } from './encoder-feeds.ts';
import type { DeviceKind, DeviceTry, EncoderSpec } from './encoder-spec.ts';
import { type EncodedInput, EncoderTokenizer } from './encoder-tokenizer.ts';
import { type EncoderRuntime, type EncoderSession, onnxRuntime } from './onnx-runtime.ts';
import { type OpenedSession, openSession, runtimeWords } from './open-session.ts';
import { type EncoderOutput, toFloats } from './pool.ts';
import { RunBudget } from './run-budget.ts';
import { TimeLimitPassed, withinTime } from './time-limit.ts';
import { Turns } from './turns.ts';

/** What the encoder's owner makes of an output. */
export interface Reading {
  /** The input that a text gives while the model is tried out. */
  probe: (tokenizer: EncoderTokenizer, text: string) => EncodedInput;
  /** One vector per row. @throws AppError when the output is not what the manifest promises */
  read: (output: EncoderOutput, lengths: number[]) => Float32Array[];
}

export interface LoadOptions {
  /** Default: ONNX Runtime. */
  runtime?: EncoderRuntime;
  /** Told before a device is tried, and waited for. */
  onTry?: (device: DeviceKind) => Promise<void>;
}

const PROBE_TEXT = 'The term of payment is 45 days. Срок оплаты — 45 дней.';

export function invalidModel(name: string, why: string, cause?: unknown): AppError {
  return new AppError(
    'MODEL_INVALID',
    `Model can’t be used: ${name}: ${why}: check it or install it again.`,
    { cause },
  );
}

/** A graph's inputs, output and padding, and how one batch is run. */
class Graph {
  readonly spec: EncoderSpec;
  readonly reading: Reading;
  readonly padding: Padding;

  constructor(spec: EncoderSpec, reading: Reading, tokenizer: EncoderTokenizer) {
    this.spec = spec;
    this.reading = reading;
    this.padding = { id: tokenizer.padId, side: spec.padding ?? 'right' };
  }

  /** @throws AppError MODEL_INVALID when the output is not as promised, else what the runtime says */
  async run(session: EncoderSession, batch: EncodedInput[]): Promise<Float32Array[]> {
    const { name } = this.spec;
    const output = this.spec.output ?? session.outputNames[0]!;
    const results = await session.run(makeFeeds(session, batch, this.padding), [output]);
    const tensor = results[output]!;
    const data = toFloats(tensor.data, tensor.type);
    if (data === undefined) throw invalidModel(name, `its output is of type ${tensor.type}`);
    const { dims } = tensor;
    const lengths = batch.map((input) => input.ids.length);
    const isPerToken = dims.length !== 3 || dims[1] === Math.max(...lengths);
    if (dims[0] !== batch.length || dims.length > 3 || !isPerToken) {
      throw invalidModel(name, `its output has the shape ${dims.join(' × ')} for ${batch.length} texts`);
    }
    const vectors = this.reading.read({ data, dims, side: this.padding.side }, lengths);
    if (!vectors.every((vector) => vector.every(Number.isFinite))) {
      throw invalidModel(name, 'its results are no numbers');
    }
    return vectors;
  }

  /** A short text, then one with the largest token number beside it: tells a graph from another and from another's tokenizer. */
  async probe(session: EncoderSession, tokenizer: EncoderTokenizer): Promise<Float32Array[]> {
    const { name, inputs, output } = this.spec;
    const fault = inputFault(session, inputs ?? []);
    if (fault !== undefined) throw invalidModel(name, fault);
    if (output !== undefined && !session.outputNames.includes(output)) {
      throw invalidModel(name, `its graph has no output "${output}" but ${session.outputNames.join(', ')}`);
    }
    const text = this.reading.probe(tokenizer, PROBE_TEXT);
    await this.attempt(session, [text], 'its graph fails on a short text');
    const { highestId } = tokenizer;
    const why = `its tokenizer counts up to ${highestId}, which its graph can’t read, so they don’t belong together`;
    return this.attempt(session, [text, tokenizer.frame([highestId])], why);
  }

  private attempt(session: EncoderSession, batch: EncodedInput[], why: string): Promise<Float32Array[]> {
    return this.run(session, batch).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw invalidModel(this.spec.name, `${why} (${runtimeWords(cause)})`, cause);
    });
  }
}

/** Holds an ONNX session and its tokenizer open. */
export class OnnxEncoder {
  readonly spec: EncoderSpec;
  readonly tokenizer: EncoderTokenizer;
  readonly device: DeviceKind;
  readonly tried: DeviceTry[];
  private readonly graph: Graph;
  private readonly session: EncoderSession;
  private readonly budget: RunBudget;
  private readonly turns = new Turns();

  private constructor(graph: Graph, tokenizer: EncoderTokenizer, opened: OpenedSession) {
    this.spec = graph.spec;
    this.graph = graph;
    this.tokenizer = tokenizer;
    this.session = opened.session;
    this.device = opened.device;
    this.tried = opened.tried;
    const maxTokens = opened.device === 'CPU' ? embed.batchTokens : embed.deviceBatchTokens;
    this.budget = new RunBudget(embed.runMs, maxTokens);
  }

  /** @throws AppError MODEL_INVALID when the files are no encoder that is understood, or don't belong together */
  static async load(spec: EncoderSpec, reading: Reading, options: LoadOptions = {}): Promise<OnnxEncoder> {
    const tokenizer = await EncoderTokenizer.load(
      spec.tokenizerPath,
      spec.tokenizerConfigPath,
      spec.maxTokens,
    ).catch((cause: unknown) => {
      throw invalidModel(spec.name, `its tokenizer can’t be read (${runtimeWords(cause)})`, cause);
    });
    const graph = new Graph(spec, reading, tokenizer);
    const opened = await openSession(options.runtime ?? onnxRuntime, {
      modelPath: spec.modelPath,
      threads: spec.threads,
      memory: spec.devices,
      probe: (session) => graph.probe(session, tokenizer),
      onTry: options.onTry ?? (async () => {}),
    }).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw invalidModel(spec.name, `ONNX Runtime can’t load it (${runtimeWords(cause)})`, cause);
    });
    return new OnnxEncoder(graph, tokenizer, opened);
  }

  /** Tokenises texts, letting others in between so that a question never waits for a long list of passages. */
  async encodeAll(
    texts: string[],
    encode: (tokenizer: EncoderTokenizer, text: string) => EncodedInput,
    signal?: AbortSignal,
  ): Promise<EncodedInput[]> {
    const inputs: EncodedInput[] = [];
    while (inputs.length < texts.length) {
      if (inputs.length > 0) await setImmediate();
      signal?.throwIfAborted();
      const startedAt = performance.now();
      this.tokenise(
        () => texts[inputs.length] ?? '',
        () => {
          while (inputs.length < texts.length && performance.now() - startedAt <= embed.tokeniseMs) {
            inputs.push(encode(this.tokenizer, texts[inputs.length]!));
          }
        },
      );
    }
    return inputs;
  }

  /** Token numbers of a text alone. @throws AppError MODEL_FAILED when the tokenizer does not come to an end */
  plain(text: string): number[] {
    return this.tokenise(
      () => text,
      () => this.tokenizer.plain(text),
    );
  }

  /** A pattern of the tokenizer that never ends on some text ends this call alone, and the process goes on. */
  private tokenise<T>(text: () => string, work: () => T): T {
    try {
      return withinTime(embed.tokeniseLimitMs, work);
    } catch (cause) {
      if (!(cause instanceof TimeLimitPassed)) throw cause;
      const why = `its tokenizer did not come to an end on a text of ${text().length} characters, ${cause.message}`;
      throw new AppError(
        'MODEL_FAILED',
        `Model failed: ${this.spec.name}: ${why}: choose another model if this repeats.`,
        { cause },
      );
    }
  }

  /**
   * Runs inputs in batches of like length; cancelling is heard between two batches.
   * @param isUrgent whether it goes before others that wait
   * @returns what `Reading.read` made of each input, in order
   * @throws AppError MODEL_INVALID when an output is not as promised, MODEL_FAILED when the runtime fails
   */
  async runAll(inputs: EncodedInput[], isUrgent: boolean, signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors = new Array<Float32Array>(inputs.length);
    const lengths = inputs.map((input) => input.ids.length);
    for (const batch of batchByLength(lengths, () => this.budget.tokens(), embed.batchTexts)) {
      // A run blocks this thread, so this is the moment for a cancel or a question to arrive.
      await setImmediate();
      await this.turns.take(isUrgent, async () => {
        signal?.throwIfAborted();
        const found = await this.runTimed(batch.map((index) => inputs[index]!));
        batch.forEach((index, row) => {
          vectors[index] = found[row]!;
        });
      });
    }
    return vectors;
  }

  private async runTimed(batch: EncodedInput[]): Promise<Float32Array[]> {
    const longest = Math.max(...batch.map((input) => input.ids.length));
    const startedAt = performance.now();
    const found = await this.graph.run(this.session, batch).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      const why = `it failed on ${batch.length} × ${longest} tokens (${runtimeWords(cause)})`;
      throw new AppError(
        'MODEL_FAILED',
        `Model failed: ${this.spec.name}: ${why}: choose another model or lower its limit of tokens.`,
        { cause },
      );
    });
    this.budget.learn(batch.length * longest, performance.now() - startedAt);
    return found;
  }

  async close(): Promise<void> {
    await this.session.release();
  }
}
