import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchByLength } from '../../../src/engine/embed/batch-by-length.ts';

const batchesOf = (lengths: number[], maxTokens: number, maxTexts: number): number[][] => [
  ...batchByLength(lengths, () => maxTokens, maxTexts),
];

describe('batchByLength', () => {
  it('puts texts of like length together, the longest first', () => {
    expect(batchesOf([2, 9, 3, 10], 20, 8)).toEqual([
      [3, 1],
      [2, 0],
    ]);
  });

  it('gives a text over the limit a batch of its own', () => {
    expect(batchesOf([50, 1], 20, 8)).toEqual([[0], [1]]);
  });

  it('asks before each batch how much it may hold', () => {
    const limits = [1, 6, 100];
    expect([...batchByLength([2, 2, 2, 2, 2, 2], () => limits.shift()!, 8)]).toEqual([
      [0],
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('holds every text once, within both limits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 50 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 9 }),
        (lengths, maxTokens, maxTexts) => {
          const batches = batchesOf(lengths, maxTokens, maxTexts);
          expect(batches.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, index) => index));
          for (const batch of batches) {
            const padded = batch.length * Math.max(...batch.map((index) => lengths[index]!));
            expect(batch.length === 1 || (padded <= maxTokens && batch.length <= maxTexts)).toBe(true);
          }
        },
      ),
    );
  });
});
