import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextFeatures } from '../../../src/engine/document.ts';
import { concatFeatures, cutFeatures, joinFeatures } from '../../../src/engine/embed/join-features.ts';

const texts = fc.array(
  fc.array(fc.tuple(fc.nat(1000), fc.float({ min: 0.5, max: 4, noNaN: true })), { maxLength: 5 }).map(
    (features): TextFeatures => ({
      rows: Uint32Array.from(features, ([row]) => row),
      weights: Float32Array.from(features, ([, weight]) => weight),
    }),
  ),
  { maxLength: 20 },
);

describe('joined features', () => {
  it('are cut into pieces and joined again without loss', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (list, maxTexts) => {
        const joined = joinFeatures(list);
        expect([...joined.lengths]).toEqual(list.map(({ rows }) => rows.length));
        expect([...joined.rows]).toEqual(list.flatMap(({ rows }) => [...rows]));
        const pieces = [...cutFeatures(joined, maxTexts)];
        for (const piece of pieces) expect(piece.lengths.length).toBeLessThanOrEqual(maxTexts);
        expect(concatFeatures(pieces)).toEqual(joined);
      }),
    );
  });
});
