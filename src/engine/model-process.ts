/** How do models run in a process of their own? Started by model-link.ts; may die at any time without harm. */
import { createBirpc } from 'birpc';
import { AppError } from '../api/errors.ts';
import { generate as limits } from './config.ts';
import type { DeviceKind, EncoderSpec } from './embed/encoder-spec.ts';
import type { OnnxEmbedder } from './embed/onnx-embedder.ts';
import type { LoadOptions, OnnxEncoder } from './embed/onnx-encoder.ts';
import type { OnnxReranker } from './embed/onnx-reranker.ts';
import type { LlamaGenerator, LlamaRuntime } from './generate/llama.ts';
import type { HostCalls, Loaded, ModelCalls, Reply } from './model-protocol.ts';

// Imported with the first model that needs them: llama.cpp's bindings alone take half a second, which no search should wait for.
const importEmbedder = () => import('./embed/onnx-embedder.ts');
const importReranker = () => import('./embed/onnx-reranker.ts');
const importLlama = () => import('./generate/llama.ts');

/** Collects text and hands it on at once when some time has passed since the last, else after that time. */
class TextBatches {
  private text = '';
  private timer: NodeJS.Timeout | undefined;
  private sentAt = 0;
  private readonly send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.send = send;
  }

  push(text: string): void {
    this.text += text;
    const wait = this.sentAt + limits.batchMs - performance.now();
    if (wait <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), wait);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.text === '') return;
    this.send(this.text);
    this.text = '';
    this.sentAt = performance.now();
  }
}

/** Turns whatever a call throws into a value that can cross; this is the process's edge. */
async function reply<T>(work: () => Promise<T>): Promise<Reply<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, code: error.code, message: error.message };
    const why = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
    return {
      ok: false,
      code: 'MODEL_FAILED',
      message: `Model failed: ${why}: try again or choose another model.`,
    };
  }
}

function notLoaded(id: string): AppError {
  return new AppError('MODEL_NOT_FOUND', `Model is not loaded: ${id}: load it first.`);
}

/** Holds the loaded models and answers the engine. */
class ModelServer {
  private readonly embedders = new Map<string, OnnxEmbedder>();
  private readonly rerankers = new Map<string, OnnxReranker>();
  private readonly generators = new Map<string, LlamaGenerator>();
  private readonly calls = new Map<number, AbortController>();
  /** Loads and unloads happen one at a time: parallel contexts would each be sized from the same free memory. */
  private loading: Promise<unknown> = Promise.resolve();
  private runtime: LlamaRuntime | undefined;
  private readonly host: {
    text: HostCalls['text'];
    trying: (id: string, device: DeviceKind) => Promise<void>;
  };

  constructor(host: ModelServer['host']) {
    this.host = host;
  }

