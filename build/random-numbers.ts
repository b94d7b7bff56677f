/** Which numbers stand in for trained weights? The same ones on every machine. */

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Weights around zero, near enough to a normal distribution of this standard deviation. */
export function randomWeights(count: number, deviation: number, random: () => number): Float32Array {
  // The sum of three uniform numbers has a variance of 1/4.
  return Float32Array.from({ length: count }, () => (random() + random() + random() - 1.5) * 2 * deviation);
}
