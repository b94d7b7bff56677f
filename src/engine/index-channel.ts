/** How does a parse worker hand on what it read without running ahead of the writer? */
import type { MessagePort } from 'node:worker_threads';
import { parse as limits } from './config.ts';
import type { Block, Chunk, ChunkTerms, Part, Table } from './document.ts';
import { buffersOf } from './embed/join-features.ts';
import type { EngineMessage, HandedMember, ReadBatch, WorkerMessage } from './index-messages.ts';
import type { DocumentBatch } from './store/types.ts';

/** The worker's end of a task's port. */
export class EngineChannel {
  readonly #port: MessagePort;
  readonly #questions = new Map<number, (values: number[] | undefined) => void>();
  #member: PromiseWithResolvers<string | undefined> | undefined;
  #inFlight = 0;
  #asked = 0;
  #taken = Promise.withResolvers<void>();

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: EngineMessage) => this.#hear(message));
  }

  /** Sends, once fewer than the allowed number are under way. */
  async send(message: WorkerMessage): Promise<void> {
    while (this.#inFlight >= limits.maxBatchesInFlight) await this.#taken.promise;
    this.#inFlight += 1;
    this.#port.postMessage(message, message.type === 'batch' ? batchBuffers(message.batch) : []);
  }

  /** Waits until everything sent was taken. */
  async drained(): Promise<void> {
    while (this.#inFlight > 0) await this.#taken.promise;
  }

  /** Similarity of each sentence with the next; where it can't be had, all are alike and nothing is cut by it. */
  async similarity(sentences: string[]): Promise<number[]> {
    if (sentences.length < 2) return [];
    const id = this.#asked++;
    const answer = Promise.withResolvers<number[] | undefined>();
    this.#questions.set(id, answer.resolve);
    this.#port.postMessage({ type: 'similarity', id, sentences } satisfies WorkerMessage);
    return (await answer.promise) ?? sentences.slice(1).map(() => 1);
  }

  /** Hands over a document inside the one that is read; waits until there is room for the next. Returns why there must be none. */
  async member(member: HandedMember): Promise<string | undefined> {
    this.#member = Promise.withResolvers();
    this.#port.postMessage({ type: 'member', member } satisfies WorkerMessage);
    return this.#member.promise;
  }

  close(): void {
    this.#port.close();
  }

  #hear(message: EngineMessage): void {
    if (message.type === 'member') {
      this.#member?.resolve(message.refused);
      return;
    }
    if (message.type === 'similarity') {
      this.#questions.get(message.id)?.(message.values);
      this.#questions.delete(message.id);
      return;
    }
    this.#inFlight -= 1;
    this.#taken.resolve();
    this.#taken = Promise.withResolvers<void>();
  }
}

/** Collects blocks, tables and chunks and sends them in batches of limited size. */
export class BatchSender {
  readonly #channel: EngineChannel;
  readonly #pack: (batch: DocumentBatch) => ReadBatch;
  #batch = emptyBatch();
  #characters = 0;
  /** Chunks sent or waiting to be sent. */
  chunks = 0;

  constructor(channel: EngineChannel, pack: (batch: DocumentBatch) => ReadBatch) {
    this.#channel = channel;
    this.#pack = pack;
  }

  async addBlock(block: Block): Promise<void> {
    this.#batch.blocks.push(block);
    await this.#grow(block.text.length);
  }

  async addTable(table: Table): Promise<void> {
    this.#batch.tables.push(table);
    await this.#grow(0);
  }

  async addChunk(chunk: Chunk, terms: ChunkTerms): Promise<void> {
    this.#batch.chunks.push({ chunk, terms });
    this.chunks += 1;
    await this.#grow(chunk.text.length + terms.words.length + terms.stems.length);
  }

  /** Waits until everything sent was taken and returns what was not sent; of a short document that is all. */
  async end(): Promise<ReadBatch | undefined> {
    await this.#channel.drained();
    return this.#take();
  }

  async #grow(characters: number): Promise<void> {
    this.#characters += characters;
    const { blocks, chunks } = this.#batch;
    const isFull =
      blocks.length + chunks.length >= limits.batchBlocks || this.#characters >= limits.batchCharacters;
    if (!isFull) return;
    const batch = this.#take();
    if (batch) await this.#channel.send({ type: 'batch', batch });
  }

  #take(): ReadBatch | undefined {
    const batch = this.#batch;
    if (batch.blocks.length + batch.tables.length + batch.chunks.length === 0) return undefined;
    this.#batch = emptyBatch();
    this.#characters = 0;
    return this.#pack(batch);
  }
}

/** Buffers that go over instead of being copied. */
export function batchBuffers({ packed, features }: ReadBatch): ArrayBuffer[] {
  return [packed.buffer as ArrayBuffer, ...(features ? buffersOf(features) : [])];
}

/** Sends parts in groups of limited size. */
export class PartSender {
  readonly #channel: EngineChannel;
  #parts: Part[] = [];
  #characters = 0;

  constructor(channel: EngineChannel) {
    this.#channel = channel;
  }

  async add(part: Part): Promise<void> {
    this.#parts.push(part);
    if (part.type === 'block') this.#characters += part.block.text.length;
    if (this.#parts.length >= limits.batchBlocks || this.#characters >= limits.batchCharacters) {
      await this.#send();
    }
  }

  async end(): Promise<void> {
    if (this.#parts.length > 0) await this.#send();
    await this.#channel.drained();
  }

  async #send(): Promise<void> {
    const parts = this.#parts;
    this.#parts = [];
    this.#characters = 0;
    await this.#channel.send({ type: 'parts', parts });
  }
}

function emptyBatch(): {
  blocks: Block[];
  tables: Table[];
  chunks: { chunk: Chunk; terms: ChunkTerms }[];
} {
  return { blocks: [], tables: [], chunks: [] };
}
