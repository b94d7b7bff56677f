import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { PackedVectors } from '../../src/engine/store/nearest-packed.ts';
import { toBytes } from '../../src/engine/store/search-vectors.ts';
import { createRandom, syntheticVector } from '../bench/synthetic.ts';
import { temporaryLibrary } from './library.ts';

const DIMENSIONS = 48;
const file = `${temporaryLibrary()}.packed`;
const random = createRandom(3);
const row = (chunkId: number, vector = syntheticVector(DIMENSIONS, random)) => ({
  chunkId,
  vector: toBytes(vector),
});

afterAll(() => rmSync(path.dirname(file), { recursive: true, force: true }));

describe('packed vectors', () => {
  it('hold one vector for each chunk, the last that was put, in whatever order they came and however they were saved', () => {
    const order = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(order, fc.nat(80), (chunkIds, at) => {
        let packed = PackedVectors.create(DIMENSIONS);
        const last = new Map<number, Float32Array>();
        chunkIds.forEach((chunkId, index) => {
          if (index === at) packed = saved(packed);
          const vector = syntheticVector(DIMENSIONS, random);
          packed.replace([row(chunkId, vector)]);
          last.set(chunkId, vector);
        });
        for (const held of [packed, saved(packed)]) {
          expect(held.count).toBe(last.size);
          for (const [chunkId, vector] of last) expect(held.search(vector, 1)).toEqual([chunkId]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are searched within runs of chunks alone', () => {
    const runs = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 12 }).map((ends) => {
      const sorted = ends.sort((one, two) => one - two);
      return Array.from({ length: sorted.length >> 1 }, (_, at) => ({
        first: sorted[2 * at]!,
        last: sorted[2 * at + 1]!,
      }));
    });
    const packed = PackedVectors.create(DIMENSIONS);
    // Odd ones in order, then the even ones of the first half, which come late.
    for (let chunkId = 1; chunkId < 300; chunkId += 2) packed.replace([row(chunkId)]);
    for (let chunkId = 2; chunkId < 150; chunkId += 2) packed.replace([row(chunkId)]);
    const all = new Set(packed.search(syntheticVector(DIMENSIONS, random), 1_000));
    fc.assert(
      fc.property(runs, (wanted) => {
        const found = packed.search(syntheticVector(DIMENSIONS, random), 1_000, wanted);
        const within = [...all].filter((id) => wanted.some(({ first, last }) => first <= id && id <= last));
        expect(found.sort((one, two) => one - two)).toEqual(within.sort((one, two) => one - two));
      }),
    );
  });

  it('tell vectors of any length and scale apart by their direction', () => {
    const packed = PackedVectors.create(DIMENSIONS);
    const near = syntheticVector(DIMENSIONS, random);
    const outlier = near.map((value, at) => (at === 0 ? 40 : value));
    packed.replace([
      row(
        1,
        near.map((value) => value * 1e-6),
      ),
      row(2, outlier),
      row(3, new Float32Array(DIMENSIONS)),
    ]);
    expect(
      packed.search(
        near.map((value) => value * 1e6),
        3,
      )[0],
    ).toBe(1);
    expect(packed.search(outlier, 3)[0]).toBe(2);
  });

  it('are not read from a file of another length', () => {
    writeFileSync(file, new Uint8Array(100));
    expect(PackedVectors.read(file, DIMENSIONS, 2)).toBeUndefined();
  });
});

function saved(packed: PackedVectors): PackedVectors {
  packed.save(file);
  return PackedVectors.read(file, DIMENSIONS, packed.count)!;
}
