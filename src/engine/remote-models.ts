/** How does the engine use models that run in another process, as if they were here? */
import { embed, models } from './config.ts';
import type { ChatMessage, Embedder, GenerateOptions, Generator, Reranker } from './document.ts';
import type { EmbedderSpec, EncoderSpec } from './embed/encoder-spec.ts';
import type { LlamaSpec } from './generate/llama.ts';
import { TextStream } from './generate/text-stream.ts';
import type { Loaded, ProcessUse } from './model-protocol.ts';
import { ModelRoom, type ProcessOptions } from './model-room.ts';

/**
 * Gives models to the engine. Encoders and writers live in two processes of one program: an encoder's run blocks its thread,
 * which would make a streaming answer stutter, and one may die without the other. Each starts with its first model.
 */
export class RemoteModels {
  private readonly encoders: ModelRoom;
  private readonly writers: ModelRoom;
  private readonly known = new Map<string, Loaded>();
  private probing: Promise<Loaded> | undefined;

  constructor(options: ProcessOptions) {
    const onLoaded = (id: string, loaded: Loaded) => {
      this.known.set(id, loaded);
    };
    this.encoders = new ModelRoom(options, onLoaded);
    this.writers = new ModelRoom(options, onLoaded);
  }

  /** What is known of a model since it was last loaded. */
  loaded(id: string): Loaded | undefined {
    return this.known.get(id);
  }

  /** Numbers of the running processes. */
  get pids(): { encoders: number | undefined; writers: number | undefined } {
    return { encoders: this.encoders.link.pid, writers: this.writers.link.pid };
  }

  /** What the processes that run now take of the machine. */
  async use(): Promise<{ encoders: ProcessUse | undefined; writers: ProcessUse | undefined }> {
    const ask = (room: ModelRoom) => room.link.ask((rpc) => rpc.use());
    return { encoders: await ask(this.encoders), writers: await ask(this.writers) };
  }

  /** Of every model that was loaded since the start, as of its last load. */
  loads(): Loaded[] {
    return [...this.known.values()];
  }

  isLoaded(id: string): boolean {
    return this.encoders.isLoaded(id) || this.writers.isLoaded(id);
  }

  /** Gives a model's memory back; its next call loads it again. */
  async unload(id: string): Promise<void> {
    await Promise.all([this.encoders.unload(id), this.writers.unload(id)]);
  }

  /**
   * Unloads the model that was unused for the longest time.
   * @param except stays
   * @returns whether there was one
   */
  async unloadResting(except: string): Promise<boolean> {
    const resting = [...this.encoders.resting(), ...this.writers.resting()].filter(({ id }) => id !== except);
    const longest = resting.sort((a, b) => a.endedAt - b.endedAt)[0];
    if (longest === undefined) return false;
    await this.unload(longest.id);
    return true;
  }

  /** What was learnt about devices is forgotten; models that run now keep theirs until they are loaded again. */
  async forgetDevices(): Promise<void> {
    const unloaded = await Promise.all([this.encoders.forgetDevices(), this.writers.forgetDevices()]);
    for (const id of unloaded.flat()) this.known.delete(id);
    this.probing = undefined;
  }

  /** Opens the library of language models without a model, to learn which devices work. */
  async probe(threads: number): Promise<Loaded> {
    this.probing ??= this.writers.link.call({
      name: 'the devices of this machine',
      make: (rpc) => rpc.probe(threads),
    });
    return this.probing;
  }

  /** Loads an embedder. @throws AppError MODEL_INVALID or MODEL_FAILED */
  async embedder(id: string, spec: EmbedderSpec): Promise<Embedder> {
    const remote = new RemoteEmbedder(this.encoders, id, spec);
    await remote.load();
    return remote;
  }

  /** Loads a reranker. @throws AppError MODEL_INVALID or MODEL_FAILED */
  async reranker(id: string, spec: EncoderSpec): Promise<Reranker> {
    const remote = new RemoteReranker(this.encoders, id, spec);
    await remote.load();
    return remote;
  }

  /**
   * A language model, which starts to load now and is waited for by its first call. `loading` fails with MODEL_INVALID, or with
   * MODEL_FAILED when it does not fit or its process died; the calls then fail in the same way.
   */
  generator(id: string, spec: LlamaSpec): { generator: Generator; loading: Promise<void> } {
    const generator = new RemoteGenerator(this.writers, id, spec);
    return { generator, loading: generator.load() };
  }

  /** Ends both processes; waiting calls are rejected. */
  async close(): Promise<void> {
    await Promise.all([this.encoders.link.close(), this.writers.link.close()]);
  }
}

class RemoteEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  private readonly room: ModelRoom;
  private readonly id: string;
  private readonly spec: EmbedderSpec;

  constructor(room: ModelRoom, id: string, spec: EmbedderSpec) {
    this.room = room;
    this.id = id;
    this.spec = spec;
    this.fingerprint = spec.fingerprint;
    this.dimensions = spec.dimensions;
    this.maxTokens = spec.maxTokens;
  }

  load(): Promise<Loaded> {
    return this.room.load(this.id, this.spec.name, async (rpc, devices) =>
      this.room.learn(this.id, await rpc.loadEmbedder(this.id, { ...this.spec, devices })),
    );
  }

  async embed(texts: string[], role: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]> {
    return this.room.inUse(this.id, () => this.embedAll(texts, role, signal));
  }

  private async embedAll(
    texts: string[],
    role: 'query' | 'passage',
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += embed.requestTexts) {
      signal?.throwIfAborted();
      await this.load();
      const part = texts.slice(start, start + embed.requestTexts);
      const joined = await this.room.link.call({
        name: this.spec.name,
        signal,
        make: (rpc, call) => rpc.embed(call, this.id, part, role),
      });
      for (let index = 0; index < part.length; index += 1) {
        vectors.push(joined.slice(index * this.dimensions, (index + 1) * this.dimensions));
      }
    }
    return vectors;
  }
}

class RemoteReranker implements Reranker {
  readonly fingerprint: string;
  private readonly room: ModelRoom;
  private readonly id: string;
  private readonly spec: EncoderSpec;

  constructor(room: ModelRoom, id: string, spec: EncoderSpec) {
    this.room = room;
    this.id = id;
    this.spec = spec;
    this.fingerprint = spec.fingerprint;
  }

  load(): Promise<Loaded> {
    return this.room.load(this.id, this.spec.name, async (rpc, devices) =>
      this.room.learn(this.id, await rpc.loadReranker(this.id, { ...this.spec, devices })),
    );
  }

  async score(question: string, passages: string[], signal?: AbortSignal): Promise<number[]> {
    return this.room.inUse(this.id, () => this.scoreAll(question, passages, signal));
  }

  private async scoreAll(
    question: string,
    passages: string[],
    signal: AbortSignal | undefined,
  ): Promise<number[]> {
    const scores: number[] = [];
    for (let start = 0; start < passages.length; start += embed.requestTexts) {
      signal?.throwIfAborted();
      await this.load();
      const part = passages.slice(start, start + embed.requestTexts);
      const found = await this.room.link.call({
        name: this.spec.name,
        signal,
        make: (rpc, call) => rpc.score(call, this.id, question, part),
      });
      scores.push(...found);
    }
    return scores;
  }
}

class RemoteGenerator implements Generator {
  readonly name: string;
  /** What the file promises until it is loaded, then what the memory allowed. */
  contextTokens: number;
  private readonly room: ModelRoom;
  private readonly id: string;
  private readonly spec: LlamaSpec;
  private running = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(room: ModelRoom, id: string, spec: LlamaSpec) {
    this.room = room;
    this.id = id;
    this.spec = spec;
    this.name = spec.name;
    this.contextTokens = spec.contextTokens;
  }

  async load(): Promise<void> {
    const loaded = await this.room.load(this.id, this.name, (rpc) => rpc.loadGenerator(this.id, this.spec));
    this.contextTokens = loaded.contextTokens;
  }

  generate(messages: ChatMessage[], options: GenerateOptions): AsyncIterable<string> {
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const stream = new TextStream(() => stop.abort());
    const { maxTokens, temperature } = options;
    const run = this.inUse(() =>
      this.room.link.call({
        name: this.name,
        signal,
        onText: (text) => stream.push(text),
        make: (rpc, call) => rpc.generate(call, this.id, messages, { maxTokens, temperature }),
      }),
    );
    run.then(
      () => stream.finish(),
      (error: unknown) => stream.finish({ error }),
    );
    return stream;
  }

  readonly countTokens = (text: string): Promise<number> =>
    this.inUse(() => this.room.link.call({ name: this.name, make: (rpc) => rpc.countTokens(this.id, text) }));

  /** Loads if needed, and gives the memory back once nobody has asked for a while. */
  private async inUse<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.idle);
    this.running += 1;
    try {
      return await this.room.inUse(this.id, async () => {
        await this.load();
        return work();
      });
    } finally {
      this.running -= 1;
      clearTimeout(this.idle);
      if (this.running === 0) {
        this.idle = setTimeout(() => void this.room.unload(this.id), models.idleUnloadMs).unref();
      }
    }
  }
}
