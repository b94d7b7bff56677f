/** Are sizes, speeds, downloads and the use of models said as they are? */
import { describe, expect, it } from 'vitest';
import type { ModelDownload, ModelInfo } from '../../../src/api/types.ts';
import { createLanguage } from '../../../src/renderer/src/language/language.ts';
import {
  coverageInWords,
  deviceInWords,
  downloadInWords,
  installedFacts,
  inUse,
  languagesInWords,
  shortSource,
  sizeInWords,
  speedInWords,
} from '../../../src/renderer/src/models/model-words.ts';

const en = createLanguage('en').t;
const ru = createLanguage('ru').t;
const plain = (text: string | undefined): string | undefined => text?.replace(/[\u00A0\u202F]/g, ' ');

const model: ModelInfo = {
  id: 'one',
  kind: 'embedder',
  name: 'One',
  path: '/models/one',
  sizeBytes: 470e6,
  state: 'ready',
  isBuiltIn: false,
  isInUse: true,
  licence: 'MIT',
  isVerified: true,
};

const download: ModelDownload = {
  id: 'one',
  name: 'One',
  host: 'example.org',
  phase: 'downloading',
  doneBytes: 220e6,
  files: [],
};

describe('sizes', () => {
  it.each([
    [0, 'en', '0 kB'],
    [640, 'en', '0.6 kB'],
    [22_853_412, 'en', '23 MB'],
    [999_400_000, 'en', '999 MB'],
    [1_120_000_000, 'en', '1.1 GB'],
    [1_120_000_000, 'ru', '1,1 ГБ'],
    [42e9, 'en', '42 GB'],
    [3.2e12, 'en', '3,200 GB'],
  ])('%s in %s are %s', (bytes, language, words) => {
    expect(plain(sizeInWords(bytes, language))).toBe(words);
  });
});

describe('an installed model', () => {
  it('says where it came from with a commit that can be read', () => {
    expect(shortSource('example.org/a/b@614241f622f53c4eeff9890bdc4f31cfecc418b3')).toBe(
      'example.org/a/b@614241f',
    );
    expect(shortSource('/media/stick')).toBe('/media/stick');
  });

  it('says what is not known', () => {
    const facts = installedFacts({ ...model, licence: 'unknown' }, en, 'en').map(plain);
    expect(facts).toEqual([
      'finds by meaning',
      '470 MB',
      'licence unknown',
      'where it came from is not known',
    ]);
  });

  it('names devices that the page does not know by their own name', () => {
    expect(deviceInWords('CPU', en)).toBe('this computer’s processor');
    expect(deviceInWords('NPU', en)).toBe('NPU');
  });
});

describe('what is used', () => {
  it('is the better model first and the starter beside it; what can’t be used is not', () => {
    const starter = { ...model, id: 'starter', isBuiltIn: true };
    const broken = { ...model, id: 'broken', state: 'invalid' as const };
    const idle = { ...model, id: 'idle', isInUse: false };
    expect(inUse([starter, broken, idle, model], 'embedder').map(({ id }) => id)).toEqual(['one', 'starter']);
    expect(inUse([starter], 'generator')).toEqual([]);
  });

  it.each([
    [{ done: 3120, total: 4812 }, true, 'Knows 3,120 of 4,812 passages; until then both are used.'],
    [{ done: 3120, total: 4812 }, false, 'Knows 3,120 of 4,812 passages so far.'],
    [{ done: 4812, total: 4812 }, false, 'Knows all 4,812 passages.'],
    [{ done: 0, total: 0 }, true, undefined],
    [undefined, true, undefined],
  ])('knows %o, helped: %s', (coverage, hasHelper, words) => {
    expect(coverageInWords({ ...model, coverage }, hasHelper, en)).toBe(words);
  });

  it('counts passages as Russian counts', () => {
    const words = [1, 3, 5].map((total) =>
      coverageInWords({ ...model, coverage: { done: 0, total } }, false, ru),
    );
    expect(words).toEqual(['Пока знает 0 из 1 места.', 'Пока знает 0 из 3 мест.', 'Пока знает 0 из 5 мест.']);
  });
});

describe('languages', () => {
  it('are named in the page’s own', () => {
    expect(languagesInWords(['en', 'ru'], en, 'en')).toBe('languages: English, Russian');
    expect(languagesInWords(['en', 'ru'], ru, 'ru')).toBe('языки: английский, русский');
    expect(languagesInWords(['multi'], en, 'en')).toBe('about a hundred languages');
  });
});

describe('speed', () => {
  it('is said in words and passages a second, with tenths where they matter', () => {
    const one = { id: 'one', device: 'CPU' };
    expect(speedInWords({ ...one, loadMs: 1840, wordsPerSecond: 6.44, firstWordMs: 30 }, en)).toBe(
      'Writes 6.4 words a second · the first word comes after 0.1 s · started in 1.8 s · on this computer’s processor',
    );
    expect(speedInWords({ ...one, device: 'CUDA', loadMs: 0, passagesPerSecond: 341.2 }, en)).toBe(
      'Reads 341 passages a second · on the NVIDIA graphics card (CUDA)',
    );
  });
});

describe('a download', () => {
  it.each([
    [{ phase: 'resolving' }, 'Asking example.org for size and checksums…'],
    [{}, '220 MB loaded'],
    [{ totalBytes: 560e6 }, '220 MB of 560 MB'],
    [{ totalBytes: 560e6, remainingMs: 95_000 }, '220 MB of 560 MB · 2 minutes left'],
    [{ phase: 'checking' }, 'Comparing the files with their checksums…'],
    [{ phase: 'done' }, 'Downloaded, compared and installed.'],
    [{ phase: 'cancelled' }, 'Stopped. The 220 MB that came are kept.'],
    [{ phase: 'cancelled', doneBytes: 0 }, 'Stopped before anything came.'],
    [
      { phase: 'failed', code: 'MODEL_TOO_LARGE' },
      'This model needs more memory than this computer has free.',
    ],
  ] as const)('%o', (change, words) => {
    expect(plain(downloadInWords({ ...download, ...change }, en, 'en'))).toBe(words);
  });
});
