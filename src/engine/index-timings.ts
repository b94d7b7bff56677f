/** Where does the time of a document go while it is read? */

/** What a worker does with a document. send: hands on what it read, and waits while the writer is busy. */
type ReadStage = 'check' | 'parse' | 'chunk' | 'embed' | 'send';

/** Wall-clock milliseconds of one document, or the sums of several. */
export type ReadTimings = Record<ReadStage, number>;

/** Times the stages of one document; a change of stage costs one look at the clock. */
export class ReadClock {
  readonly timings: ReadTimings = { check: 0, parse: 0, chunk: 0, embed: 0, send: 0 };
  #stage: ReadStage = 'check';
  #since = performance.now();

  /** Ends the stage under way and begins another. */
  enter(stage: ReadStage): void {
    const now = performance.now();
    this.timings[this.#stage] += now - this.#since;
    this.#stage = stage;
    this.#since = now;
  }
}
