/** How does a shell follow something that changes often, without a backlog? */

/** Tells whoever follows that there is a newer state; what they missed in between they never see. */
export class StateStream {
  readonly #intervalMs: number;
  #changed = Promise.withResolvers<void>();
  #isClosed = false;

  /** @param intervalMs a follower is told at most this often */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Says that the state is another one now. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  /** Ends every follower. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** The state as it is, then the latest after each change, until the stream is closed or the signal fires. */
  async *follow<T>(read: () => T, signal?: AbortSignal): AsyncGenerator<T> {
    while (!this.#isClosed && !signal?.aborted) {
      const changed = this.#changed.promise;
      yield read();
      await settled(changed, signal);
      await settled(delay(this.#intervalMs), signal);
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** Settles when the promise does or the signal fires, whichever is first. */
async function settled(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise;
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  await Promise.race([promise, aborted.promise]);
  signal.removeEventListener('abort', onAbort);
}
