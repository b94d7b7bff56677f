import { describe, expect, it } from 'vitest';
import { normalise, pool, toFloats } from '../../../src/engine/embed/pool.ts';

// Two rows of three tokens, two numbers each; the second row has one token and padding.
const output = { data: Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8, 90, 91, 92, 93]), dims: [2, 3, 2] };

describe('pool', () => {
  it.each([
    {
      pooling: 'mean' as const,
      expected: [
        [3, 4],
        [7, 8],
      ],
    },
    {
      pooling: 'cls' as const,
      expected: [
        [1, 2],
        [7, 8],
      ],
    },
    {
      pooling: 'last' as const,
      expected: [
        [5, 6],
        [7, 8],
      ],
    },
  ])('takes the $pooling of the tokens and never the padding', ({ pooling, expected }) => {
    expect(pool(output, [3, 1], pooling, 2).map((vector) => [...vector])).toEqual(expected);
  });

  it.each([
    { pooling: 'mean' as const, expected: [91, 92] },
    { pooling: 'cls' as const, expected: [90, 91] },
    { pooling: 'last' as const, expected: [92, 93] },
  ])('takes the $pooling of the tokens where padding stands on the left', ({ pooling, expected }) => {
    const [, second] = pool({ ...output, side: 'left' }, [3, 2], pooling, 2);
    expect([...second!]).toEqual(expected);
  });

  it('cuts vectors to fewer dimensions', () => {
    expect(pool(output, [3, 1], 'mean', 1).map((vector) => [...vector])).toEqual([[3], [7]]);
  });

  it('takes vectors that the graph has pooled already', () => {
    const pooled = { data: Float32Array.from([1, 2, 3, 4]), dims: [2, 2] };
    expect(pool(pooled, [9, 4], 'mean', 2).map((vector) => [...vector])).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});

describe('normalise', () => {
  it('brings a vector to unit length', () => {
    expect([...normalise(Float32Array.from([3, 4]))]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  it.each([{ values: [0, 0] }, { values: [Number.NaN, 1] }, { values: [Infinity, 1] }])(
    'makes $values, which has no direction, zero',
    ({ values }) => {
      expect([...normalise(Float32Array.from(values))]).toEqual([0, 0]);
    },
  );
});

describe('toFloats', () => {
  it.each([
    { type: 'float32', data: Float32Array.of(1.5, -2), expected: [1.5, -2] },
    { type: 'int8', data: Int8Array.of(-128, 127), expected: [-128, 127] },
    { type: 'uint8', data: Uint8Array.of(0, 255), expected: [-128, 127] },
    { type: 'float64', data: Float64Array.of(0.5), expected: [0.5] },
    // 1, −2, the largest, the smallest, infinity
    {
      type: 'float16',
      data: Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00),
      expected: [1, -2, 65504, 2 ** -24, Infinity],
    },
  ])('reads $type', ({ type, data, expected }) => {
    expect([...toFloats(data, type)!]).toEqual(expected);
  });

  it('knows no text', () => {
    expect(toFloats(['a'], 'string')).toBeUndefined();
  });
});
