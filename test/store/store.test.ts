import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkIntegrity } from '../../src/engine/store/check-integrity.ts';
import { packBatch } from '../../src/engine/store/pack-batch.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { addDocument, ask, batchOf, openLibrary, packedOf, temporaryLibrary } from './library.ts';

let file: string;
let store: Store;
let folder: number;

beforeEach(async () => {
  file = temporaryLibrary();
  store = await openLibrary(file);
  folder = await store.addFolder('/data/reports', 'reports');
});

afterEach(async () => {
  await store.close();
  const db = new Database(file);
  expect(checkIntegrity(db)).toMatchObject({ isWhole: true, faults: [] });
  db.close();
});

const find = async (word: string, scope?: Parameters<Store['keywordCandidates']>[1], limit = 10) =>
  (await store.keywordCandidates(ask(word), scope, limit)).candidates;

describe('a document being written', () => {
  it('is not found before it is finished, by no kind of search', async () => {
    const id = await store.beginDocument(folder, { path: 'a.txt', sizeBytes: 1, modifiedAtMs: 0 });
    await store.appendBatch(id, packedOf(['pending words']));
    expect(await find('pend')).toEqual([]);
    expect(await store.phraseCandidates(['pending', 'words'], undefined, 10)).toEqual([]);
    expect(await store.document(id)).toBeUndefined();
    expect(await store.blocks(id, 0, 100)).toEqual([]);
    expect(await store.knownFiles(folder, 0, 10)).toEqual([]);
    await store.abandonDocument(id);
  });

  it('replaces the old one at its path in one step', async () => {
    await addDocument(store, folder, { path: 'a.txt', paragraphs: ['first edition'] });
    const id = await store.beginDocument(folder, { path: 'a.txt', sizeBytes: 2, modifiedAtMs: 1 });
    await store.appendBatch(id, packedOf(['second printing']));
    expect(await find('first')).toHaveLength(1);
    const metadata = { kind: 'text', title: 'a', language: 'en' } as const;
    await store.finishDocument(id, { metadata, contentHash: 'h', warnings: [], state: 'indexed' });
    expect(await find('first')).toEqual([]);
    expect(await find('second')).toHaveLength(1);
    expect((await store.documents({ limit: 10, offset: 0 })).total).toBe(1);
  });

  it('that fails leaves its reason in the ledger and no text', async () => {
    await addDocument(store, folder, { path: 'a.txt', paragraphs: ['once good'] });
    const id = await store.beginDocument(folder, { path: 'a.txt', sizeBytes: 2, modifiedAtMs: 1 });
    await store.appendBatch(id, packedOf(['half read']));
    await store.failDocument(id, { reason: 'damaged', message: 'Reading failed' });
    expect(await store.document(id)).toMatchObject({ state: 'failed', reason: 'damaged' });
    expect(await find('once')).toEqual([]);
    expect(await find('half')).toEqual([]);
    expect(await store.counts()).toEqual({ indexed: 0, waiting: 0, failed: 1 });
  });
});

describe('a chunk', () => {
  it('is read back from the blocks, and from its own text where it differs', async () => {
    const id = await store.beginDocument(folder, { path: 'a.txt', sizeBytes: 1, modifiedAtMs: 0 });
    const batch = batchOf(['one 😀 two', 'three', 'four']);
    batch.chunks[1]!.chunk.text = 'column: three';
    await store.appendBatch(id, packBatch(batch));
    const metadata = { kind: 'text', title: 'a', language: 'en' } as const;
    await store.finishDocument(id, { metadata, contentHash: 'h', warnings: [], state: 'indexed' });
    const chunks = await store.chunksByOrdinal(id, 0, 9);
    expect(chunks.map((chunk) => chunk.text)).toEqual(['one 😀 two\n', 'column: three', 'four\n']);
    expect((await store.blocks(id, 12, 13)).map((block) => block.text)).toEqual(['three\n']);
    const kept = new Database(file, { readonly: true });
    expect(kept.prepare('SELECT count(text) FROM chunks').pluck().get()).toBe(1);
    kept.close();
  });
});

