/** Which file is read next? Small and recent ones first, so that a folder can be searched soon. */
import type { ScannedFile } from './files/scan-folder.ts';

/** A file to be read, with what the store has at its path. */
export interface PendingFile {
  file: ScannedFile;
  /** Document to be touched when the content turns out to be the stored one. */
  known?: { documentId: number; contentHash: string };
}

interface Entry {
  pending: PendingFile;
  cost: number;
}

const KIB = 1024;
const DAY_MS = 86_400_000;

/** A priority queue of limited length between the scan and the readers. */
export class PendingFiles {
  readonly #capacity: number;
  readonly #nowMs: number;
  /** Binary heap, cheapest first. */
  readonly #heap: Entry[] = [];
  #isClosed = false;
  #changed = Promise.withResolvers<void>();

  constructor(capacity: number, nowMs: number) {
    this.#capacity = capacity;
    this.#nowMs = nowMs;
  }

  get length(): number {
    return this.#heap.length;
  }

  /** Adds a file; waits while the queue is full. Rejects with the signal's reason. */
  async put(pending: PendingFile, signal: AbortSignal): Promise<void> {
    while (this.#heap.length >= this.#capacity) {
      signal.throwIfAborted();
      await this.#changed.promise;
    }
    this.#heap.push({ pending, cost: this.#cost(pending.file) });
    this.#rise(this.#heap.length - 1);
    this.#wake();
  }

  /** The next file; undefined when the queue is closed and empty. */
  async take(signal: AbortSignal): Promise<PendingFile | undefined> {
    while (this.#heap.length === 0) {
      if (this.#isClosed || signal.aborted) return undefined;
      await this.#changed.promise;
    }
    const first = this.#heap[0]!;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    this.#wake();
    return first.pending;
  }

  /** No more files will come, or nobody wants them; wakes everybody who waits. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** A file ten times as large may be as many times younger: both are felt on a logarithmic scale. */
  #cost(file: ScannedFile): number {
    const ageDays = Math.max(0, this.#nowMs - file.modifiedAtMs) / DAY_MS;
    return Math.log2(1 + file.sizeBytes / KIB) + Math.log2(1 + ageDays);
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#heap[parent]!.cost <= this.#heap[at]!.cost) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && this.#heap[child]!.cost < this.#heap[least]!.cost) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const kept = this.#heap[a]!;
    this.#heap[a] = this.#heap[b]!;
    this.#heap[b] = kept;
  }
}
