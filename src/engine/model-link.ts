/** How does the engine keep a model process alive, and what becomes of waiting calls when it dies? */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BirpcReturn, createBirpc } from 'birpc';
import { AppError, type ErrorCode } from '../api/errors.ts';
import { models } from './config.ts';
import type { HostCalls, ModelCalls, Reply } from './model-protocol.ts';

/** The process as its functions. */
export type Rpc = BirpcReturn<ModelCalls, HostCalls>;

/** How a process ended. */
export interface Death {
  /** In words, such as "it was ended by SIGKILL". */
  how: string;
  /** It was stopped from outside, as a system short of memory does, not by its own fault. */
  isFromOutside: boolean;
}

/** One life of the process. */
interface Life {
  child: ChildProcess;
  rpc: Rpc;
  /** Resolves when it is over. */
  death: Promise<Death>;
  isOver: boolean;
  /** Told of the death first, so that every waiting call is rejected. */
  waiters: Set<(death: Death) => void>;
  heartbeat: NodeJS.Timeout;
}

const STDERR_KEPT = 2000;

/** See `models` in config.ts. */
export interface LinkLimits {
  restartDelayMs: number;
  maxRestarts: number;
  restartWindowMs: number;
  heartbeatMs: number;
  maxSilenceMs: number;
  maxWaitingCalls: number;
  idleUnloadMs: number;
}

/** Variables of a process; undefined values are left out. */
export type Environment = Record<string, string | undefined>;

export interface LinkOptions {
  /** Absolute path of model-process. */
  entry: string;
  /** Environment of the process; default: inherited. Under Electron it must hold ELECTRON_RUN_AS_NODE=1, so its shell gives it. */
  environment?: Environment | undefined;
  /** Called when a process has ended, before waiting calls are rejected. */
  onDeath?: () => void;
  /** Called before the process tries an encoder on a device. */
  onTrying?: HostCalls['trying'];
  /** Default: `models` of config.ts. */
  limits?: LinkLimits;
}

/** A process that is started when it is needed and started again after a death, with growing waits and a limit. */
export class ModelLink {
  private readonly entry: string;
  private readonly environment: Environment | undefined;
  private readonly texts = new Map<number, (text: string) => void>();
  private life: Life | undefined;
  private starting: Promise<Life> | undefined;
  private deaths: number[] = [];
  private waiting = 0;
  private calls = 0;
  private isClosed = false;
  private idle: NodeJS.Timeout | undefined;
  private resting: Promise<void> | undefined;
  private readonly onDeath: () => void;
  private readonly onTrying: HostCalls['trying'];
  private readonly limits: LinkLimits;

  constructor(options: LinkOptions) {
    this.entry = options.entry;
    this.environment = options.environment;
    this.onDeath = options.onDeath ?? (() => {});
    this.onTrying = options.onTrying ?? (() => {});
    this.limits = options.limits ?? models;
  }

  /** Number of the running process, while there is one. */
  get pid(): number | undefined {
    return this.life?.child.pid;
  }

  /**
   * Makes one call and waits for its reply.
   * @param name of the model, for messages
   * @throws AppError as the process replied; MODEL_FAILED when the process died (see `explain`), too many calls wait, or the
   * process stays down; the reason of `signal` when that is aborted
   */
  async call<T>(options: {
    name: string;
    make: (rpc: Rpc, call: number) => Promise<Reply<T>>;
    signal?: AbortSignal;
    onText?: (text: string) => void;
    explain?: (death: Death) => AppError;
  }): Promise<T> {
    const { name, signal, onText } = options;
    signal?.throwIfAborted();
    if (this.waiting >= this.limits.maxWaitingCalls) {
      throw new AppError(
        'MODEL_FAILED',
        `Model is busy: ${name}: ${this.waiting} calls wait already: try again later.`,
      );
    }
    clearTimeout(this.idle);
    this.waiting += 1;
    this.calls += 1;
    const call = this.calls;
    try {
      const life = await this.running(name);
      signal?.throwIfAborted();
      if (onText) this.texts.set(call, onText);
      const explain = options.explain ?? ((death: Death) => failure(name, death));
      const result = await this.settle(life, call, options.make(life.rpc, call), explain, signal);
      if (!result.ok) throw new AppError(result.code, result.message);
      return result.value;
    } finally {
      this.waiting -= 1;
      this.texts.delete(call);
      if (this.waiting === 0)
        this.idle = setTimeout(() => void this.rest(), this.limits.idleUnloadMs).unref();
    }
  }

  /**
   * Ends the process if no call waits: freed memory goes back to the machine for certain only with its process. The next call
   * starts it again.
   * @returns whether nothing of it is left
   */
  async rest(): Promise<boolean> {
    if (this.waiting > 0 || this.starting) return false;
    clearTimeout(this.idle);
    const { life } = this;
    if (life) {
      this.life = undefined;
      this.onDeath();
      this.resting = this.end(life);
    }
    await this.resting;
    return true;
  }