describe('a keyword search', () => {
  it('keeps to its scope and never comes back falsely empty', async () => {
    for (let i = 0; i < 30; i++) {
      await addDocument(store, folder, { path: `many/${i}.txt`, paragraphs: ['common common common rare'] });
    }
    const inside = await addDocument(store, folder, {
      path: 'one/target.txt',
      paragraphs: [`common ${'other '.repeat(50)}`],
      kind: 'pdf',
      date: '2031-05-06',
    });
    for (const scope of [
      { documentId: inside },
      { path: 'one' },
      { path: 'one/target.txt' },
      { path: '/data/reports/one' },
      { path: 'reports/one' },
      { kinds: ['pdf' as const] },
      { after: '2031-05-06' },
    ]) {
      expect((await find('common', scope, 3)).map((one) => one.documentId)).toEqual([inside]);
    }
    expect(await find('common', { before: '2000-01-01' })).toEqual([]);
    expect(await find('common', { folderId: folder + 1 })).toEqual([]);
    expect(await find('common', undefined, 100)).toHaveLength(31);
  });

  it('takes any text as data', async () => {
    await addDocument(store, folder, { path: 'a.txt', paragraphs: ['plain'] });
    for (const word of ['"', '""', 'a" OR "b', 'NEAR(', '*', '-', '\0', 'words:x', "'; DROP TABLE chunks"]) {
      await expect(find(word)).resolves.toBeDefined();
      await expect(store.phraseCandidates([word, word], undefined, 5)).resolves.toBeDefined();
    }
  });

  it('counts each term and the most that a chunk can score', async () => {
    await addDocument(store, folder, {
      path: 'a.txt',
      paragraphs: ['apple pear', 'apple', 'plum', 'fig', 'kiwi'],
    });
    const found = await store.keywordCandidates(ask('appl', 'pear', 'absent'), undefined, 10);
    expect(found.frequencies).toEqual([2, 1, 0]);
    expect(found.total).toBe(5);
    const idf = (n: number) => Math.max(Math.log((5 - n + 0.5) / (n + 0.5)), 1e-6);
    expect(found.coverageScale).toBeCloseTo((idf(2) + idf(1) + idf(0)) * 2.2, 6);
    expect(found.candidates[0]!.score).toBeLessThanOrEqual(found.coverageScale);
  });

  it('finds a phrase only where its words stand together', async () => {
    await addDocument(store, folder, { path: 'a.txt', paragraphs: ['net profit rose', 'profit and net'] });
    const found = await store.phraseCandidates(['net', 'profit'], undefined, 10);
    expect(found).toHaveLength(1);
  });
});

describe('vectors', () => {
  const unit = (x: number, y: number) => Float32Array.of(x / Math.hypot(x, y), y / Math.hypot(x, y));

  it('are nearest first within the scope, and go with their document', async () => {
    const one = await addDocument(store, folder, { path: 'one.txt', paragraphs: ['a', 'b'] });
    const two = await addDocument(store, folder, { path: 'two.txt', paragraphs: ['c'] });
    const missing = await store.chunksWithoutVector('f', [one, two], 10);
    expect(missing.map((chunk) => chunk.text)).toEqual(['a\n', 'b\n', 'c\n']);
    const [a, b, c] = missing.map((chunk) => chunk.chunkId) as [number, number, number];
    await store.addVectors('f', 2, [
      { chunkId: a, vector: unit(1, 0) },
      { chunkId: b, vector: unit(1, 1) },
      { chunkId: c, vector: unit(0, 1) },
      { chunkId: 999, vector: unit(1, 0) },
    ]);
    const near = await store.vectorCandidates('f', unit(1, 0), undefined, 2);
    expect(near.map((candidate) => candidate.chunkId)).toEqual([a, b]);
    expect(near[1]!.score).toBeCloseTo(Math.SQRT1_2, 5);
    const scoped = await store.vectorCandidates('f', unit(1, 0), { documentId: two }, 1);
    expect(scoped.map((candidate) => candidate.chunkId)).toEqual([c]);
    expect(await store.vectorCoverage('f')).toEqual({ done: 3, total: 3 });
    expect([...(await store.vectors('f', [b, 999])).keys()]).toEqual([b]);
    expect(await store.vectorCandidates('other', unit(1, 0), undefined, 2)).toEqual([]);
    await store.removeDocuments([one]);
    expect((await store.vectorCandidates('f', unit(1, 0), undefined, 9)).map((row) => row.chunkId)).toEqual([
      c,
    ]);
    expect(await store.vectorCoverage('f')).toEqual({ done: 1, total: 1 });
    await store.removeFolder(folder);
    expect(await store.chunkCount()).toBe(0);
  });
});

