/** Which texts run together, so that little is padded? (pure) */

/**
 * Groups indices so that texts of like length share a run, the longest first.
 * @param lengths tokens of each text
 * @param maxTokens of one batch, padding included; a single longer text still gets a batch of its own
 * @param maxTexts of one batch
 */
export function batchByLength(lengths: number[], maxTokens: number, maxTexts: number): number[][] {
  const order = lengths.map((_, index) => index).sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    const longest = batch.length > 0 ? lengths[batch[0]!]! : 0;
    if (batch.length > 0 && (batch.length >= maxTexts || (batch.length + 1) * longest > maxTokens)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
