/** How does the page talk to the engine, and what happens when the engine goes away? */
import { type ClientContext, type ClientLink, type ClientOptions, createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../../api/contract.ts';
import { AppError, type ErrorCode, errorCodes } from '../../../api/errors.ts';
import type { OpenSession, Session } from './session.ts';

export type EngineClient = ContractRouterClient<Contract>;

export interface ConnectionState {
  /** connecting: the first opening. lost: it was open, or failed to open, and is being tried again. */
  phase: 'connecting' | 'open' | 'lost';
  /** Rises with every opening: what was read from the engine before must be read again. */
  generation: number;
  /** Openings that failed in a row. */
  failures: number;
}

/** Pauses between openings, in milliseconds; the last one repeats. */
const retryPausesMs = [200, 400, 800, 1500, 3000];

export function cancelled(error: unknown, signal?: AbortSignal): boolean {
  return signal?.aborted === true || (error instanceof DOMException && error.name === 'AbortError');
}

/** Gives every failed call one of the contract's codes; what has none is a defect. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = (error as { code?: unknown } | undefined)?.code;
  const message = error instanceof Error ? error.message : String(error);
  const known = (errorCodes as readonly unknown[]).includes(code);
  return new AppError(known ? (code as ErrorCode) : 'INTERNAL', message, { cause: error });
}

const gone = (): AppError => new AppError('ENGINE_GONE', 'The reading engine ended: the call: ask again.');

function asCallError(error: unknown, signal: AbortSignal | undefined): Error {
  return cancelled(error, signal) ? new DOMException('Cancelled', 'AbortError') : toAppError(error);
}

function isIterator(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Holds one session at a time, opens the next when it ends, and never lets a call hang. */
export class Connection implements ClientLink<ClientContext> {
  readonly client: EngineClient = createORPCClient(this);
  readonly #open: OpenSession;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Set<(reason: Error) => void>();
  #state: ConnectionState = { phase: 'connecting', generation: 0, failures: 0 };
  #session: Session | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(open: OpenSession) {
    this.#open = open;
    this.#start();
  }

  readonly getState = (): ConnectionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tries at once instead of waiting for the pause to end. */
  readonly reconnect = (): void => {
    if (this.#state.phase !== 'lost' || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#start();
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#session?.close();
  }

  async call(
    path: readonly string[],
    input: unknown,
    options: ClientOptions<ClientContext>,
  ): Promise<unknown> {
    const session = this.#session;
    if (session === undefined || this.#state.phase === 'lost') throw gone();
    try {
      await this.#orGone(session, session.opened);
      const output = await this.#orGone(session, session.link().call(path, input, options));
      return isIterator(output) ? this.#guard(session, output, options.signal) : output;
    } catch (error) {
      throw asCallError(error, options.signal);
    }
  }

  /** The work's outcome, or a rejection when the session ends before it: a call made to a dead peer never settles. */
  async #orGone<T>(session: Session, work: Promise<T>): Promise<T> {
    // It may have ended between two steps, when nothing waited that could be told.
    if (this.#session !== session) throw gone();
    const end = Promise.withResolvers<never>();
    this.#waiting.add(end.reject);
    try {
      return await Promise.race([work, end.promise]);
    } finally {
      this.#waiting.delete(end.reject);
    }
  }

  async *#guard(
    session: Session,
    stream: AsyncIterable<unknown>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<unknown> {
    const steps = stream[Symbol.asyncIterator]();
    let isOver = false;
    try {
      while (true) {
        const step = await this.#orGone(session, steps.next());
        if (step.done) break;
        yield step.value;
      }
      isOver = true;
    } catch (error) {
      isOver = true;
      throw asCallError(error, signal);
    } finally {
      // The reader left early: tell the engine to stop.
      if (!isOver) await steps.return?.();
    }
  }

  #start(): void {
    this.#timer = undefined;
    const session = this.#open();
    this.#session = session;
    void session.opened.then(() => {
      this.#set({ phase: 'open', generation: this.#state.generation + 1, failures: 0 });
    });
    void session.closed.then(() => {
      if (this.#isClosed || this.#session !== session) return;
      this.#session = undefined;
      for (const reject of this.#waiting) reject(gone());
      const failures = this.#state.failures + 1;
      this.#set({ ...this.#state, phase: 'lost', failures });
      const pause = retryPausesMs[Math.min(failures, retryPausesMs.length) - 1];
      this.#timer = setTimeout(() => this.#start(), pause);
    });
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