describe('cosines with all chunks of a small library', () => {
  it('are the same in whatever order the documents were read', async () => {
    const read = async (names: string[]) => {
      const place = temporaryLibrary();
      const library = await openLibrary(place);
      const folderId = await library.addFolder('/data/papers', 'papers');
      const ids: number[] = [];
      for (const name of names) {
        const paragraphs = Array.from({ length: 60 }, (_, at) => `${name} ${at}`);
        ids.push(await addDocument(library, folderId, { path: name, paragraphs }));
      }
      const missing = await library.chunksWithoutVector('f', ids, 1_000);
      const vectorOf = (text: string) => {
        const angle = [...text].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000;
        return Float32Array.of(Math.cos(angle), Math.sin(angle));
      };
      const rows = missing.map(({ chunkId, text }) => ({ chunkId, vector: vectorOf(text) }));
      await library.addVectors('f', 2, rows);
      const cosines = await library.cosinesAnywhere('f', Float32Array.of(1, 0), 8);
      await library.close();
      return cosines.sort((one, two) => one - two);
    };
    const [one, other] = [await read(['a.txt', 'b.txt', 'c.txt']), await read(['c.txt', 'a.txt', 'b.txt'])];
    expect(one).toHaveLength(180);
    expect(other).toEqual(one);
  });
});

describe('an archived document', () => {
  it('is found by its path and by a folder of nothing else, not by a wider scope', async () => {
    const old = await addDocument(store, folder, {
      path: 'Archive/rules.txt',
      paragraphs: ['rules'],
      isArchived: true,
    });
    const now = await addDocument(store, folder, { path: 'rules.txt', paragraphs: ['rules'] });
    const found = async (path?: string) =>
      (await find('rule', path === undefined ? undefined : { path })).map((one) => one.documentId);
    expect(await found()).toEqual([now]);
    expect(await found('reports')).toEqual([now]);
    expect(await found('Archive')).toEqual([old]);
    expect(await found('Archive/rules.txt')).toEqual([old]);
  });
});

describe('the generation', () => {
  it('rises with every visible change', async () => {
    const before = await store.generation();
    const id = await addDocument(store, folder, { path: 'a.txt', paragraphs: ['a'] });
    const after = await store.generation();
    expect(after).toBeGreaterThan(before);
    await store.removeDocuments([id]);
    expect(await store.generation()).toBeGreaterThan(after);
  });
});

describe('a reader', () => {
  it('answers while a long write goes on', async () => {
    await addDocument(store, folder, { path: 'a.txt', paragraphs: ['steady'] });
    // The first search starts the reader's thread, which may take longer than the write.
    await find('steadi');
    const id = await store.beginDocument(folder, { path: 'long.txt', sizeBytes: 1, modifiedAtMs: 0 });
    const long = store.appendBatch(
      id,
      packedOf(Array.from({ length: 20_000 }, (_, i) => `steady words ${i}`)),
    );
    let isDone = false;
    const ended = long.then(() => {
      isDone = true;
    });
    expect(await find('steadi')).toHaveLength(1);
    expect(isDone).toBe(false);
    await ended;
    await store.abandonDocument(id);
  });
});

