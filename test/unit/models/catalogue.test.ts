/** Is the list of models that can be had sound, honest about what nobody verified, and judged by the machine? */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeDevices } from '../../../src/engine/machine-devices.ts';
import { readCatalogue } from '../../../src/engine/models/catalogue.ts';
import { judgeCatalogue } from '../../../src/engine/models/judge-catalogue.ts';
import { temporaryFolder } from '../../models/tiny-models.ts';

const file = path.join(import.meta.dirname, '../../../resources/models.json');
const entries = readCatalogue(file);
const machine = { cores: 8, freeBytes: 6e9, totalBytes: 8e9, videoBytes: 0 };

describe('the catalogue', () => {
  it('holds encoders, a reranker and writers from 0.5 to 14 billion parameters', () => {
    expect(entries.filter(({ kind }) => kind === 'embedder').map(({ id }) => id)).toEqual([
      'multilingual-e5-small',
      'multilingual-e5-base',
      'bge-m3',
    ]);
    expect(entries.some(({ kind }) => kind === 'reranker')).toBe(true);
    const sizes = entries.filter(({ kind }) => kind === 'generator').map((entry) => entry.parametersMillions);
    expect(Math.min(...sizes)).toBeLessThan(600);
    expect(Math.max(...sizes)).toBeGreaterThan(14_000);
  });

  it('says "not verified" of everything whose revision, sizes and hashes nobody compared', () => {
    for (const model of judgeCatalogue(entries, machine, new Set())) {
      const entry = entries.find(({ id }) => id === model.id)!;
      expect(model.isVerified).toBe(entry.revision !== undefined && entry.verified !== undefined);
      expect(model.sizeBytes === undefined).toBe(entry.verified === undefined);
    }
  });

  const broken: [fault: string, change: (models: Record<string, unknown>[]) => unknown, says: RegExp][] = [
    ['an unknown field', ([first]) => [{ ...first, colour: 'red' }], /colour/],
    ['a revision that is none', ([first]) => [{ ...first, revision: 'main' }], /models\.0\.revision/],
    ['a licence without encryption', ([first]) => [{ ...first, licenceUrl: 'http://x.org' }], /licenceUrl/],
    [
      'a path that climbs out',
      ([first]) => [{ ...first, files: [{ role: 'model', anyOf: ['../x'] }] }],
      /anyOf/,
    ],
    ['a host that is an address', ([first]) => [{ ...first, host: 'https://x.org/a' }], /host/],
    ['one model twice', ([first]) => [first, first], /stands in it twice/],
  ];
  it.each(broken)('is refused with %s', (_fault, change, says) => {
    const { models } = JSON.parse(readFileSync(file, 'utf8'));
    const copy = path.join(temporaryFolder(), 'models.json');
    writeFileSync(copy, JSON.stringify({ models: change(models) }));
    expect(() => readCatalogue(copy)).toThrow(says);
    expect(() => readCatalogue(copy)).toThrow(expect.objectContaining({ code: 'MODEL_INVALID' }));
  });

  it('is refused when it is absent, no JSON, or endless', () => {
    const copy = path.join(temporaryFolder(), 'models.json');
    expect(() => readCatalogue(copy)).toThrow('it is not there');
    writeFileSync(copy, '{');
    expect(() => readCatalogue(copy)).toThrow('it is no JSON');
    writeFileSync(copy, ' '.repeat(600_000));
    expect(() => readCatalogue(copy)).toThrow('it has 600000 bytes');
  });
});

describe('a machine', () => {
  const judge = (change: Partial<typeof machine>) =>
    judgeCatalogue(entries, { ...machine, ...change }, new Set());
  const recommended = (change: Partial<typeof machine>) =>
    judge(change)
      .filter(({ isRecommended }) => isRecommended)
      .map(({ id }) => id);

  it('decides what fits', () => {
    const fits = new Map(judge({}).map(({ id, fit }) => [id, fit]));
    expect(fits.get('qwen2.5-0.5b-instruct')).toBe('fits');
    expect(fits.get('qwen2.5-14b-instruct')).toBe('too-large');
    expect(judge({ freeBytes: 1e9 }).find(({ id }) => id === 'qwen3-4b')?.fit).toBe('tight');
  });

  it.each([
    {
      name: 'two processors',
      change: { cores: 2 },
      expected: ['multilingual-e5-small', 'qwen2.5-0.5b-instruct'],
    },
    { name: 'four', change: { cores: 4 }, expected: ['multilingual-e5-small', 'qwen2.5-1.5b-instruct'] },
    {
      name: 'a graphics card of 24 GB',
      change: { cores: 4, freeBytes: 30e9, totalBytes: 40e9, videoBytes: 24e9 },
      expected: ['bge-m3', 'bge-reranker-v2-m3', 'qwen2.5-14b-instruct'],
    },
    { name: 'no memory', change: { freeBytes: 5e8 }, expected: [] },
  ])('with $name is recommended the best that is quick enough', ({ change, expected }) => {
    expect(recommended(change)).toEqual(expected);
  });

  it('tells devices that are used, that failed, that are absent and that nobody tried', () => {
    const tried = [
      { kind: 'CUDA', outcome: 'the driver is too old' },
      { kind: 'Metal', outcome: 'in use' },
    ];
    const loads = [{ device: 'Metal (Apple M3)', tried }];
    const mac = describeDevices(loads, { totalBytes: 16e9, freeBytes: 9e9 }, 'darwin', 'arm64');
    expect(mac).toMatchObject([
      { kind: 'Metal', state: 'in-use', name: 'Apple M3', memoryBytes: 16e9, serves: ['generator'] },
      { kind: 'CoreML', state: 'untried', serves: ['embedder', 'reranker'] },
      { kind: 'CPU', state: 'available' },
    ]);
    expect(describeDevices([], undefined, 'darwin', 'x64')[0]).toMatchObject({
      state: 'absent',
      reason: 'this Mac has no Apple chip',
    });
    const failed = describeDevices(
      [{ device: 'CPU', tried: [{ kind: 'DirectML', outcome: 'the driver is too old' }] }],
      undefined,
      'win32',
      'x64',
    );
    expect(failed.find(({ kind }) => kind === 'DirectML')).toMatchObject({
      state: 'failed',
      reason: 'the driver is too old',
    });
    expect(failed.at(-1)).toMatchObject({ kind: 'CPU', state: 'in-use' });
  });
});
