/** How is a file read without ever harming the engine? Worker threads with limits on time, heap and memory. */
import { rm } from 'node:fs/promises';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { AppError, type ReasonCode } from '../api/errors.ts';
import type { DocumentKind, DocumentWarning } from '../api/types.ts';
import { parse as defaults, members as memberLimits } from './config.ts';
import {
  type Block,
  type DocumentMetadata,
  ParseFailure,
  type Part,
  type Similarity,
  type SourceFile,
  type Table,
} from './document.ts';
import type { FeatureSettings } from './embed/open-feature-reader.ts';
import { Conversation } from './index-conversation.ts';
import { Gate, type Lane, Place } from './index-gate.ts';
import { heldBytes } from './index-memory.ts';
import type {
  EngineMessage,
  ExtractReply,
  FailedReply,
  HandedMember,
  IndexReply,
  MemberSettings,
  ReadBatch,
  RecogniseReply,
  RecogniseTask,
  TaskName,
  UnpackReply,
  ViewReply,
  WorkerMessage,
} from './index-messages.ts';
import { RunningParse } from './index-running.ts';
import { MemberFiles } from './member-files.ts';

/** Limits of one parse; each defaults to its value in config.ts. */
export interface ParseLimits {
  timeoutMs: number;
  heapMb: number;
  maxResidentGrowthMb: number;
  memoryWatchMs: number;
  workers: number;
}

export interface ParsePoolOptions {
  /** Absolute path of the worker's entry, see index-worker.ts. */
  entry: string;
  /** Folder of what was recognised; without it documents have only the text that is written in them. */
  recognisedFolder?: string;
  /** Folder for documents inside documents while they are read or open; without it those are left alone. */
  membersFolder?: string;
  limits?: Partial<ParseLimits>;
}

export interface IndexOptions {
  signal?: AbortSignal;
  /** Hash of the stored content; an equal one gives 'unchanged'. */
  knownHash?: string;
  similarity?: Similarity;
  /** Has the features of every chunk read. */
  features?: FeatureSettings;
  /** Takes the batches of a long document in order; the worker waits when it is slow. An error ends the parse and is thrown. */
  onBatch(batch: ReadBatch): Promise<void>;
  /** Takes the documents inside it, each at once or, where that is a promise, later; answers why no further one is wanted. */
  members?: MemberSettings & {
    take(member: HandedMember): string | undefined | Promise<string | undefined>;
  };
  /** The document begins once more: forget its batches. */
  onRestart(): Promise<void>;
}

/** A whole document; for one file at a time. */
export interface ExtractedDocument {
  blocks: Block[];
  tables: Table[];
  metadata: DocumentMetadata;
  warnings: DocumentWarning[];
}

interface Task {
  name: TaskName;
  file: SourceFile;
  /** What the worker's function gets beside file and port. */
  values: object;
  lane: Lane;
  signal: AbortSignal | undefined;
  /** `place` is the parse's own; while it is given up other parses run. */
  onMessage(message: WorkerMessage, place: Place): Promise<EngineMessage>;
  onRestart(): Promise<void>;
}

const MIB = 1024 * 1024;

/** Reads files in worker threads; a file that harms its worker fails alone. Hold one per engine. */
export class ParsePool {
  readonly #limits: ParseLimits;
  readonly #recognisedFolder: string | undefined;
  readonly #workers: Piscina;
  readonly #gate: Gate;
  readonly #running = new Set<RunningParse>();
  /** Files of documents inside documents. */
  readonly members: MemberFiles | undefined;
  #watch: NodeJS.Timeout | undefined;
  #settled: Promise<void> = Promise.resolve();
  /** At the last look; a look costs more than a short note takes to parse, so it is not taken for each document. */
  #heldBytes = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #entryError: unknown;
  #isClosed = false;

