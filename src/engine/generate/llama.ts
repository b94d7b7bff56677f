/** How does llama.cpp write an answer? */
import {
  type ChatHistoryItem,
  type ChatWrapper,
  getLlama,
  getLlamaGpuTypes,
  type Llama,
  LlamaChat,
  type LlamaContext,
  type LlamaContextSequence,
  LlamaLogLevel,
  type LlamaModel,
  resolveChatWrapper,
  type Token,
} from 'node-llama-cpp';
import { AppError } from '../../api/errors.ts';
import { models } from '../config.ts';
import type { ChatMessage, GenerateOptions, Generator } from '../document.ts';
import { fitContext, type MemoryEstimate } from './fit-context.ts';
import { TextStream } from './text-stream.ts';

/** The llama.cpp library, opened for one kind of device. */
export interface LlamaRuntime {
  llama: Llama;
  /** Such as "CPU" or "CUDA (NVIDIA …)". */
  device: string;
  /** Every kind that was tried, in order, with what came of it. */
  tried: { kind: string; outcome: string }[];
  /** Of the graphics card in use; undefined on a CPU. */
  videoMemory(): Promise<{ totalBytes: number; freeBytes: number } | undefined>;
}

export interface LlamaSpec {
  name: string;
  /** Absolute path of the GGUF file. */
  modelPath: string;
  /** Tokens of prompt and answer at most; less where memory is short. */
  contextTokens: number;
  threads: number;
  memory: MemoryEstimate;
  /** Bytes it may take; default: what is free, less a reserve. */
  memoryBytes?: number;
}

const deviceNames = { cuda: 'CUDA', metal: 'Metal', vulkan: 'Vulkan' } as const;

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!.slice(0, 300);
}

/**
 * Opens llama.cpp on the best device that works, trying each kind that the machine supports and the CPU last.
 * Never downloads, never compiles; its log goes to stderr.
 * @throws AppError MODEL_FAILED when no prebuilt library runs here
 */
export async function openLlama(threads: number): Promise<LlamaRuntime> {
  const supported = await getLlamaGpuTypes('supported');
  const tried: LlamaRuntime['tried'] = [];
  for (const gpu of [...supported.filter((kind) => kind !== false), false as const]) {
    const kind = gpu === false ? 'CPU' : deviceNames[gpu];
    const opened = await getLlama({
      gpu,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: LlamaLogLevel.error,
      logger: (level, message) => process.stderr.write(`llama.cpp ${level}: ${message.trimEnd()}\n`),
      maxThreads: threads,
    }).then(
      (llama) => ({ llama }),
      (error: unknown) => ({ error }),
    );
    if ('llama' in opened) {
      tried.push({ kind, outcome: 'in use' });
      const names = gpu === false ? [] : await opened.llama.getGpuDeviceNames();
      return {
        llama: opened.llama,
        device: names.length > 0 ? `${kind} (${names.join(', ')})` : kind,
        tried,
        videoMemory: async () => {
          if (gpu === false) return undefined;
          const { total, free } = await opened.llama.getVramState();
          return { totalBytes: total, freeBytes: free };
        },
      };
    }
    tried.push({ kind, outcome: firstLine(opened.error) });
  }
  const list = tried.map((attempt) => `${attempt.kind}: ${attempt.outcome}`).join('; ');
  throw new AppError(
    'MODEL_FAILED',
    `Language models can’t run: llama.cpp did not start (${list}): install Lectern again.`,
  );
}

async function freeMemory(llama: Llama): Promise<number> {
  const videoBytes = llama.gpu === false ? 0 : (await llama.getVramState()).free;
  return Math.max(0, process.availableMemory() - models.memoryReserveBytes) + videoBytes;
}

function toHistory(messages: ChatMessage[]): ChatHistoryItem[] {
  const history = messages.map((message): ChatHistoryItem => {
    if (message.role === 'assistant') return { type: 'model', response: [message.content] };
    return { type: message.role, text: message.content };
  });
  if (messages.at(-1)?.role !== 'assistant') history.push({ type: 'model', response: [] });
  return history;
}

/** A GGUF model with one context. Generations on it run one after another. */
export class LlamaGenerator implements Generator {
  readonly name: string;
  readonly contextTokens: number;
  private readonly model: LlamaModel;
  private readonly context: LlamaContext;
  private readonly sequence: LlamaContextSequence;
  private readonly chatWrapper: ChatWrapper;
  private queue: Promise<void> = Promise.resolve();

