import { describe, expect, it } from 'vitest';
import { embedderFingerprint } from '../../../src/engine/models/fingerprint.ts';
import {
  type EmbedderManifest,
  isConfined,
  readManifest,
  type TransformerManifest,
} from '../../../src/engine/models/manifest.ts';

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
    { path: 'a\nb', expected: false },
    { path: './model.onnx', expected: false },
    { path: 'nul', expected: false },
    { path: 'onnx/COM1.onnx', expected: false },
    { path: 'console.onnx', expected: true },
    { path: 'model.onnx:stream', expected: false },
    { path: 'folder./model.onnx', expected: false },
    { path: 'model ', expected: false },
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
    {
      fault: 'one file under two names',
      change: () => ({ ...good, files: [...good.files, { path: 'Tokenizer.JSON', sha256, sizeBytes: 10 }] }),
      says: 'names one file twice',
    },
    {
      fault: 'an unknown kind of encoder',
      change: () => ({ ...good, encoder: 'magic' }),
      says: '"encoder"',
    },
    {
      fault: 'a calibration out of range',
      change: () => ({ ...good, calibration: { mean: 2, spread: 0.1, nothingCosine: 0.5 } }),
      says: '"calibration.mean"',
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

describe('an embedder by features', () => {
  const { pooling: _, tokenizer: __, maxTokens: ___, ...shared } = good;
  const features = {
    ...shared,
    encoder: 'features',
    vocabulary: 'tokenizer.json',
    hashedRows: 100,
    commonRows: 10,
    maxWords: 600,
    languages: ['en', 'ru'],
    calibration: { mean: 0.2, spread: 0.1, nothingCosine: 0.3 },
  };

  it('needs no tokenizer, and says what it is calibrated to', () => {
    expect(readManifest(features, 'here')).toMatchObject({
      encoder: 'features',
      calibration: { spread: 0.1 },
    });
    expect(() => readManifest({ ...features, pooling: 'mean' }, 'here')).toThrow('pooling');
    expect(() => readManifest({ ...features, vocabulary: 'words.txt' }, 'here')).toThrow(
      '"words.txt" is not among',
    );
  });

  it.each([{ hashedRows: 99 }, { commonRows: 9 }, { maxWords: 500 }, { dimensions: 32 }])(
    'has another fingerprint with %j',
    (change) => {
      const [before, after] = [features, { ...features, ...change }].map((value) =>
        embedderFingerprint(readManifest(value, 'here') as EmbedderManifest),
      );
      expect(after).not.toBe(before);
    },
  );
});

describe('embedderFingerprint', () => {
  const manifest = readManifest(good, 'here') as TransformerManifest;

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
