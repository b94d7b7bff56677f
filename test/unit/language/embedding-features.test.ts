import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { TextFeatures } from '../../../src/engine/document.ts';
import {
  createFeatureReader,
  type FeatureTable,
  readVocabulary,
} from '../../../src/engine/language/embedding-features.ts';
import { indexWords } from '../../../src/engine/language/words.ts';
import { testData } from '../../test-data.ts';

interface Golden {
  stride: number;
  texts: number;
  textsPerDigest: number;
  digests: string[];
  cases: { text: string; rows: number[]; weights: number[] }[];
}

const model = new URL('../../../models/starter-embedder/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', model), 'utf8')) as {
  hashedRows: number;
  commonRows: number;
  maxWords: number;
};
const table: FeatureTable = {
  ...manifest,
  vocabulary: readVocabulary(readFileSync(new URL('vocabulary.txt', model), 'utf8')),
};
const goldenFile = new URL('../../golden/starter-features/features.json', import.meta.url);
const golden = JSON.parse(readFileSync(goldenFile, 'utf8')) as Golden;

const plain = ({ rows, weights }: TextFeatures) => ({ rows: [...rows], weights: [...weights] });

/** A small table: two common stems, one rare one, eight rows for n-grams. */
const small: FeatureTable = {
  vocabulary: readVocabulary('the\ncat\ncontract\n'),
  hashedRows: 8,
  commonRows: 2,
  maxWords: 5,
};

describe('the features of a text', () => {
  it('give a common stem its row alone, once, with the square root of its count', () => {
    const { rows, weights } = createFeatureReader(small).ofText('Cats, cats; the cat!');
    expect([...rows]).toEqual([1, 0]);
    expect([...weights]).toEqual([Math.fround(Math.sqrt(3)), 1]);
  });

  it('give a rare stem its n-grams too, weighing half a word together', () => {
    const { rows, weights } = createFeatureReader(small).ofText('contract');
    expect(rows[0]).toBe(2);
    expect(weights[0]).toBe(1);
    expect(rows.length).toBeGreaterThan(1);
    // "<kontrakt>" has 7 n-grams of 4 and its beginning: 8 weights of 0.5 / √8, some of them in one row.
    const sum = [...weights.slice(1)].reduce((total, weight) => total + weight ** 2, 0);
    expect(sum).toBeCloseTo(8 * (0.5 / Math.sqrt(8)), 6);
  });

  it('let an unknown Russian word meet its English sister', () => {
    const unknown = { ...small, hashedRows: 100_000 };
    const reader = createFeatureReader(unknown);
    const english = new Set(reader.ofText('contract').rows);
    const shared = [...reader.ofText('контракт').rows].filter((row) => english.has(row));
    expect(shared.length).toBe(8);
  });

  it('are those of the first words where a text is longer than the model reads', () => {
    const reader = createFeatureReader(small);
    expect(plain(reader.ofText('the the the the the cat'))).toEqual(
      plain(reader.ofText('the the the the the')),
    );
  });

  it('are none for a text without words', () => {
    expect(plain(createFeatureReader(small).ofText(' — '))).toEqual({ rows: [], weights: [] });
  });

  it('do not depend on the texts read before', () => {
    const reader = createFeatureReader(small);
    const first = plain(reader.ofText('the contract'));
    reader.ofText('another cat of long contracts, and more');
    expect(plain(reader.ofText('the contract'))).toEqual(first);
  });
});

describe('the features of the starter embedder', () => {
  const reader = createFeatureReader(table);

  it.each(golden.cases.map((each) => [each.text.slice(0, 60), each] as const))(
    'are the recipe’s: %j',
    (_, each) => {
      expect(plain(reader.ofText(each.text))).toEqual({ rows: each.rows, weights: each.weights });
    },
  );

  it('are the same read from the words that the index holds', () => {
    for (const { text } of golden.cases) {
      expect(plain(reader.ofWords(indexWords(text)))).toEqual(plain(reader.ofText(text)));
    }
  });

  it('are the recipe’s on 10,000 texts of the training pairs', (context) => {
    const pairs = testData('train/pairs.jsonl.gz');
    if (pairs === undefined) context.skip('the test data with train/pairs.jsonl.gz are absent');
    const sampled = everyNthText(pairs!, golden.stride).slice(0, golden.texts);
    expect(sampled.length).toBe(10_000);
    const digests = golden.digests.map((_, group) => {
      const sha = createHash('sha256');
      const start = group * golden.textsPerDigest;
      for (const text of sampled.slice(start, start + golden.textsPerDigest)) {
        const { rows, weights } = reader.ofText(text);
        sha.update(new Uint8Array(rows.buffer)).update(new Uint8Array(weights.buffer));
      }
      return sha.digest('hex').slice(0, 16);
    });
    expect(digests).toEqual(golden.digests);
  });

  it('are the recipe’s as it stands, where its Python is installed', (context) => {
    const program = fileURLToPath(new URL('training/check_features.py', model));
    const input = golden.cases.map(({ text }) => `${JSON.stringify(text)}\n`).join('');
    const run = spawnSync('/usr/bin/python3', ['-B', program], { input, encoding: 'utf8' });
    if (run.status !== 0 && (run.error !== undefined || /ModuleNotFoundError/.test(run.stderr))) {
      context.skip('/usr/bin/python3 with numpy, scipy and snowballstemmer is absent');
    }
    expect(run.stderr).toBe('');
    const lines = run.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(golden.cases);
  });
});

/** Texts A and B of the pairs in order, each `stride`th. */
function everyNthText(file: string, stride: number): string[] {
  const found: string[] = [];
  let at = 0;
  for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n')) {
    if (line === '') continue;
    const [, a, b] = JSON.parse(line) as [string, string, string];
    for (const text of [a, b]) if (at++ % stride === 0) found.push(text);
  }
  return found;
}
