/** How do pages that are pictures get their words? The queue of lowest priority: it works only while nobody waits for anything. */
import { recognise as limits } from './config.ts';
import type { SourceFile } from './document.ts';
import type { RecogniseReply, WorkerMessage } from './index-messages.ts';
import { isChanged } from './locate.ts';
import { documentFile } from './open-document.ts';
import { installedLanguages } from './parse/recognise/recogniser.ts';
import type { ParsePool } from './parse-pool.ts';
import type { RecognisedPages } from './recognised-pages.ts';
import type { StoreApi } from './store/types.ts';

export interface RecognitionOptions {
  store: StoreApi;
  pool: ParsePool;
  recognised: RecognisedPages;
  /** Folder with the data of the languages. */
  languages: string;
  /** Reads a document again, with what was recognised, and replaces it in one transaction. */
  readAgain(documentId: number, signal: AbortSignal): Promise<void>;
  /** Quiet time before work begins or goes on, ms; default: see config. */
  quietMs?: number | undefined;
}

/** Documents looked up at a time. */
const batch = 500;

/** Recognises what waits, one document after the other, page by page; every page that is done stays done. */
export class Recognition {
  readonly #options: RecognitionOptions;
  readonly #closing = new AbortController();
  #page = new AbortController();
  #holders = 0;
  #quietSince = 0;
  #free = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #isWanted = false;

  constructor(options: RecognitionOptions) {
    this.#options = options;
    this.#free.resolve();
  }

  /** Somebody asks or reads: the page under way is given up. Returns what lets the work go on. */
  hold(): () => void {
    this.#holders += 1;
    if (this.#holders === 1) this.#free = Promise.withResolvers<void>();
    this.#page.abort();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      this.#quietSince = performance.now();
      if (this.#holders === 0) this.#free.resolve();
    };
  }

  /** Looks for documents that wait; ends when there are none. Calls during a run have it look once more. */
  wake(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#page.abort();
    this.#free.resolve();
    await this.#running?.catch(() => undefined);
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#closing.signal.aborted) {
      this.#isWanted = false;
      if ((await installedLanguages(this.#options.languages)).length === 0) return;
      for (const id of await this.#waiting()) {
        if (this.#closing.signal.aborted) return;
        // One file that can't be had keeps none of the others from being read.
        await this.#recogniseDocument(id).catch(() => undefined);
      }
    }
    if (!this.#closing.signal.aborted) await this.#forget();
  }

  /** Removes what was recognised of documents that are gone. */
  async #forget(): Promise<void> {
    const { store, recognised } = this.#options;
    const known = new Set<string>();
    for (const { id } of await store.folders()) {
      for (let after = 0; ; ) {
        const files = await store.knownFiles(id, after, batch);
        for (const { contentHash } of files) if (contentHash) known.add(contentHash);
        if (files.length < batch) break;
        after = files.at(-1)!.documentId;
      }
    }
    await recognised.sweep((contentHash) => known.has(contentHash));
  }

  /** All at once: documents change their place in the list while they are read. */
  async #waiting(): Promise<number[]> {
    const ids: number[] = [];
    for (;;) {
      const query = { isToRecognise: true, limit: batch, offset: ids.length };
      const { rows } = await this.#options.store.documents(query);
      for (const { id, kind } of rows) ids.push(kind === 'pdf' || kind === 'image' ? id : 0);
      if (rows.length < batch) return ids.filter((id) => id > 0);
    }
  }

  async #recogniseDocument(id: number): Promise<void> {
    const { store, pool, recognised } = this.#options;
    const file = await documentFile({ store, pool }, id);
    const contentHash = await store.contentHash(id);
    // A file that changed is the next run's; what its old pages said would not be found in it.
    if (contentHash === undefined || (await isChanged(store, file))) return;
    const name = file.row.path.split('/').at(-1) ?? file.row.path;
    const source = { path: file.path, name, sizeBytes: file.sizeBytes };
    let pages: number[] | undefined;
    let hasNew = false;
    for (;;) {
      const outcome = await this.#slice(source, contentHash, pages);
      hasNew ||= outcome.hasNew;
      pages = outcome.pages;
      if (outcome.isOver) break;
    }
    // Pages of an earlier run, which ended before its document was read again, count as new.
    if (!hasNew && (await recognised.done(contentHash)).length === 0) return;
    await this.#whenQuiet();
    if (!this.#closing.signal.aborted) await this.#options.readAgain(id, this.#closing.signal);
  }

  /** A few pages; all of them where nobody interrupts. */
  async #slice(
    source: SourceFile,
    contentHash: string,
    pages: number[] | undefined,
  ): Promise<{ pages: number[] | undefined; hasNew: boolean; isOver: boolean }> {
    const { recognised, pool, languages } = this.#options;
    await this.#whenQuiet();
    if (this.#closing.signal.aborted) return { pages, hasNew: false, isOver: true };
    let current = 0;
    let hasNew = false;
    const onMessage = async (message: WorkerMessage): Promise<void> => {
      if (message.type === 'recognising') current = message.page;
      if (message.type !== 'recognised') return;
      await recognised.add(contentHash, message.page);
      current = 0;
      hasNew = true;
    };
    this.#page = new AbortController();
    const { signal } = this.#page;
    const done = await recognised.done(contentHash);
    let reply: RecogniseReply;
    try {
      reply = await pool.recognise(source, {
        languages,
        done,
        ...(pages ? { pages } : {}),
        signal,
        onMessage,
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      return { pages, hasNew, isOver: this.#closing.signal.aborted };
    }
    if (reply.type === 'recognised')
      return { pages: reply.pages, hasNew, isOver: reply.remaining.length === 0 };
    if (current === 0) return { pages, hasNew, isOver: true };
    // The page that ended its worker is not tried again.
    await recognised.add(contentHash, { ...noPicture, page: current });
    return { pages, hasNew: true, isOver: false };
  }

  /** Waits until nobody has asked or read for a while. */
  async #whenQuiet(): Promise<void> {
    const quietMs = this.#options.quietMs ?? limits.quietMs;
    while (!this.#closing.signal.aborted) {
      await this.#free.promise;
      const left = this.#quietSince + quietMs - performance.now();
      if (this.#holders === 0 && (left <= 0 || this.#quietSince === 0)) return;
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(left, 200)));
    }
  }
}

const noPicture = { width: 0, height: 0, turns: 0, lines: [], fault: 'failed' as const };
