/** How does a folder become searchable? The verb: scan, compare, read, write, remove. */
import { readdir, stat } from 'node:fs/promises';
import { AppError } from '../api/errors.ts';
import type { IndexProgress, IndexSummary } from '../api/types.ts';
import { files as limits, parse } from './config.ts';
import type { Similarity } from './document.ts';
import {
  type ScanEvent,
  type ScanExclusion,
  type ScannedFile,
  type ScanProblem,
  scanFolder,
} from './files/scan-folder.ts';
import {
  type MembersInRun,
  type Reading,
  type ReadingParts,
  readDocument,
  rememberFailure,
} from './index-document.ts';
import { loadMemberCounts, Turns } from './index-file-members.ts';
import { type Comparison, KnownFiles } from './index-known.ts';
import { PendingFiles } from './index-pending.ts';
import { RunProgress } from './index-progress.ts';
import type { ReadTimings } from './index-timings.ts';
import { DocumentWrites, type PassageEmbedder } from './index-write.ts';
import type { ParsePool } from './parse-pool.ts';
import type { FileStamp, MemberCount, StoreApi } from './store/types.ts';

export { readOne } from './index-document.ts';

export interface IndexFolderOptions {
  store: StoreApi;
  pool: ParsePool;
  folder: {
    id: number;
    /** Absolute. */
    path: string;
    /** When it was last read to the end; tells a drive that is away from a folder that was emptied. */
    indexedAtMs?: number | undefined;
  };
  /** Ends the run: documents that were read stay, the one under way is left as it was before. */
  signal?: AbortSignal;
  /** Latest state, at most every `files.progressIntervalMs`. */
  onProgress?: (progress: IndexProgress) => void;
  /** Cuts prose where its meaning changes. */
  similarity?: Similarity;
  /** Makes the vectors of what is read; without it documents are found by their words until somebody catches up. */
  embedder?: PassageEmbedder | undefined;
  /** Reads every file again, changed or not, failed or not. Default false. */
  force?: boolean;
  /** Where the worker's time went, for each document that was read. */
  onTimings?: (timings: ReadTimings) => void;
}

/**
 * Reads what is new or changed in a folder and forgets what is gone. One bad file never stops a run: it becomes a
 * failed document with its reason. Errors: FOLDER_NOT_FOUND, with nothing removed; the signal's reason when cancelled.
 */
export async function indexFolder(options: IndexFolderOptions): Promise<IndexSummary> {
  const run = new Run(options);
  try {
    // 1. What does the library hold of this folder? The scan begins meanwhile.
    const known = run.loadKnown();
    // 2. Scan and compare; what is new or changed is read, chunked and written meanwhile.
    await run.together([run.scan(known), ...run.readers()]);
    // 3. Remove what is gone.
    await run.removeGone();
    // 4. Finish.
    return await run.finish();
  } catch (error) {
    await run.fail(error);
    throw error;
  } finally {
    run.close();
  }
}

/** State of one run. */
class Run {
  readonly #options: IndexFolderOptions;
  readonly #parts: ReadingParts;
  readonly #known: KnownFiles;
  readonly #pending: PendingFiles;
  readonly #progress: RunProgress;
  /** Fires when the caller cancels or any part of the run fails. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #unseen: string[] = [];
  readonly #excluded: ScanExclusion[] = [];
  /** Documents that were read and are being written. */
  readonly #writing = new Set<Promise<void>>();
  /** Documents that the library holds inside files, by path of the file. */
  #memberCounts = new Map<string, MemberCount>();