  private constructor(name: string, model: LlamaModel, context: LlamaContext, contextTokens: number) {
    this.name = name;
    this.model = model;
    this.context = context;
    this.contextTokens = Math.min(context.contextSize, contextTokens);
    this.sequence = context.getSequence();
    // The template of the file, with thinking aloud kept short: a reader waits for the answer, not for the thoughts.
    this.chatWrapper = resolveChatWrapper(model, {
      customWrapperSettings: { qwen: { thoughts: 'discourage' } },
      warningLogs: false,
    });
  }

  /**
   * Loads a model and one context.
   * @throws AppError MODEL_INVALID when llama.cpp can't read the file, MODEL_TOO_LARGE when it does not fit
   */
  static async load(spec: LlamaSpec, llama: Llama): Promise<LlamaGenerator> {
    const invalid = (cause: unknown): never => {
      throw new AppError(
        'MODEL_INVALID',
        `Model can’t be used: ${spec.name}: llama.cpp can’t load it (${firstLine(cause)}): fetch the file again or choose another.`,
        { cause },
      );
    };
    const free = spec.memoryBytes ?? (await freeMemory(llama));
    const contextTokens = fitContext(spec.name, spec.memory, spec.contextTokens, free);
    // As many layers as fit beside the context; on a CPU there is nothing to work out.
    const gpuLayers = llama.gpu === false ? 0 : { fitContext: { contextSize: contextTokens } };
    const model = await llama.loadModel({ modelPath: spec.modelPath, gpuLayers }).catch(invalid);
    const context = await model
      .createContext({ contextSize: contextTokens, threads: spec.threads, sequences: 1 })
      .catch(async (cause: unknown) => {
        await model.dispose();
        return invalid(cause);
      });
    return new LlamaGenerator(spec.name, model, context, contextTokens);
  }

  /** Name of the chat template in use, such as "Qwen". */
  get template(): string {
    return this.chatWrapper.wrapperName;
  }

  generate(messages: ChatMessage[], options: GenerateOptions): AsyncIterable<string> {
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const stream = new TextStream(() => stop.abort());
    const run = this.queue.then(() =>
      this.write(messages, { ...options, signal }, (text) => stream.push(text)),
    );
    run.then(
      () => stream.finish(),
      (error: unknown) => stream.finish({ error }),
    );
    this.queue = run.catch(() => {});
    return stream;
  }

  private async write(
    messages: ChatMessage[],
    options: GenerateOptions & { signal: AbortSignal },
    onText: (text: string) => void,
  ): Promise<void> {
    const { signal } = options;
    signal.throwIfAborted();
    const history = toHistory(messages);
    const prompt = this.chatWrapper
      .generateContextState({ chatHistory: history })
      .contextText.tokenize(this.model.tokenizer);
    const room = this.contextTokens - prompt.length - 1;
    if (room < Math.min(options.maxTokens, this.contextTokens / 8)) {
      throw new AppError(
        'MODEL_FAILED',
        `Answer can’t be written: ${this.name}: the question and its sources take ${prompt.length} of ${this.contextTokens} tokens: ask with fewer sources.`,
      );
    }
    await this.readPrompt(prompt, signal);
    const chat = new LlamaChat({ contextSequence: this.sequence, chatWrapper: this.chatWrapper });
    await chat
      .generateResponse(history, {
        maxTokens: Math.min(options.maxTokens, room),
        temperature: options.temperature,
        // Answers repeat names, figures and citation marks on purpose.
        repeatPenalty: false,
        signal,
        onTextChunk: onText,
      })
      .catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new AppError(
          'MODEL_FAILED',
          `Answer broke off: ${this.name}: ${firstLine(cause)}: ask again or choose another model.`,
          { cause },
        );
      })
      .finally(() => chat.dispose({ disposeSequence: false }));
  }

  /** Reads the prompt in pieces, so that a cancel is heard before a long one ends; what the context holds already is kept. */
  private async readPrompt(prompt: Token[], signal: AbortSignal): Promise<void> {
    await this.sequence.adaptStateToTokens(prompt.slice(0, -1), false);
    const last = prompt.length - 1;
    for (let start = this.sequence.nextTokenIndex; start < last; start += models.promptBatchTokens) {
      signal.throwIfAborted();
      await this.sequence.evaluateWithoutGeneratingNewTokens(
        prompt.slice(start, Math.min(last, start + models.promptBatchTokens)),
      );
    }
  }

  async countTokens(text: string): Promise<number> {
    return this.model.tokenize(text).length;
  }

  /** Waits for the running generation; cancel it first to be quick. */
  async close(): Promise<void> {
    await this.queue;
    await this.context.dispose();
    await this.model.dispose();
  }
}
