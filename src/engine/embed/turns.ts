/** Who runs next on an encoder? Questions go before passages, so that indexing never delays a search by more than one run. */

/** Hands out turns one at a time. */
export class Turns {
  private isTaken = false;
  private readonly urgent: (() => void)[] = [];
  private readonly patient: (() => void)[] = [];

  /** Runs `work` when its turn has come. */
  async take<T>(isUrgent: boolean, work: () => Promise<T>): Promise<T> {
    if (this.isTaken) {
      await new Promise<void>((resolve) => (isUrgent ? this.urgent : this.patient).push(resolve));
    }
    this.isTaken = true;
    try {
      return await work();
    } finally {
      const next = this.urgent.shift() ?? this.patient.shift();
      if (next) next();
      else this.isTaken = false;
    }
  }
}