describe('several documents written at once', () => {
  const finished = (title: string) => ({
    metadata: { kind: 'text', title, language: 'en' } as const,
    contentHash: title,
    warnings: [],
    state: 'indexed' as const,
  });
  const stamp = (name: string) => ({ path: name, sizeBytes: 1, modifiedAtMs: 0 });
  const unit = (x: number, y: number) => [x / Math.hypot(x, y), y / Math.hypot(x, y)];
  const vectorsOf = (...values: number[][]) => ({
    fingerprint: 'f:1',
    dimensions: 2,
    values: Float32Array.from(values.flat()),
  });

  it('are found by words and by meaning, replace the old ones, and remember failures', async () => {
    await addDocument(store, folder, { path: 'a.txt', paragraphs: ['first edition'] });
    await addDocument(store, folder, { path: 'bad.txt', paragraphs: ['once good'] });
    const ids = await store.writeDocuments(folder, [
      {
        file: stamp('a.txt'),
        batch: packedOf(['second printing', 'with notes']),
        vectors: vectorsOf(unit(1, 0), unit(1, 1)),
        finished: finished('a'),
      },
      {
        file: stamp('b.txt'),
        batch: packedOf(['third volume']),
        vectors: vectorsOf(unit(0, 1)),
        finished: finished('b'),
      },
      { file: stamp('bad.txt'), failure: { reason: 'damaged', message: 'Reading failed' } },
      {
        file: stamp('pictures.pdf'),
        finished: { ...finished('pictures'), state: 'waiting', reason: 'no-text' },
      },
    ]);
    expect(await find('first')).toEqual([]);
    expect(await find('once')).toEqual([]);
    expect(await store.counts()).toEqual({ indexed: 2, waiting: 1, failed: 1 });
    expect((await find('third')).map(({ documentId }) => documentId)).toEqual([ids[1]]);
    const near = await store.vectorCandidates('f:1', Float32Array.from(unit(0, 1)), undefined, 3);
    expect(near.map(({ documentId }) => documentId)).toEqual([ids[1], ids[0], ids[0]]);
    expect(await store.vectorCoverage('f:1')).toEqual({ done: 3, total: 3 });
  });

  it('come all or none', async () => {
    const wrong = { ...vectorsOf(unit(1, 0)), dimensions: 3 };
    const writing = store.writeDocuments(folder, [
      { file: stamp('a.txt'), batch: packedOf(['one']), finished: finished('a') },
      { file: stamp('b.txt'), batch: packedOf(['two']), vectors: wrong, finished: finished('b') },
    ]);
    await expect(writing).rejects.toThrow('dimensions');
    expect(await store.counts()).toEqual({ indexed: 0, waiting: 0, failed: 0 });
    expect(await find('one')).toEqual([]);
    expect(await store.fingerprints()).toEqual([]);
  });
});

describe('documents that were asked', () => {
  it('are forgotten with their file and with their folder', async () => {
    const one = await addDocument(store, folder, { path: 'one.txt', paragraphs: ['a'] });
    const two = await addDocument(store, folder, { path: 'two.txt', paragraphs: ['b'] });
    await store.countAsked([one, two, one, 999]);
    const asked = () => {
      const kept = new Database(file, { readonly: true });
      const rows = kept.prepare('SELECT path, times FROM asked_documents ORDER BY path').raw().all();
      kept.close();
      return rows;
    };
    expect(asked()).toEqual([
      ['one.txt', 2],
      ['two.txt', 1],
    ]);
    await store.removeDocuments([one]);
    expect(asked()).toEqual([['two.txt', 1]]);
    await store.removeFolder(folder);
    expect(asked()).toEqual([]);
  });
});
