/** Which parse may start now? */

/** index: one of several. interactive: somebody waits for it, so it has a place of its own. alone: nothing else runs meanwhile. */
export type Lane = 'index' | 'interactive' | 'alone';

interface Waiting {
  lane: Lane;
  enter(): void;
}

/** Lets a limited number of parses run; first come, first served within a lane. */
export class Gate {
  readonly #places: Record<Lane, number>;
  readonly #running: Record<Lane, number> = { index: 0, interactive: 0, alone: 0 };
  #queue: Waiting[] = [];

  constructor(indexPlaces: number, interactivePlaces: number) {
    this.#places = { index: indexPlaces, interactive: interactivePlaces, alone: 1 };
  }

  /** Waits for a place and returns what gives it back. Rejects with the signal's reason. */
  async enter(lane: Lane, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const entered = Promise.withResolvers<void>();
    const waiting: Waiting = { lane, enter: entered.resolve };
    const onAbort = () => {
      this.#queue = this.#queue.filter((other) => other !== waiting);
      entered.reject(signal?.reason);
      this.#admit();
    };
    this.#queue.push(waiting);
    this.#admit();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await entered.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#running[lane] -= 1;
      this.#admit();
    };
  }

  #admit(): void {
    const stillWaiting: Waiting[] = [];
    // Who must be alone goes first: the others step back until the house is empty.
    const queue = [...this.#queue].sort((a, b) => Number(b.lane === 'alone') - Number(a.lane === 'alone'));
    const isAloneWanted = queue[0]?.lane === 'alone';
    for (const waiting of queue) {
      if (this.#hasPlace(waiting.lane, isAloneWanted)) {
        this.#running[waiting.lane] += 1;
        waiting.enter();
      } else stillWaiting.push(waiting);
    }
    this.#queue = stillWaiting;
  }

  #hasPlace(lane: Lane, isAloneWanted: boolean): boolean {
    const { index, interactive, alone } = this.#running;
    if (lane === 'alone') return index + interactive + alone === 0;
    return alone === 0 && !isAloneWanted && this.#running[lane] < this.#places[lane];
  }
}

/** A parse's place, which it gives up while others do work for it. */
export class Place {
  readonly #gate: Gate;
  readonly #lane: Lane;
  readonly #signal: AbortSignal | undefined;
  #leave: () => void;

  private constructor(gate: Gate, lane: Lane, signal: AbortSignal | undefined, leave: () => void) {
    this.#gate = gate;
    this.#lane = lane;
    this.#signal = signal;
    this.#leave = leave;
  }

  /** Waits for a place. Rejects with the signal's reason. */
  static async enter(gate: Gate, lane: Lane, signal: AbortSignal | undefined): Promise<Place> {
    return new Place(gate, lane, signal, await gate.enter(lane, signal));
  }

  /** Gives the place up for as long as the promise takes; what is no promise costs nothing. */
  async whileAway<T>(waits: T | Promise<T>): Promise<T> {
    if (!(waits instanceof Promise)) return waits;
    this.#leave();
    const result = await waits;
    this.#leave = await this.#gate.enter(this.#lane, this.#signal);
    return result;
  }

  leave(): void {
    this.#leave();
  }
}
