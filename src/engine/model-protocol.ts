/** What do the engine and its model process say to each other? Plain values over process messages. */
import type { ErrorCode } from '../api/errors.ts';
import type { ChatMessage } from './document.ts';
import type { DeviceKind, EmbedderSpec, EncoderSpec } from './embed/encoder-spec.ts';
import type { LlamaSpec } from './generate/llama.ts';

/** Errors cross as values: structured cloning would drop their code. */
export type Reply<T> = { ok: true; value: T } | { ok: false; code: ErrorCode; message: string };

/** What is known of a model once it is loaded. */
export interface Loaded {
  /** Such as "CPU" or "CUDA (…)". */
  device: string;
  /** Kinds of device that were tried, in order, each with its outcome. */
  tried: { kind: string; outcome: string }[];
  /** Tokens that prompt and answer share; 0 for encoders. */
  contextTokens: number;
  /** Name of the chat template in use; empty for encoders. */
  template: string;
}

/** What the process takes of the machine. */
export interface ProcessUse {
  residentBytes: number;
  heapBytes: number;
  /** Processor time since its start. */
  cpuMs: number;
  /** Of the graphics card that language models run on, where there is one. */
  video?: { totalBytes: number; freeBytes: number };
}

/** Answered by the model process. `call` names a call for `cancel`; `id` names a loaded model. */
export interface ModelCalls {
  ping(): void;
  loadEmbedder(id: string, spec: EmbedderSpec): Promise<Reply<Loaded>>;
  loadReranker(id: string, spec: EncoderSpec): Promise<Reply<Loaded>>;
  loadGenerator(id: string, spec: LlamaSpec): Promise<Reply<Loaded>>;
  /** All vectors in one array, one after another. */
  embed(call: number, id: string, texts: string[], role: 'query' | 'passage'): Promise<Reply<Float32Array>>;
  score(call: number, id: string, question: string, passages: string[]): Promise<Reply<number[]>>;
  /** Sends its text by `HostCalls.text` and replies when it is done. */
  generate(
    call: number,
    id: string,
    messages: ChatMessage[],
    options: { maxTokens: number; temperature: number },
  ): Promise<Reply<void>>;
  cancel(call: number): void;
  countTokens(id: string, text: string): Promise<Reply<number>>;
  unload(id: string): Promise<Reply<void>>;
  /** Opens llama.cpp without a model. */
  probe(threads: number): Promise<Reply<Loaded>>;
  use(): Promise<ProcessUse>;
  /** Lets go of every model; the process may then be ended. */
  close(): Promise<void>;
}

/** Answered by the engine. */
export interface HostCalls {
  text(call: number, text: string): void;
  /** Told before an encoder is tried on a device, for a driver may end the process. */
  trying(id: string, device: DeviceKind): void;
}
