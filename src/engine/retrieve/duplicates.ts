/** Which passages say what a better one has said already? */
import { retrieve as limits } from '../config.ts';
import { words } from '../language/words.ts';

export interface Comparable {
  text: string;
  vector?: Float32Array;
}

/**
 * Indices of passages that repeat one before them. Passages with different numbers never repeat each other: the
 * budget of one year is not that of another, however alike the words are.
 */
export function findDuplicates(passages: Comparable[]): Set<number> {
  const duplicates = new Set<number>();
  const read = passages.map(({ text }) => fingerprintOf(text));
  passages.forEach((passage, index) => {
    for (let before = 0; before < index; before++) {
      if (duplicates.has(before)) continue;
      const [a, b] = [read[before]!, read[index]!];
      if (a.numbers !== b.numbers) continue;
      const overlap = jaccard(a.runs, b.runs);
      const cosine = cosineOf(passages[before]!.vector, passage.vector);
      const saysTheSame =
        overlap >= limits.duplicateOverlap ||
        (cosine !== undefined && cosine > limits.duplicateCosine && overlap >= limits.duplicateOverlap / 2);
      if (saysTheSame) {
        duplicates.add(index);
        return;
      }
    }
  });
  return duplicates;
}

/** Cosine of unit vectors. */
export function cosineOf(a: Float32Array | undefined, b: Float32Array | undefined): number | undefined {
  if (!a || !b || a.length !== b.length) return undefined;
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

function fingerprintOf(text: string): { runs: Set<string>; numbers: string } {
  const all = words(text).map(({ word }) => word);
  const runs = new Set<string>();
  for (let index = 0; index < Math.max(1, all.length - 2); index++) {
    runs.add(all.slice(index, index + 3).join(' '));
  }
  const numbers = [...new Set(all.filter((word) => /\d/.test(word)))].sort().join(' ');
  return { runs, numbers };
}

function jaccard(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const run of a) if (b.has(run)) common++;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}
