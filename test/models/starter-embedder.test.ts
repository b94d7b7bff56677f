import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { embeddingText } from '../../src/engine/embed/embedding-text.ts';
import { joinFeatures } from '../../src/engine/embed/join-features.ts';
import { openFeatureReader } from '../../src/engine/embed/open-feature-reader.ts';
import { catchUpVectors } from '../../src/engine/embed-catch-up.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { indexFolder } from '../../src/engine/index-folder.ts';
import type { PassageEmbedder } from '../../src/engine/index-write.ts';
import { createModels, type ModelHost } from '../../src/engine/model-host.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import { StarterEmbedder } from '../../src/engine/starter-embedder.ts';
import { Store } from '../../src/engine/store/store.ts';
import type { StoredChunk } from '../../src/engine/store/types.ts';
import { cosine, temporaryFolder } from './tiny-models.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sample = path.join(root, 'resources/sample-library');

let models: ModelHost;
let starter: StarterEmbedder;

beforeAll(async () => {
  models = createModels({
    folders: [path.join(root, 'models')],
    entry: sourceEntries.modelProcess,
    starterEntry: sourceEntries.starterThread,
  });
  const installed = await models.starter();
  if (!installed) throw new Error('The built-in embedder is absent.');
  starter = installed.embedder;
}, 60_000);

afterAll(() => models.close());

describe('StarterEmbedder', { timeout: 60_000 }, () => {
  it('gives vectors of unit length that put words of one meaning together, across languages too', async () => {
    const texts = [
      'contract penalty for late delivery',
      'штраф за просрочку поставки по договору',
      'train timetable',
    ];
    const [english, russian, other] = await starter.embed(texts, 'passage');
    for (const vector of [english!, russian!, other!]) {
      expect(vector).toHaveLength(starter.dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
    expect(cosine(english!, russian!)).toBeGreaterThan(cosine(english!, other!) + 0.2);
  });

  it('gives the same vector alone and among others, as text and as features', async () => {
    const texts = Array.from(
      { length: 150 },
      (_, index) => `${'clause '.repeat(index % 40)}number ${index} of delivery`,
    );
    const reader = await openFeatureReader(starter.features);
    const features = joinFeatures(texts.map((text) => reader.ofText(text)));
    const joined = await starter.embedFeatures(features);
    const together = await starter.embed(texts, 'passage');
    for (const index of [0, 39, 64, 149]) {
      const [alone] = await starter.embed([texts[index]!], 'query');
      const ofFeatures = joined.subarray(index * starter.dimensions, (index + 1) * starter.dimensions);
      expect(cosine(alone!, together[index]!)).toBeCloseTo(1, 5);
      expect(cosine(alone!, ofFeatures)).toBeCloseTo(1, 5);
    }
  });

  it('gives a text without words the vector zero', async () => {
    const [nothing] = await starter.embed(['… — !'], 'passage');
    expect(nothing!.every((value) => value === 0)).toBe(true);
  });

  it('lets a question go before the passages of a folder', async () => {
    const texts = Array.from({ length: 4_000 }, (_, index) => `passage ${index} `.repeat(100));
    const order: string[] = [];
    const passages = starter.embed(texts, 'passage').then(() => order.push('passages'));
    const question = starter.embed(['late delivery'], 'query').then(() => order.push('question'));
    await Promise.all([passages, question]);
    expect(order).toEqual(['question', 'passages']);
  });

  it('says which model can’t be used when its files are not what they should be', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'model.onnx'), 'no model');
    writeFileSync(path.join(folder, 'vocabulary.txt'), 'word\n');
    const spec = {
      ...{
        name: 'Broken',
        dimensions: 256,
        hashedRows: 8,
        commonRows: 0,
        maxWords: 9,
        fingerprint: 'broken:1',
      },
      modelPath: path.join(folder, 'model.onnx'),
      vocabularyPath: path.join(folder, 'vocabulary.txt'),
    };
    const opening = StarterEmbedder.open(sourceEntries.starterThread, spec);
    await expect(opening).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining('Broken'),
    });
  });
});

interface Library {
  store: Store;
  index(embedder?: PassageEmbedder): Promise<void>;
  chunks(): Promise<StoredChunk[]>;
}

