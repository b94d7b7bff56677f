import { describe, expect, it } from 'vitest';
import { embedderFingerprint } from '../../../src/engine/models/fingerprint.ts';
import { type EmbedderManifest, isConfined, readManifest } from '../../../src/engine/models/manifest.ts';

const sha256 = 'a'.repeat(64);
const good = {
  id: 'tiny',
  kind: 'embedder',
  name: 'Tiny',
  licence: 'MIT',
  files: [
    { path: 'onnx/model.onnx', sha256, sizeBytes: 10 },
    { path: 'tokenizer.json', sha256, sizeBytes: 10 },
  ],
  model: 'onnx/model.onnx',
  tokenizer: 'tokenizer.json',
  pooling: 'mean',
  dimensions: 64,
  maxTokens: 512,
};

describe('isConfined', () => {
  it.each([
    { path: 'model.onnx', expected: true },
    { path: 'onnx/model.onnx', expected: true },
    { path: 'a..b/c', expected: true },
    { path: '', expected: false },
    { path: '/etc/passwd', expected: false },
    { path: '../model.onnx', expected: false },
    { path: 'a/../../b', expected: false },
    { path: 'a//b', expected: false },
    { path: 'C:/model.onnx', expected: false },
    { path: 'a\\..\\b', expected: false },
    { path: 'a\0b', expected: false },
  ])('says $expected of "$path"', ({ path, expected }) => {
    expect(isConfined(path)).toBe(expected);
  });
});

describe('readManifest', () => {
  it('fills in what may be missing', () => {
    expect(readManifest(good, 'here')).toMatchObject({
      queryPrefix: '',
      passagePrefix: '',
      normalise: true,
      order: 100,
    });
  });

  it.each([
    { fault: 'no object', change: () => 7, says: 'expected object' },
    { fault: 'an unknown kind', change: () => ({ ...good, kind: 'painter' }), says: '"kind"' },
    { fault: 'a misspelt field', change: () => ({ ...good, queryprefix: 'x' }), says: 'queryprefix' },
    {
      fault: 'a path that leads out',
      change: () => ({ ...good, model: '../x.onnx' }),
      says: '"model" must be a path inside',
    },
    { fault: 'an unknown pooling', change: () => ({ ...good, pooling: 'max' }), says: '"pooling"' },
    {
      fault: 'a hash that is none',
      change: () => ({ ...good, files: [{ ...good.files[0], sha256: 'x' }] }),
      says: 'sha256',
    },
    { fault: 'no files', change: () => ({ ...good, files: [] }), says: '"files"' },
    {
      fault: 'a model that is not among its files',
      change: () => ({ ...good, model: 'other.onnx' }),
      says: '"other.onnx" is not among',
    },
    {
      fault: 'weights that do not add up',
      change: () => ({ ...good, weights: { keyword: 1, vector: 1 } }),
      says: 'must add up to 1',
    },
    { fault: 'endless dimensions', change: () => ({ ...good, dimensions: 1e9 }), says: '"dimensions"' },
  ])('refuses $fault in one line that names it', ({ change, says }) => {
    const read = () => readManifest(change(), 'models/tiny/manifest.json');
    expect(read).toThrow(expect.objectContaining({ code: 'MODEL_INVALID' }));
    expect(read).toThrow(says);
    expect(read).toThrow(/^Model can’t be used: models\/tiny\/manifest\.json: [^\n]+$/);
  });
});

describe('embedderFingerprint', () => {
  const manifest = readManifest(good, 'here') as EmbedderManifest;

  it.each([
    { field: 'pooling', change: { pooling: 'cls' as const } },
    { field: 'query prefix', change: { queryPrefix: 'query: ' } },
    { field: 'dimensions', change: { dimensions: 32 } },
    { field: 'length', change: { maxTokens: 256 } },
    {
      field: 'file',
      change: { files: [{ ...manifest.files[0]!, sha256: 'b'.repeat(64) }, manifest.files[1]!] },
    },
  ])('is another one for another $field', ({ change }) => {
    expect(embedderFingerprint({ ...manifest, ...change })).not.toBe(embedderFingerprint(manifest));
  });

  it('stays the same for another name, licence or order of files', () => {
    const other = {
      ...manifest,
      name: 'Other',
      licence: 'ISC',
      order: 1,
      files: [...manifest.files].reverse(),
    };
    expect(embedderFingerprint(other)).toBe(embedderFingerprint(manifest));
  });
});
