/** Which downloads run, how far are they, and what became of those before? The only part that connects to a host. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { AppError } from '../api/errors.ts';
import type { ModelDownload } from '../api/types.ts';
import { download as limits } from './config.ts';
import type { CatalogueEntry } from './models/catalogue.ts';
import type { HubModel } from './models/hub-listing.ts';
import type { HttpLimits, ProxySettings } from './models/network.ts';
import { otherLoader, refuseInstalled, unfinishedFolder } from './models/unfinished.ts';
import { StateStream } from './state-stream.ts';

// Imported with the first download: an HTTP client takes a tenth of a second, which no other start should wait for.
const importClient = () => import('./models/http-client.ts');
const importDownload = () => import('./models/download-model.ts');

/** How hosts are reached. */
export interface NetworkOptions {
  /** Proxies that the user's system is set to; default: none. */
  proxy?: ProxySettings;
  /** Asked instead of https:// and the catalogue's host, such as a mirror inside a closed network. */
  origin?: string;
  /** Default: `download` of config.ts. */
  limits?: Partial<HttpLimits>;
}

export interface DownloadServiceOptions {
  /** Folder of models that downloads go to. */
  folder: string;
  /** The product's version, told to hosts. */
  version: string;
  network?: NetworkOptions;
  /** After a model came whole. */
  onInstalled(id: string): void;
}

/** Speed over the last seconds. */
class Speed {
  private readonly marks: { atMs: number; bytes: number }[] = [];

  add(bytes: number): void {
    const atMs = performance.now();
    this.marks.push({ atMs, bytes });
    while (this.marks.length > 2 && atMs - this.marks[0]!.atMs > limits.speedWindowMs) this.marks.shift();
  }

  remainingMs(bytesToGo: number): number | undefined {
    const [first, last] = [this.marks[0], this.marks.at(-1)];
    if (!first || !last || last.bytes <= first.bytes || last.atMs <= first.atMs) return undefined;
    return Math.round((bytesToGo * (last.atMs - first.atMs)) / (last.bytes - first.bytes));
  }
}

interface Job {
  controller: AbortController;
  done: Promise<void>;
}

/** Runs downloads, each at most once at a time, and tells their latest states. */
export class DownloadService {
  readonly #options: DownloadServiceOptions;
  readonly #states = new Map<string, ModelDownload>();
  readonly #jobs = new Map<string, Job>();
  readonly #stream = new StateStream(limits.progressIntervalMs);

  constructor(options: DownloadServiceOptions) {
    this.#options = options;
  }

  /** Host that is asked instead of the catalogue's; undefined where there is none. */
  get mirrorHost(): string | undefined {
    const { origin } = this.#options.network ?? {};
    return origin === undefined ? undefined : new URL(origin).host;
  }

  /** Here, or in another process. */
  isRunning(id: string): boolean {
    return this.#jobs.has(id) || otherLoader(this.#options.folder, id) !== undefined;
  }

  /**
   * Starts a download, or takes up one that stopped; returns at once. One that runs already runs on.
   * @throws AppError BAD_REQUEST when it is installed already
   */
  start(entry: CatalogueEntry): void {
    if (this.#jobs.has(entry.id) || this.#stream.isClosed) return;
    refuseInstalled(this.#options.folder, entry);
    const controller = new AbortController();
    this.#tell(entry.id, {
      id: entry.id,
      name: entry.name,
      host: this.mirrorHost ?? entry.host,
      phase: 'resolving',
    });
    const done = this.#run(entry, controller.signal).finally(() => this.#jobs.delete(entry.id));
    this.#jobs.set(entry.id, { controller, done });
  }

  /** Stops a download and waits for its end; what was loaded stays. */
  async cancel(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    job?.controller.abort();
    await job?.done;
  }