  constructor(options: ParsePoolOptions) {
    this.#limits = { ...defaults, ...options.limits };
    this.#recognisedFolder = options.recognisedFolder;
    if (options.membersFolder !== undefined)
      this.members = new MemberFiles(options.membersFolder, (...task) => this.#unpack(...task));
    this.#gate = new Gate(this.#limits.workers, defaults.interactiveWorkers);
    this.#workers = new Piscina({
      filename: options.entry,
      minThreads: 0,
      maxThreads: this.#limits.workers + defaults.interactiveWorkers + defaults.waitingWorkers,
      idleTimeout: defaults.idleMs,
      // Blocking waits between tasks would hold up what a finished task left behind, such as closing a file.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#limits.heapMb,
        maxYoungGenerationSizeMb: defaults.youngHeapMb,
      },
      env: {},
    });
    this.#workers.on('error', (error) => {
      // A worker that dies between two tasks is replaced. None left while a task waits: the entry can't be loaded.
      if (this.#workers.threads.length > 0) return;
      for (const running of this.#running) running.end('stopped');
      if (this.#running.size > 0) this.#entryError = error;
    });
  }

  /** Reads one file for the index. What is wrong with the file is a 'failed' reply; errors thrown are the caller's own. */
  async index(file: SourceFile, options: IndexOptions): Promise<IndexReply> {
    const { similarity, members } = options;
    return this.#read<IndexReply>({
      name: 'index',
      file,
      values: {
        knownHash: options.knownHash,
        hasSimilarity: similarity !== undefined,
        features: options.features,
        recognisedFolder: this.#recognisedFolder,
        members: members && { folder: members.folder, maxBytes: members.maxBytes, refused: members.refused },
      },
      lane: 'index',
      signal: options.signal,
      onRestart: () => options.onRestart(),
      onMessage: async (message, place) => {
        if (message.type === 'member') {
          // What is inside is read meanwhile, which needs places.
          const refused = await place.whileAway(members?.take(message.member));
          return { type: 'member', ...(refused === undefined ? {} : { refused }) };
        }
        if (message.type === 'similarity') {
          // Cutting prose by meaning is an extra: without it the document is cut by its structure.
          const values = await similarity?.(message.sentences).catch(() => undefined);
          return { type: 'similarity', id: message.id, ...(values ? { values } : {}) };
        }
        if (message.type === 'batch') await options.onBatch(message.batch);
        return { type: 'taken' };
      },
    });
  }

  /** All parts of one file, for showing and for finding a quote again. Throws ParseFailure. */
  async extract(file: SourceFile, signal?: AbortSignal): Promise<ExtractedDocument> {
    let document = emptyDocument();
    const reply = await this.#read<ExtractReply>({
      name: 'extract',
      file,
      values: {},
      lane: 'interactive',
      signal,
      onRestart: async () => {
        document = emptyDocument();
      },
      onMessage: async (message) => {
        if (message.type === 'parts') for (const part of message.parts) addPart(document, part);
        return { type: 'taken' };
      },
    });
    if (reply.type === 'failed') throw new ParseFailure(reply.failure.reason, reply.failure.message);
    return document;
  }

  /** Recognises pages of one file for a while, see RecogniseTask. What is wrong with the file is a 'failed' reply. */
  async recognise(
    file: SourceFile,
    options: Pick<RecogniseTask, 'languages' | 'pages' | 'done'> & {
      signal: AbortSignal;
      onMessage(message: WorkerMessage): Promise<void>;
    },
  ): Promise<RecogniseReply> {
    const { signal, onMessage, ...values } = options;
    return this.#read<RecogniseReply>({
      name: 'recognise',
      file,
      values,
      lane: 'index',
      signal,
      // Pages that are done are kept, those after them are done again.
      onRestart: async () => {},
      onMessage: async (message) => {
        await onMessage(message);
        return { type: 'taken' };
      },
    });
  }

  /** The form of a document that the page shows. Throws ParseFailure, also for a kind without one. */
  async view(
    kind: DocumentKind,
    file: SourceFile,
    signal?: AbortSignal,
  ): Promise<{ bytes: Uint8Array; type: string }> {
    const reply = await this.#read<ViewReply>({
      name: 'view',
      file,
      values: { kind },
      lane: 'interactive',
      signal,
      onRestart: async () => {},
      onMessage: async () => ({ type: 'taken' }),
    });
    if (reply.type === 'failed') throw new ParseFailure(reply.failure.reason, reply.failure.message);
    return { bytes: reply.bytes, type: reply.contentType };
  }

  /** Writes one member of a file to `target`. Throws ParseFailure. */
  async #unpack(file: SourceFile, member: string, target: string): Promise<{ contentHash: string }> {
    const reply = await this.#read<UnpackReply>({
      name: 'unpack',
      file,
      values: { member, target, maxBytes: memberLimits.maxMemberBytes },
      lane: 'interactive',
      signal: undefined,
      onRestart: () => rm(target, { force: true }),
      onMessage: async () => ({ type: 'taken' }),
    });
    if (reply.type === 'failed') throw new ParseFailure(reply.failure.reason, reply.failure.message);
    return reply;
  }

  /** Ends every parse and every worker. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const running of this.#running) running.end('stopped');
    clearInterval(this.#watch);
    await this.#workers.destroy();
    await this.members?.close();
  }

  /** One attempt beside others; if it was ended and perhaps not by its own fault, once more alone, which tells who is guilty. */
  async #read<Reply extends { type: string }>(task: Task): Promise<Reply | FailedReply> {
    const first = await this.#attempt<Reply>(task);
    if (first !== 'interrupted') return first;
    await task.onRestart();
    const second = await this.#attempt<Reply>({ ...task, lane: 'alone' });
    return second === 'interrupted'
      ? failed(task.file, 'out-of-memory', 0, this.#limits.maxResidentGrowthMb)
      : second;
  }

  async #attempt<Reply>(task: Task): Promise<Reply | FailedReply | 'interrupted'> {
    const place = await Place.enter(this.#gate, task.lane, task.signal);
    await this.#settled;
    const running = this.#start(task.file);
    const onAbort = () => running.end('stopped');
    task.signal?.addEventListener('abort', onAbort, { once: true });
    if (task.signal?.aborted) onAbort();
    const { port1, port2 } = new MessageChannel();
    const conversation = new Conversation(port1, running, (message) => task.onMessage(message, place));
    try {
      const message = { file: task.file, port: port2, ...task.values };
      return await this.#workers.run(message, {
        name: task.name,
        transferList: [port2],
        signal: running.signal,
      });
    } catch (error) {
      task.signal?.throwIfAborted();
      if (conversation.failure) throw conversation.failure.error;
      if (this.#entryError !== undefined) throw this.#entryError;
      if (this.#isClosed) {
        throw new AppError(
          'ENGINE_GONE',
          `Reading failed: ${task.file.name}: Lectern is closing; start it again.`,
        );
      }
      if (running.verdict === 'interrupted') return 'interrupted';
      const reason = reasonOf(running, error);
      // Something that the file before left behind in the worker may have struck this one: it gets a second, clean try.
      if (reason === 'crashed' && task.lane !== 'alone') return 'interrupted';
      return failed(task.file, reason, this.#timeoutMs(task.file), this.#limits.maxResidentGrowthMb);
    } finally {
      task.signal?.removeEventListener('abort', onAbort);
      this.#stop(running);
      await conversation.close();
      place.leave();
    }
  }

  #start(file: SourceFile): RunningParse {
    if (performance.now() - this.#lookedAt > this.#limits.memoryWatchMs) this.#look();
    this.#watch ??= setInterval(() => this.#lookAtMemory(), this.#limits.memoryWatchMs);
    const running = new RunningParse(this.#timeoutMs(file), this.#heldBytes);
    this.#running.add(running);
    return running;
  }

  /** Wall-clock time that a file of this size may take. */
  #timeoutMs(file: SourceFile): number {
    const more = (file.sizeBytes / MIB) * defaults.timeoutPerMibMs;
    return Math.min(this.#limits.timeoutMs + more, defaults.maxTimeoutMs);
  }

  #stop(running: RunningParse): void {
    running.close();
    this.#running.delete(running);
    if (this.#running.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  #look(): number {
    this.#lookedAt = performance.now();
    this.#heldBytes = heldBytes();
    return this.#heldBytes;
  }

  /** Resident memory belongs to the process, so with several parses nobody knows whose it is: all end, and each goes again alone. */
  #lookAtMemory(): void {
    const limit = this.#limits.maxResidentGrowthMb * MIB;
    const held = this.#look();
    const running = [...this.#running].filter((parse) => parse.verdict === undefined);
    if (!running.some((parse) => held - parse.heldBytesAtStart > limit)) return;
    const verdict = running.length === 1 ? 'out-of-memory' : 'interrupted';
    for (const parse of running) parse.end(verdict);
    const lowest = Math.min(...running.map((parse) => parse.heldBytesAtStart));
    this.#settled = this.#waitForMemory(lowest + limit / 2);
  }

  /** A worker's memory comes back a moment after its end; a parse that started before would have it on its account. */
  async #waitForMemory(bytes: number): Promise<void> {
    const deadline = performance.now() + defaults.memorySettleMs;
    while (this.#look() > bytes && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, this.#limits.memoryWatchMs));
    }
  }
}

