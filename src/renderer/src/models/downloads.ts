/** Which downloads of models are under way, wherever on the page one looks? */
import type { AppError } from '../../../api/errors.ts';
import type { ModelDownload } from '../../../api/types.ts';

export const isUnderWay = ({ phase }: ModelDownload): boolean =>
  phase === 'resolving' || phase === 'downloading' || phase === 'checking';

export interface DownloadState {
  /** By the model's id; the latest of this run of the program. */
  all: ReadonlyMap<string, ModelDownload>;
  failure: AppError | undefined;
  /** Rises whenever one ended: the lists of models are others then. */
  ended: number;
}

/** The same object for the life of the page; whoever shows it subscribes, so that nothing else is drawn with every step. */
export class Downloads {
  readonly #listeners = new Set<() => void>();
  #state: DownloadState = { all: new Map(), failure: undefined, ended: 0 };

  readonly get = (): DownloadState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  take(all: readonly ModelDownload[]): void {
    const wereUnderWay = [...this.#state.all.values()].filter(isUnderWay);
    const latest = new Map(all.map((one) => [one.id, one]));
    const hasEnded = wereUnderWay.some(({ id }) => {
      const now = latest.get(id);
      return now === undefined || !isUnderWay(now);
    });
    this.#set({ all: latest, failure: undefined, ended: this.#state.ended + Number(hasEnded) });
  }

  fail(failure: AppError): void {
    this.#set({ ...this.#state, failure });
  }

  #set(state: DownloadState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
