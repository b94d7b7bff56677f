/** When are the nearest-neighbour files looked over, and how do readers hear of it? */
import { Piscina } from 'piscina';
import { nearest as limits, store } from '../config.ts';
import type { NearestOutcome } from './build-nearest.ts';
import { markedFingerprints } from './nearest-mark.ts';

export interface NearestKeeperOptions {
  /** Of the library. */
  path: string;
  /** Absolute path of the thread's entry. */
  entry: string;
  /** Raised by one whenever a reader should look again; 0 until every file was compared with its hash. */
  version: Int32Array;
  /** Chunks in the library. */
  chunkCount(): Promise<number>;
  /** Removes additions that no file lacks. */
  forget(below: number): Promise<unknown>;
}

/** Looks the files over a while after the library changed, one look at a time, on a thread of its own. */
export class NearestKeeper {
  private readonly options: NearestKeeperOptions;
  private readonly pool: Piscina<boolean, NearestOutcome>;
  private readonly closing = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isTouched = false;
  private isFirst = true;

  constructor(options: NearestKeeperOptions) {
    this.options = options;
    this.pool = new Piscina<boolean, NearestOutcome>({
      filename: options.entry,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: limits.idleMs,
      resourceLimits: { maxYoungGenerationSizeMb: store.youngHeapMb },
      workerData: { path: options.path },
    });
    this.touch();
  }

  /** Says that vectors or documents came or went. */
  touch(): void {
    this.isTouched = true;
    if (this.closing.signal.aborted || this.timer || this.running) return;
    this.timer = setTimeout(() => this.begin(), this.isFirst ? limits.firstLookMs : limits.lookMs);
    this.timer.unref();
  }

  private begin(): void {
    this.timer = undefined;
    this.isTouched = false;
    // A file that can't be kept costs speed and no result: the look fails alone, the next change begins another.
    this.running = this.look()
      .catch(() => undefined)
      .finally(() => {
        this.running = undefined;
        if (this.isTouched) this.touch();
      });
  }

  private async look(): Promise<void> {
    const { path, version, chunkCount, forget } = this.options;
    const { signal } = this.closing;
    const isSmall = (await chunkCount()) < limits.leastVectors && markedFingerprints(path).length === 0;
    const outcome: NearestOutcome = isSmall
      ? { hasChanged: false, isUnfinished: false, forgetBelow: Number.MAX_SAFE_INTEGER }
      : await this.pool.run(this.isFirst, { name: 'refresh', signal });
    signal.throwIfAborted();
    if (outcome.hasChanged) Atomics.add(version, 0, 1);
    if (this.isFirst || outcome.hasChanged) await forget(outcome.forgetBelow);
    this.isFirst &&= isSmall;
    if (outcome.isUnfinished) this.isTouched = true;
  }

  /** Ends a look that is under way; what it built so far is lost. */
  async close(): Promise<void> {
    this.closing.abort();
    clearTimeout(this.timer);
    await this.running;
    await this.pool.destroy();
  }
}
