/** How long may a parse still run, and why was it ended? */

/** interrupted: ended beside a parse that took too much memory, perhaps innocent. stopped: by the caller. */
type Verdict = 'timed-out' | 'out-of-memory' | 'interrupted' | 'stopped';

/** One parse under way: its clock, its memory at the start, and the switch that ends it. */
export class RunningParse {
  readonly #controller = new AbortController();
  readonly heldBytesAtStart: number;
  verdict: Verdict | undefined;
  #remainingMs: number;
  #resumedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(timeoutMs: number, heldBytes: number) {
    this.#remainingMs = timeoutMs;
    this.heldBytesAtStart = heldBytes;
    this.#startClock();
  }

  /** Ends the worker when it fires. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the parse; the first verdict stands. */
  end(verdict: Verdict): void {
    this.#stopClock();
    if (this.verdict !== undefined) return;
    this.verdict = verdict;
    this.#controller.abort();
  }

  /** The worker waits for the engine, which is not its fault: the clock stands. Calls nest. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#stopClock();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#startClock();
  }

  /** The parse is over. */
  close(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#stopClock();
  }

  #startClock(): void {
    if (this.verdict !== undefined) return;
    this.#resumedAt = performance.now();
    this.#timer = setTimeout(() => this.end('timed-out'), Math.max(0, this.#remainingMs));
  }

  #stopClock(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#remainingMs -= performance.now() - this.#resumedAt;
  }
}
