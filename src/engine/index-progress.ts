/** How far is a run? Keeps the counts of one run and tells them at most so often. */
import type { IndexProgress, IndexSummary } from '../api/types.ts';
import { files as limits } from './config.ts';

/** Work that a file makes beside its bytes, in bytes: opening, writing, committing. */
const FILE_COST_BYTES = 64 * 1024;

/** Counts of a run. */
export class RunProgress {
  readonly #folderId: number;
  readonly #tell: ((progress: IndexProgress) => void) | undefined;
  readonly #startedAt = performance.now();
  readonly #current = new Set<string>();
  readonly #counts = { found: 0, indexed: 0, unchanged: 0, failed: 0, removed: 0, chunks: 0, bytes: 0 };
  #phase: IndexProgress['phase'] = 'scanning';
  #isScanned = false;
  #costToDo = 0;
  #costDone = 0;
  #toldAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(folderId: number, tell: ((progress: IndexProgress) => void) | undefined) {
    this.#folderId = folderId;
    this.#tell = tell;
  }

  found(number = 1): void {
    this.#counts.found += number;
    this.#change();
  }

  /** A file was found that has to be read. */
  queued(sizeBytes: number): void {
    this.#costToDo += sizeBytes + FILE_COST_BYTES;
  }

  reading(path: string): void {
    if (this.#phase === 'scanning') this.#phase = 'reading';
    this.#current.add(path);
    this.#change();
  }

  /** A document inside a file, whose own size stands for all that is in it. */
  readMember(path: string): void {
    this.#current.delete(path);
    this.#change();
  }

  read(path: string, sizeBytes: number): void {
    this.#current.delete(path);
    this.#costDone += sizeBytes + FILE_COST_BYTES;
    this.#change();
  }

  count(what: 'indexed' | 'unchanged' | 'failed' | 'removed', number = 1): void {
    this.#counts[what] += number;
    this.#change();
  }

  wrote(chunks: number, bytes: number): void {
    this.#counts.chunks += chunks;
    this.#counts.bytes += bytes;
  }

  scanned(): void {
    this.#isScanned = true;
    if (this.#phase === 'scanning') this.#phase = 'reading';
    this.#change();
  }

  /** Tells at once and for the last time when the phase ends the run. */
  enter(phase: 'finishing' | 'done' | 'cancelled'): void {
    this.#phase = phase;
    this.#now();
  }

  /** Stops telling. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get hasChanged(): boolean {
    return this.#counts.indexed + this.#counts.removed > 0;
  }

  summary(): IndexSummary {
    const { indexed, unchanged, failed, removed, chunks, bytes } = this.#counts;
    const elapsedMs = Math.round(performance.now() - this.#startedAt);
    const documents = indexed + unchanged + failed;
    return { documents, indexed, unchanged, failed, removed, chunks, bytes, elapsedMs };
  }

  #change(): void {
    if (!this.#tell || this.#timer) return;
    const waitMs = this.#toldAt + limits.progressIntervalMs - performance.now();
    if (waitMs <= 0) this.#now();
    else this.#timer = setTimeout(() => this.#now(), waitMs);
  }

  #now(): void {
    this.close();
    this.#toldAt = performance.now();
    const { found, indexed, unchanged, failed } = this.#counts;
    const remainingMs = this.#remainingMs();
    this.#tell?.({
      folderId: this.#folderId,
      phase: this.#phase,
      found,
      processed: indexed + unchanged + failed,
      failed,
      current: [...this.#current],
      ...(remainingMs === undefined ? {} : { remainingMs }),
    });
  }

  #remainingMs(): number | undefined {
    if (!this.#isScanned || this.#costDone === 0) return undefined;
    const elapsedMs = performance.now() - this.#startedAt;
    return Math.max(0, Math.round((elapsedMs * (this.#costToDo - this.#costDone)) / this.#costDone));
  }
}
