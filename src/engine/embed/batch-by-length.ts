/** Which texts run together, so that little is padded? (pure) */

/**
 * Groups indices so that texts of like length share a run, the longest first.
 * @param lengths tokens of each text
 * @param maxTokens asked before each batch: its tokens, padding included; a single longer text still gets a batch of its own
 * @param maxTexts of one batch
 */
export function* batchByLength(
  lengths: number[],
  maxTokens: () => number,
  maxTexts: number,
): Generator<number[]> {
  const order = lengths.map((_, index) => index).sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  let start = 0;
  while (start < order.length) {
    const longest = Math.max(1, lengths[order[start]!]!);
    const fitting = Math.max(1, Math.min(maxTexts, Math.floor(maxTokens() / longest)));
    yield order.slice(start, start + fitting);
    start += fitting;
  }
}