  constructor(options: IndexFolderOptions) {
    const { store, pool, folder, similarity, embedder, onTimings } = options;
    this.#options = options;
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal;
    this.#parts = {
      store,
      pool,
      writes: new DocumentWrites({ store, folderId: folder.id, embedder, signal: this.#signal }),
      folderId: folder.id,
      signal: this.#signal,
      refuseUnreachable: () => this.#refuseUnreachable(),
      members: this.#membersInRun(),
      ...(similarity ? { similarity } : {}),
      ...(onTimings ? { onTimings } : {}),
    };
    this.#known = new KnownFiles(store);
    this.#pending = new PendingFiles(limits.maxPending, Date.now());
    this.#progress = new RunProgress(folder.id, options.onProgress);
    this.#signal.addEventListener('abort', this.#onStop, { once: true });
  }

  readonly #onStop = () => this.#pending.close();

  async loadKnown(): Promise<void> {
    const { folder, store } = this.#options;
    this.#memberCounts = await loadMemberCounts(store, folder.id, this.#signal);
    await this.#known.load(folder.id, this.#signal);
  }

  async scan(known: Promise<void>): Promise<void> {
    // Where the scan fails first nobody waits for it.
    known.catch(() => undefined);
    await this.#orStopAll(async () => {
      let isEmpty = true;
      for await (const events of scanFolder(this.#options.folder.path, { signal: this.#signal })) {
        isEmpty = false;
        await known;
        for (const event of events) {
          // Almost every file of a run is unchanged: a promise for each would cost more than the comparison.
          const waiting = this.#meet(event);
          if (waiting) await waiting;
        }
      }
      await known;
      if (isEmpty) await this.#refuseAbsentDrive();
      this.#progress.scanned();
      this.#pending.close();
    });
  }

