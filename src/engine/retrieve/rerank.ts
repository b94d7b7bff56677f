/** How far may a reranker move what the lists agreed on? */

/** Share of the reranker in the final score, by place before it: a weak one must not bury an exact hit. */
const shares: { upTo: number; share: number }[] = [
  { upTo: 3, share: 0.4 },
  { upTo: 10, share: 0.6 },
  { upTo: Number.POSITIVE_INFINITY, share: 0.75 },
];

/** Scores after reranking, 0 to 1, in the order given. Both inputs are scaled to 0…1 over these passages first. */
export function blendRerank(fused: number[], reranked: number[]): number[] {
  const before = toUnit(fused);
  const after = toUnit(reranked);
  return before.map((score, index) => {
    const { share } = shares.find(({ upTo }) => index < upTo)!;
    return (1 - share) * score + share * after[index]!;
  });
}

function toUnit(scores: number[]): number[] {
  const low = Math.min(...scores);
  const high = Math.max(...scores);
  return scores.map((score) => (high > low ? (score - low) / (high - low) : 1));
}
