/** How many tokens may a run take so that it ends soon? (pure) */

/** Share of the newest run in the average: a machine that grows busy is noticed within a few runs. */
const NEWEST = 0.3;

/** Learns from each run how long a token takes. */
export class RunBudget {
  private readonly targetMs: number;
  private readonly maxTokens: number;
  private msPerToken: number | undefined;

  /** @param maxTokens of one run however fast it is */
  constructor(targetMs: number, maxTokens: number) {
    this.targetMs = targetMs;
    this.maxTokens = maxTokens;
  }

  /** Tokens of the next run, at least 1; before anything was measured an eighth of the most. */
  tokens(): number {
    if (this.msPerToken === undefined) return Math.max(1, Math.floor(this.maxTokens / 8));
    return Math.max(1, Math.min(this.maxTokens, Math.floor(this.targetMs / this.msPerToken)));
  }

  /** @param tokens padding included */
  learn(tokens: number, ms: number): void {
    const now = ms / Math.max(1, tokens);
    this.msPerToken = this.msPerToken === undefined ? now : this.msPerToken * (1 - NEWEST) + now * NEWEST;
  }
}