  /** Removes what a stopped download left. @returns whether there was something to forget */
  async discard(id: string): Promise<boolean> {
    const hadParts = existsSync(unfinishedFolder(this.#options.folder, id));
    const hadState = this.#states.delete(id);
    await rm(unfinishedFolder(this.#options.folder, id), { recursive: true, force: true });
    this.#stream.wake();
    return hadState || hadParts;
  }

  /** Resolves when a download ended, with its last state; undefined when there is none. */
  async ended(id: string): Promise<ModelDownload | undefined> {
    await this.#jobs.get(id)?.done;
    return this.#states.get(id);
  }

  /** The latest states, coalesced: a slow reader misses states, never piles them up. */
  states(signal?: AbortSignal): AsyncGenerator<ModelDownload[]> {
    return this.#stream.follow(() => [...this.#states.values()], signal);
  }

  /** Stops every download; each goes on at its next start. */
  async close(): Promise<void> {
    this.#stream.close();
    await Promise.all([...this.#jobs.keys()].map((id) => this.cancel(id)));
  }

  async #run(entry: CatalogueEntry, signal: AbortSignal): Promise<void> {
    const { folder, version, network = {}, onInstalled } = this.#options;
    const { proxy, limits: httpLimits, origin = `https://${entry.host}` } = network;
    const [{ HttpClient }, { downloadModel }] = await Promise.all([importClient(), importDownload()]);
    const client = new HttpClient({
      version,
      ...(proxy === undefined ? {} : { proxy }),
      ...(httpLimits === undefined ? {} : { limits: httpLimits }),
    });
    const speed = new Speed();
    try {
      await downloadModel({
        ...{ client, entry, folder, signal },
        hub: { origin: origin.replace(/\/$/, '') },
        onPhase: (phase) => this.#tell(entry.id, { phase }),
        onListing: (listing) => this.#tell(entry.id, promised(listing)),
        onBytes: (doneBytes) => {
          speed.add(doneBytes);
          const remainingMs = speed.remainingMs((this.#states.get(entry.id)?.totalBytes ?? 0) - doneBytes);
          this.#tell(entry.id, { doneBytes, ...(remainingMs === undefined ? {} : { remainingMs }) });
        },
        onKept: (doneBytes) => this.#tell(entry.id, { doneBytes }),
      });
      this.#tell(entry.id, { phase: 'done', remainingMs: 0 });
      onInstalled(entry.id);
    } catch (error) {
      // The end of a download is told by its state: whoever started it may not listen any more.
      if (signal.aborted) this.#tell(entry.id, { phase: 'cancelled' });
      else this.#tell(entry.id, { phase: 'failed', ...failureOf(error, entry.name) });
    } finally {
      await client.close();
    }
  }

  #tell(id: string, change: Partial<ModelDownload>): void {
    const before = this.#states.get(id);
    const isNew = change.phase === 'resolving' && change.name !== undefined;
    const blank = { id, name: id, host: '', phase: 'resolving' as const, doneBytes: 0, files: [] };
    this.#states.delete(isNew ? id : '');
    this.#states.set(id, { ...(isNew || !before ? blank : before), ...change });
    const ended = [...this.#states.keys()].filter((known) => !this.#jobs.has(known) && known !== id);
    for (const old of ended.slice(0, Math.max(0, this.#states.size - limits.maxRemembered)))
      this.#states.delete(old);
    this.#stream.wake();
  }
}

function promised({ revision, files }: HubModel): Partial<ModelDownload> {
  return {
    revision,
    totalBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    files: files.map(({ path, sizeBytes, sha256 = '', gitSha1 }) => ({
      ...{ path, sizeBytes, sha256 },
      ...(gitSha1 === undefined ? {} : { gitSha1 }),
    })),
  };
}

function failureOf(error: unknown, name: string): Pick<ModelDownload, 'code' | 'message'> {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  const why = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
  return { code: 'DOWNLOAD_FAILED', message: `Download failed: ${name}: ${why}: try again.` };
}