  /** What comes first: the reply, the death of the process, or a cancel, which the process is told of. */
  private settle<T>(
    life: Life,
    call: number,
    answer: Promise<T>,
    explain: (death: Death) => AppError,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    let onDeath: (death: Death) => void = () => {};
    let onAbort: () => void = () => {};
    const broken = new Promise<never>((_, reject) => {
      onDeath = (death) => reject(explain(death));
      onAbort = () => {
        void life.rpc.cancel.asEvent(call);
        reject(signal!.reason);
      };
    });
    life.waiters.add(onDeath);
    signal?.addEventListener('abort', onAbort, { once: true });
    return Promise.race([answer, broken]).finally(() => {
      life.waiters.delete(onDeath);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  /** Asks the running process, if there is one, without counting as a call. */
  async ask<T>(make: (rpc: Rpc) => Promise<T>): Promise<T | undefined> {
    const { life } = this;
    return life && (await Promise.race([make(life.rpc), life.death.then(() => undefined)]));
  }

  private async running(name: string): Promise<Life> {
    if (this.isClosed)
      throw new AppError('MODEL_FAILED', `Model can’t run: ${name}: Lectern is closing: start it again.`);
    if (this.life) return this.life;
    this.starting ??= this.start(name).finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  private async start(name: string): Promise<Life> {
    const now = performance.now();
    this.deaths = this.deaths.filter((at) => now - at < this.limits.restartWindowMs);
    const count = this.deaths.length;
    if (count > this.limits.maxRestarts) {
      throw new AppError(
        'MODEL_FAILED',
        `Model can’t run: ${name}: its process ended ${count} times within ${this.limits.restartWindowMs / 60_000} minutes: wait, or choose another model.`,
      );
    }
    if (count > 0) await sleep(this.limits.restartDelayMs * 2 ** (count - 1));
    const child = fork(this.entry, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
      ...(this.environment === undefined ? {} : { env: this.environment }),
    });
    this.life = this.watch(child);
    return this.life;
  }

  private watch(child: ChildProcess): Life {
    let stderr = '';
    let isSilent = false;
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_KEPT);
    });
    const rpc = createBirpc<ModelCalls, HostCalls>(
      { text: (call, text) => this.texts.get(call)?.(text), trying: this.onTrying },
      {
        post: (data: unknown) => {
          // A message to a process that has just ended is lost; its death rejects the call.
          if (child.connected) child.send(data as object, () => {});
        },
        on: (listener) => {
          child.on('message', listener);
        },
        timeout: -1,
      },
    );
    const death = new Promise<Death>((resolve) => {
      const finish = (how: string, isFromOutside: boolean) => {
        if (life.isOver) return;
        life.isOver = true;
        clearInterval(life.heartbeat);
        if (this.life === life) {
          this.life = undefined;
          this.deaths.push(performance.now());
          this.onDeath();
        }
        const last = stderr.trim().split('\n').at(-1) ?? '';
        const end = {
          how: last === '' ? how : `${how}; its last words: ${last.slice(0, 200)}`,
          isFromOutside,
        };
        for (const waiter of life.waiters) waiter(end);
        resolve(end);
      };
      child.once('error', (error) => finish(`it could not be started (${error.message})`, true));
      child.once('close', (code, signal) => {
        if (isSilent) finish(`it did not answer for ${this.limits.maxSilenceMs / 1000} seconds`, false);
        else if (signal) finish(`it was ended by ${signal}`, signal === 'SIGKILL' || signal === 'SIGTERM');
        else finish(`it ended with status ${code}`, false);
      });
    });
    const heartbeat = this.beat(child, rpc, () => {
      isSilent = true;
    });
    const life: Life = { child, rpc, death, isOver: false, waiters: new Set(), heartbeat };
    return life;
  }

  /** Ends a process that leaves calls waiting and does not answer: beats are counted, so that a sleeping machine kills nothing. */
  private beat(child: ChildProcess, rpc: Rpc, onSilence: () => void): NodeJS.Timeout {
    let missed = 0;
    const timer = setInterval(() => {
      if (this.waiting === 0) missed = 0;
      else missed += 1;
      if (missed * this.limits.heartbeatMs > this.limits.maxSilenceMs) {
        onSilence();
        child.kill('SIGKILL');
      } else if (missed > 0) {
        void rpc.ping().then(() => {
          missed = 0;
        });
      }
    }, this.limits.heartbeatMs);
    return timer.unref();
  }

  /** Lets the process give its memory back, then ends it. Waiting calls are rejected. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idle);
    await this.starting?.catch(() => {});
    const { life } = this;
    await Promise.all([this.resting, life && this.end(life)]);
  }

  private async end(life: Life): Promise<void> {
    await Promise.race([
      life.rpc.close(),
      life.death,
      sleep(models.closeTimeoutMs, undefined, { ref: false }),
    ]);
    life.child.kill('SIGKILL');
    await life.death;
  }
}

export function failure(name: string, death: Death, code: ErrorCode = 'MODEL_FAILED'): AppError {
  return new AppError(
    code,
    `Model stopped: ${name}: ${death.how}: ask again, or choose another model if this repeats.`,
  );
}