  /** More than there are workers: while one document is being committed the next is parsed. */
  readers(): Promise<void>[] {
    return Array.from({ length: parse.workers * 2 }, () => this.#orStopAll(() => this.#readPending()));
  }

  /** Waits for all, also after an error: nothing may still write when the run is over. */
  async together(parts: Promise<void>[]): Promise<void> {
    await Promise.allSettled(parts);
    await this.#parts.writes.drain();
    await Promise.allSettled(this.#writing);
    this.#signal.throwIfAborted();
  }

  async removeGone(): Promise<void> {
    const { store, folder } = this.#options;
    this.#progress.enter('finishing');
    const ids = this.#known.gone(this.#unseen);
    // A drive that went away during the scan looks like deleted files.
    if (ids.length > 0) await this.#refuseUnreachable();
    for (let from = 0; from < ids.length; from += limits.removeBatch) {
      await this.#remove(ids.slice(from, from + limits.removeBatch));
    }
    // What was inside them is gone too, and what a crash left of a file that is no longer there.
    for (;;) {
      const orphans = await store.orphans(folder.id, limits.removeBatch);
      if (orphans.length === 0) return;
      await this.#remove(orphans);
    }
  }

  async #remove(ids: number[]): Promise<void> {
    this.#signal.throwIfAborted();
    await this.#options.store.removeDocuments(ids);
    this.#progress.count('removed', ids.length);
  }

  async finish(): Promise<IndexSummary> {
    const { store, folder } = this.#options;
    await store.setExclusions(folder.id, this.#excluded);
    if (this.#progress.hasChanged) await store.optimise();
    await store.markFolder(folder.id, { isUnreachable: false, indexedAtMs: Date.now() });
    this.#progress.enter('done');
    return this.#progress.summary();
  }

  async fail(error: unknown): Promise<void> {
    const { store, folder, signal } = this.#options;
    if (error instanceof AppError && error.code === 'FOLDER_NOT_FOUND') {
      await store.markFolder(folder.id, { isUnreachable: true });
    }
    this.#progress.enter(signal?.aborted ? 'cancelled' : 'done');
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#onStop);
    this.#progress.close();
  }

  #meet(event: ScanEvent): Promise<void> | undefined {
    if (event.type === 'excluded') {
      if (this.#excluded.length < limits.maxExclusions) this.#excluded.push(event);
      return undefined;
    }
    this.#progress.found();
    if (event.type === 'problem') return this.#remember(event);
    const comparison = this.#known.compare(event, this.#options.force ?? false);
    if (comparison instanceof Promise) return comparison.then((settled) => this.#take(event, settled));
    if (comparison.type === 'unchanged') {
      this.#progress.count('unchanged');
      this.#keepMembers(event.path);
      return undefined;
    }
    return this.#take(event, comparison);
  }

  async #take(event: ScannedFile, comparison: Comparison): Promise<void> {
    if (comparison.type === 'unchanged' || comparison.type === 'failed') {
      this.#progress.count(comparison.type);
      this.#keepMembers(event.path);
      return;
    }
    this.#progress.queued(event.sizeBytes);
    const pending = comparison.type === 'check' ? { file: event, known: comparison } : { file: event };
    await this.#pending.put(pending, this.#signal);
  }

  async #remember(problem: ScanProblem): Promise<void> {
    if (problem.unseen !== undefined) this.#unseen.push(problem.unseen);
    if (!this.#known.isRememberedFailure(problem)) {
      const { reason, message } = problem;
      await rememberFailure(this.#parts, problem, { reason, message });
    }
    this.#progress.count('failed');
  }

  async #readPending(): Promise<void> {
    for (;;) {
      const pending = await this.#pending.take(this.#signal);
      this.#signal.throwIfAborted();
      if (!pending) return;
      const { file, known } = pending;
      this.#progress.reading(file.path);
      this.#follow(file, await readDocument(this.#parts, file, known));
    }
  }

  /** Counts a document once it is written; meanwhile its reader takes the next file. */
  #follow(file: ScannedFile, { written }: Reading): void {
    this.#progress.read(file.path, file.sizeBytes);
    const counted = this.#orStopAll(async () => {
      const outcome = await written;
      if (outcome.type === 'read') this.#progress.wrote(outcome.chunks, file.sizeBytes);
      if (outcome.type === 'unchanged') this.#keepMembers(file.path);
      this.#progress.count(outcome.type === 'read' ? 'indexed' : outcome.type);
    });
    this.#whenCounted(counted);
  }

  #membersInRun(): MembersInRun {
    return {
      turns: new Turns(),
      isForced: this.#options.force ?? false,
      isEmpty: (path) => !this.#memberCounts.has(path),
      onReading: (file) => {
        this.#progress.found();
        this.#progress.reading(file.path);
      },
      onRead: (file, reading) => this.#followMember(file, reading),
      onKept: (counts) => this.#keep(counts),
      onRemoved: (count) => this.#progress.count('removed', count),
    };
  }

  #followMember(file: FileStamp, { written }: Reading): void {
    this.#progress.readMember(file.path);
    const counted = this.#orStopAll(async () => {
      const outcome = await written;
      if (outcome.type === 'read') this.#progress.wrote(outcome.chunks, 0);
      this.#progress.count(outcome.type === 'read' ? 'indexed' : outcome.type);
    });
    this.#whenCounted(counted);
  }

  /** A file is as it was, and so is all that is in it. */
  #keepMembers(path: string): void {
    const counts = this.#memberCounts.get(path);
    if (counts) this.#keep(counts);
  }

  #keep({ read, failed }: { read: number; failed: number }): void {
    this.#progress.found(read + failed);
    this.#progress.count('unchanged', read);
    this.#progress.count('failed', failed);
  }

  #whenCounted(counted: Promise<void>): void {
    const followed = counted.catch(() => undefined).finally(() => this.#writing.delete(followed));
    this.#writing.add(followed);
  }

  /** An error of one part ends the others as well. */
  async #orStopAll(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#stop.abort(error);
      throw error;
    }
  }

  async #refuseUnreachable(): Promise<void> {
    const { path } = this.#options.folder;
    try {
      await readdir(path);
    } catch (cause) {
      throw unreachable(path, 'it went away while it was read', cause);
    }
  }

  /** The place where a drive is mounted stays behind as an empty folder, older than the last run; deleting files would have made it newer. */
  async #refuseAbsentDrive(): Promise<void> {
    const { path, indexedAtMs } = this.#options.folder;
    if (this.#known.size === 0 || indexedAtMs === undefined) return;
    await this.#refuseUnreachable();
    const isEmpty = (await readdir(path)).length === 0;
    if (isEmpty && (await stat(path)).mtimeMs < indexedAtMs) {
      throw unreachable(path, 'it is empty though nothing was deleted in it');
    }
  }
}

function unreachable(path: string, why: string, cause?: unknown): AppError {
  return new AppError(
    'FOLDER_NOT_FOUND',
    `Reading a folder failed: ${path}: ${why}; connect its drive and read it again. Its documents stay.`,
    { cause },
  );
}