  readonly functions: ModelCalls = {
    ping: () => {},
    loadEmbedder: (id, spec) =>
      this.inOrder(async () => {
        const { OnnxEmbedder } = await importEmbedder();
        return this.hold(this.embedders, id, spec, OnnxEmbedder.load);
      }),
    loadReranker: (id, spec) =>
      this.inOrder(async () => {
        const { OnnxReranker } = await importReranker();
        return this.hold(this.rerankers, id, spec, OnnxReranker.load);
      }),
    loadGenerator: (id, spec) =>
      this.inOrder(async () => {
        const { LlamaGenerator, openLlama } = await importLlama();
        this.runtime ??= await openLlama(spec.threads);
        const { llama, device, tried } = this.runtime;
        const known = this.generators.get(id) ?? (await LlamaGenerator.load(spec, llama));
        this.generators.set(id, known);
        return { device, tried, contextTokens: known.contextTokens, template: known.template };
      }),
    embed: (call, id, texts, role) =>
      this.cancellable(call, async (signal) => {
        const embedder = this.embedders.get(id);
        if (!embedder) throw notLoaded(id);
        const vectors = await embedder.embed(texts, role, signal);
        const joined = new Float32Array(vectors.length * embedder.dimensions);
        vectors.forEach((vector, index) => {
          joined.set(vector, index * embedder.dimensions);
        });
        return joined;
      }),
    score: (call, id, question, passages) =>
      this.cancellable(call, async (signal) => {
        const reranker = this.rerankers.get(id);
        if (!reranker) throw notLoaded(id);
        return reranker.score(question, passages, signal);
      }),
    generate: (call, id, messages, options) =>
      this.cancellable(call, async (signal) => {
        const generator = this.generators.get(id);
        if (!generator) throw notLoaded(id);
        const batches = new TextBatches((text) => this.host.text(call, text));
        try {
          for await (const text of generator.generate(messages, { ...options, signal })) batches.push(text);
        } finally {
          batches.flush();
        }
      }),
    cancel: (call) => this.calls.get(call)?.abort(),
    countTokens: (id, text) =>
      reply(async () => {
        const generator = this.generators.get(id);
        if (!generator) throw notLoaded(id);
        return generator.countTokens(text);
      }),
    unload: (id) => this.inOrder(() => this.unload(id)),
    probe: (threads) =>
      this.inOrder(async () => {
        const { openLlama } = await importLlama();
        this.runtime ??= await openLlama(threads);
        const { device, tried } = this.runtime;
        return { device, tried, contextTokens: 0, template: '' };
      }),
    use: async () => {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const video = await this.runtime?.videoMemory();
      return {
        ...{ residentBytes: rss, heapBytes: heapUsed, cpuMs: (user + system) / 1000 },
        ...(video ? { video } : {}),
      };
    },
    close: () => this.close(),
  };

  /** Loads an encoder that is not there yet. */
  private async hold<S extends EncoderSpec, M extends { encoder: OnnxEncoder }>(
    held: Map<string, M>,
    id: string,
    spec: S,
    load: (spec: S, options: LoadOptions) => Promise<M>,
  ): Promise<Loaded> {
    const onTry: LoadOptions['onTry'] = (device) => this.host.trying(id, device);
    const model = held.get(id) ?? (await load(spec, { onTry }));
    held.set(id, model);
    const { device, tried } = model.encoder;
    return { device, tried, contextTokens: 0, template: '' };
  }

  private inOrder<T>(work: () => Promise<T>): Promise<Reply<T>> {
    const done = this.loading.then(() => reply(work));
    this.loading = done;
    return done;
  }

  private async cancellable<T>(call: number, work: (signal: AbortSignal) => Promise<T>): Promise<Reply<T>> {
    const controller = new AbortController();
    this.calls.set(call, controller);
    const result = await reply(() => work(controller.signal));
    this.calls.delete(call);
    return result;
  }

  private async unload(id: string): Promise<void> {
    const held = [this.embedders, this.rerankers, this.generators];
    for (const models of held) {
      const model = models.get(id);
      models.delete(id);
      await model?.close();
    }
  }

  private async close(): Promise<void> {
    for (const controller of this.calls.values()) controller.abort();
    for (const id of [...this.embedders.keys(), ...this.rerankers.keys(), ...this.generators.keys()]) {
      await this.unload(id);
    }
    await this.runtime?.llama.dispose();
  }
}

const server = new ModelServer({
  text: (call, text) => {
    void rpc.text.asEvent(call, text);
  },
  // Waited for: a message that still stands in a queue would die with the process.
  trying: (id, device) => rpc.trying(id, device),
});
const rpc = createBirpc<HostCalls, ModelCalls>(server.functions, {
  post: (data: unknown) => {
    // The engine may be gone already; its end is noticed by 'disconnect'.
    if (process.connected) process.send!(data);
  },
  on: (listener) => {
    process.on('message', listener);
  },
  timeout: -1,
});
// Without its engine nobody waits for this process, and native threads could keep it alive.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