/** A folder with files of every kind, and a library that reads it. */
async function openLibrary(): Promise<Library> {
  const folder = temporaryFolder();
  const names = [
    'Contracts/Supply agreement 2025-014.pdf',
    'Contracts/Annex C framework orders.docx',
    'Finance/Budget 2026.xlsx',
    'Finance/expenses-2025.csv',
    'Handbook/it-security.html',
    'Engineering/release-notes-4.2.md',
    'Engineering/line-scheduler.ts',
    'Finance/audit-notes.txt',
  ];
  for (const name of names) copyFileSync(path.join(sample, name), path.join(folder, path.basename(name)));
  mkdirSync(path.join(folder, 'long'));
  // Several batches, with a title that is known from the first.
  const long = Array.from(
    { length: 2_000 },
    (_, index) => `Clause ${index} of the lease on heating costs.\n\n`,
  );
  writeFileSync(path.join(folder, 'long/lease.md'), `# Lease of the north hall\n\n${long.join('')}`);
  const store = await Store.open({
    path: path.join(temporaryFolder(), 'library.db'),
    entries: sourceEntries,
  });
  const pool = new ParsePool({ entry: sourceEntries.indexWorker });
  onTestFinished(async () => {
    await pool.close();
    await store.close();
  });
  const id = await store.addFolder(folder, 'folder');
  return {
    store,
    index: async (embedder) => {
      const summary = await indexFolder({ store, pool, folder: { id, path: folder }, embedder, force: true });
      expect(summary).toMatchObject({ documents: names.length + 1, failed: 0 });
    },
    chunks: async () => {
      const { rows } = await store.documents({ limit: 100, offset: 0 });
      const ids = Array.from({ length: (await store.chunkCount()) * 3 }, (_, index) => index + 1);
      const found = await store.chunks(ids);
      const ofVisible = new Set(rows.map((row) => row.id));
      return found.filter(({ document }) => ofVisible.has(document.id));
    },
  };
}

const vectorsOf = async (store: Store, chunks: StoredChunk[]) =>
  store.vectors(
    starter.fingerprint,
    chunks.map(({ chunkId }) => chunkId),
  );

/** How far the stored vectors are from those of the same texts, made one by one: the least cosine. */
async function leastCosine(store: Store, chunks: StoredChunk[]): Promise<number> {
  const stored = await vectorsOf(store, chunks);
  const texts = chunks.map(({ document, headings, text }) =>
    embeddingText({ title: document.title, headings, text }),
  );
  const expected = await starter.embed(texts, 'passage');
  return Math.min(...chunks.map(({ chunkId }, index) => cosine(stored.get(chunkId)!, expected[index]!)));
}

describe('a folder that is read with the built-in embedder', { timeout: 120_000 }, () => {
  it('is found by meaning as soon as it is read: every passage has the vector of its text', async () => {
    const { store, index, chunks } = await openLibrary();
    await index(starter);
    const { done, total } = await store.vectorCoverage(starter.fingerprint);
    expect(total).toBeGreaterThan(50);
    expect(done).toBe(total);
    const all = await chunks();
    expect(all).toHaveLength(total);
    expect(await leastCosine(store, all)).toBeGreaterThan(0.9999);
  });

  it('gives a document its vectors with its words, never later', async () => {
    const { store, index } = await openLibrary();
    let isDone = false;
    const run = index(starter).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const { done, total } = await store.vectorCoverage(starter.fingerprint);
      expect(done).toBe(total);
    }
    await run;
  });

  it('is read by its words when the embedder fails, and catches up later', async () => {
    const { store, index, chunks } = await openLibrary();
    let calls = 0;
    const failing: PassageEmbedder = {
      ...{ fingerprint: starter.fingerprint, dimensions: starter.dimensions, features: starter.features },
      embedFeatures: (features) => {
        calls += 1;
        return calls > 1 ? Promise.reject(new Error('its thread is gone')) : starter.embedFeatures(features);
      },
    };
    await index(failing);
    expect(calls).toBe(2);
    const { done, total } = await store.vectorCoverage(starter.fingerprint);
    expect(done).toBeLessThan(total);
    expect(await catchUpVectors({ store, embedder: starter })).toBe(total - done);
    expect(await leastCosine(store, await chunks())).toBeGreaterThan(0.9999);
  });

  it('is read by its words when the vocabulary can’t be', async () => {
    const { store, index } = await openLibrary();
    const features = { ...starter.features, vocabularyPath: path.join(sample, 'absent.txt') };
    const { fingerprint, dimensions } = starter;
    await index({
      fingerprint,
      dimensions,
      features,
      embedFeatures: () => Promise.reject(new Error('never asked')),
    });
    expect(await store.vectorCoverage(fingerprint)).toMatchObject({ done: 0 });
  });
});

describe('the model’s files', () => {
  it('are compared with their hashes before the first use', async () => {
    const folder = temporaryFolder();
    const inside = path.join(folder, 'starter-embedder');
    mkdirSync(inside);
    for (const name of ['manifest.json', 'model.onnx', 'vocabulary.txt', 'LICENCE', 'MODEL-CARD.md']) {
      copyFileSync(path.join(root, 'models/starter-embedder', name), path.join(inside, name));
    }
    const vocabulary = readFileSync(path.join(inside, 'vocabulary.txt'));
    vocabulary[0] = vocabulary[0] === 0x61 ? 0x62 : 0x61;
    writeFileSync(path.join(inside, 'vocabulary.txt'), vocabulary);
    const altered = createModels({
      folders: [folder],
      entry: sourceEntries.modelProcess,
      starterEntry: sourceEntries.starterThread,
    });
    onTestFinished(() => altered.close());
    expect(await altered.starter()).toBeUndefined();
  });
});
