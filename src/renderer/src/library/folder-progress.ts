/** How far is the reading of each folder, told to the page a few times a second? */
import type { IndexProgress } from '../../../api/types.ts';

/** Least time between two tellings, in milliseconds: a bar that moves twice a second is quick enough, and costs little. */
export const tellEveryMs = 500;

const isAtWork = ({ phase }: IndexProgress): boolean => phase !== 'done' && phase !== 'cancelled';

/**
 * Holds the newest state of every folder at work. Listeners hear of the first and the last one at once, and of what
 * lies between at most every `tellEveryMs`, so that only the rows that show it are drawn, and seldom.
 */
export class FolderProgress {
  readonly #listeners = new Set<() => void>();
  #told: ReadonlyMap<number, IndexProgress> = new Map();
  #newest: ReadonlyMap<number, IndexProgress> = this.#told;
  #timer: ReturnType<typeof setTimeout> | undefined;

  take(latest: readonly IndexProgress[]): void {
    this.#newest = new Map(latest.filter(isAtWork).map((one) => [one.folderId, one]));
    if (this.#newest.size !== this.#told.size) this.#tell();
    else if (this.#newest.size > 0) this.#timer ??= setTimeout(() => this.#tell(), tellEveryMs);
  }

  /** How many folders are at work. */
  readonly count = (): number => this.#told.size;

  of(folderId: number): IndexProgress | undefined {
    return this.#told.get(folderId);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = this.#newest;
    for (const listener of this.#listeners) listener();
  }
}
