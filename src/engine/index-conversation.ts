/** Who waits for whom while a parse worker and the engine talk? */
import type { MessagePort } from 'node:worker_threads';
import { parse as limits } from './config.ts';
import type { EngineMessage, WorkerMessage } from './index-messages.ts';
import type { RunningParse } from './index-running.ts';

type Answer = (message: WorkerMessage) => Promise<EngineMessage>;

/** Answers a worker's messages one after the other and stops its clock while it waits for the engine. */
export class Conversation {
  readonly #port: MessagePort;
  readonly #running: RunningParse;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  failure: { error: unknown } | undefined;

  constructor(port: MessagePort, running: RunningParse, answer: Answer) {
    this.#port = port;
    this.#running = running;
    port.on('message', (message: WorkerMessage) => {
      const wasStopped = this.#isWorkerStopped();
      this.#waiting += weight(message);
      if (!wasStopped && this.#isWorkerStopped()) running.pause();
      this.#last = this.#last.then(() => this.#answer(message, answer));
    });
  }

  /** Waits until what was taken is dealt with. */
  async close(): Promise<void> {
    this.#port.close();
    await this.#last;
  }

  async #answer(message: WorkerMessage, answer: Answer): Promise<void> {
    if (this.failure || this.#running.verdict !== undefined) return;
    try {
      this.#port.postMessage(await answer(message));
    } catch (error) {
      this.failure = { error };
      this.#running.end('stopped');
    }
    const wasStopped = this.#isWorkerStopped();
    this.#waiting -= weight(message);
    if (wasStopped && !this.#isWorkerStopped()) this.#running.resume();
  }

  #isWorkerStopped(): boolean {
    return this.#waiting >= limits.maxBatchesInFlight;
  }
}

/** A worker that asks for similarity or hands over a member waits at once; one that sends batches waits when all places are taken. */
function weight(message: WorkerMessage): number {
  const waits = message.type === 'similarity' || message.type === 'member';
  return waits ? limits.maxBatchesInFlight : 1;
}