function reasonOf(running: RunningParse, error: unknown): ReasonCode {
  if (running.verdict === 'timed-out' || running.verdict === 'out-of-memory') return running.verdict;
  const isHeapFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isHeapFull ? 'out-of-memory' : 'crashed';
}

function failed(file: SourceFile, reason: ReasonCode, timeoutMs: number, memoryMb: number): FailedReply {
  const why: Partial<Record<ReasonCode, string>> = {
    'timed-out': `it took longer than ${Math.round(timeoutMs / 1000)} seconds; split the file or save it anew`,
    'out-of-memory': `it needs more than ${memoryMb} MB of memory; split the file or save it anew`,
    crashed: 'its content ended the reader; open it in its own program and save it anew',
  };
  return {
    type: 'failed',
    failure: { reason, message: `Reading failed: ${file.name}: ${why[reason] ?? reason}.` },
  };
}

function emptyDocument(): ExtractedDocument {
  return { blocks: [], tables: [], metadata: {}, warnings: [] };
}

function addPart(document: ExtractedDocument, part: Part): void {
  if (part.type === 'block') document.blocks.push(part.block);
  else if (part.type === 'table') document.tables.push(part.table);
  else if (part.type === 'metadata') Object.assign(document.metadata, part.metadata);
  else if (part.type === 'warning') document.warnings.push(part.warning);
}
