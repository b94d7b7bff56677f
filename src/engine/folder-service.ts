/** Which folders are being read now, and how far is each? Runs index-folder, one folder at a time. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import type { Folder, IndexProgress, IndexSummary } from '../api/types.ts';
import { files } from './config.ts';
import type { Similarity } from './document.ts';
import { indexFolder } from './index-folder.ts';
import type { PassageEmbedder } from './index-write.ts';
import type { ParsePool } from './parse-pool.ts';
import { StateStream } from './state-stream.ts';
import type { StoreApi } from './store/types.ts';

interface Job {
  controller: AbortController;
  done: Promise<IndexSummary>;
}

export interface FolderServiceOptions {
  store: StoreApi;
  pool: ParsePool;
  /** Sentence similarity for cutting prose; undefined while no embedder is installed. */
  similarity(): Promise<Similarity | undefined>;
  /** Makes vectors while documents are read; undefined where the built-in embedder is not installed. */
  embedder(): Promise<PassageEmbedder | undefined>;
  /** Called after each run that changed something. */
  onIndexed(): void;
  /** Called when a run begins, for work that must wait meanwhile; returns what lets it go on. */
  hold?(): () => void;
}

export class FolderService {
  readonly #options: FolderServiceOptions;
  readonly #jobs = new Map<number, Job>();
  readonly #progress = new Map<number, IndexProgress>();
  #queue: Promise<unknown> = Promise.resolve();
  readonly #stream = new StateStream(files.progressIntervalMs);

  constructor(options: FolderServiceOptions) {
    this.#options = options;
  }

  /** Adds a folder, or says why not: FOLDER_NOT_FOUND, FOLDER_KNOWN. */
  async add(folderPath: string): Promise<Folder> {
    const real = await resolveFolder(folderPath);
    const folders = await this.#options.store.folders();
    for (const folder of folders) {
      if (isInside(real, folder.path) || isInside(folder.path, real)) {
        throw new AppError(
          'FOLDER_KNOWN',
          `Adding a folder failed: ${real}: it overlaps the folder ${folder.path}; remove that one first or keep it.`,
        );
      }
    }
    const name = uniqueName(path.basename(real) || real, new Set(folders.map((folder) => folder.name)));
    const id = await this.#options.store.addFolder(real, name);
    return this.folder(id);
  }

  async folder(id: number): Promise<Folder> {
    const folder = (await this.#options.store.folders()).find((candidate) => candidate.id === id);
    if (!folder) {
      throw new AppError(
        'FOLDER_NOT_FOUND',
        `Opening a folder failed: number ${id}: it is not in this library.`,
      );
    }
    return folder;
  }

  /** Reads a folder to the end; a second call joins the run under way. */
  index(id: number, force = false): Promise<IndexSummary> {
    const running = this.#jobs.get(id);
    if (running) return running.done;
    const controller = new AbortController();
    // The run is over before its caller hears of it: a call that follows starts a run of its own.
    const done = this.#queue
      .then(() => this.#run(id, controller.signal, force))
      .finally(() => {
        this.#jobs.delete(id);
        this.#report({ ...(this.#progress.get(id) ?? blank(id)), phase: endPhase(controller), current: [] });
      });
    this.#jobs.set(id, { controller, done });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #run(id: number, signal: AbortSignal, force: boolean): Promise<IndexSummary> {
    const release = this.#options.hold?.();
    try {
      return await this.#read(id, signal, force);
    } finally {
      release?.();
    }
  }

  async #read(id: number, signal: AbortSignal, force: boolean): Promise<IndexSummary> {
    signal.throwIfAborted();
    const folder = await this.folder(id);
    this.#report(blank(id));
    const { store, pool } = this.#options;
    const [similarity, embedder] = await Promise.all([this.#options.similarity(), this.#options.embedder()]);
    const summary = await indexFolder({
      store,
      pool,
      folder,
      signal,
      force,
      ...(similarity ? { similarity } : {}),
      embedder,
      onProgress: (progress) => this.#report(progress),
    });
    if (summary.indexed > 0 || summary.removed > 0) this.#options.onIndexed();
    return summary;
  }

  /** Ends a run; what was read stays. */
  async cancel(id: number): Promise<void> {
    const job = this.#jobs.get(id);
    if (!job) return;
    job.controller.abort();
    await job.done.catch(() => undefined);
  }

  async remove(id: number): Promise<void> {
    await this.folder(id);
    await this.cancel(id);
    await this.#options.store.removeFolder(id);
    this.#progress.delete(id);
    this.#stream.wake();
  }

  /** The latest state of every folder, at most once per progress interval; a slow reader misses states, never piles them up. */
  progress(signal?: AbortSignal): AsyncGenerator<IndexProgress[]> {
    return this.#stream.follow(() => [...this.#progress.values()], signal);
  }

  async close(): Promise<void> {
    this.#stream.close();
    for (const job of this.#jobs.values()) job.controller.abort();
    await this.#queue;
  }

  #report(progress: IndexProgress): void {
    this.#progress.set(progress.folderId, progress);
    this.#stream.wake();
  }
}

function blank(folderId: number): IndexProgress {
  return { folderId, phase: 'scanning', found: 0, processed: 0, failed: 0, current: [] };
}

function endPhase(controller: AbortController): 'done' | 'cancelled' {
  return controller.signal.aborted ? 'cancelled' : 'done';
}

async function resolveFolder(folderPath: string): Promise<string> {
  try {
    const real = await realpath(folderPath);
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    throw new AppError(
      'FOLDER_NOT_FOUND',
      `Adding a folder failed: ${folderPath}: it is not there or can't be read; check the path.`,
      { cause },
    );
  }
  throw new AppError(
    'FOLDER_NOT_FOUND',
    `Adding a folder failed: ${folderPath}: it is a file; choose a folder.`,
  );
}

/** True for the folder itself and everything below it. */
export function isInside(candidate: string, folder: string): boolean {
  const relative = path.relative(folder, candidate);
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  );
}

function uniqueName(name: string, taken: Set<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}
