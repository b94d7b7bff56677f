import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/api/errors.ts';
import type { Chunk, Embedder } from '../../src/engine/document.ts';
import { OnnxEmbedder } from '../../src/engine/embed/onnx-embedder.ts';
import {
  type CatchUpOptions,
  catchUpVectors,
  dropOldVectors,
  embedAll,
} from '../../src/engine/embed-catch-up.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { packBatch } from '../../src/engine/store/pack-batch.ts';
import { Store } from '../../src/engine/store/store.ts';
import type { FileStamp } from '../../src/engine/store/types.ts';
import { temporaryFolder, tinyEmbedderSpec } from './tiny-models.ts';

/** A document of so many passages. */
async function addDocument(store: Store, folderId: number, file: FileStamp, count: number): Promise<number> {
  const chunks = Array.from({ length: count }, (_, index) => {
    const text = `passage number ${index}`;
    const chunk: Chunk = { kind: 'prose', start: index, end: index + 1, text, headings: [] };
    const terms = { title: 'notes', headings: '', words: text, stems: text, language: 'en' as const };
    return { chunk, terms };
  });
  const blocks = [{ kind: 'paragraph' as const, text: `${'x'.repeat(count)}\n`, spans: [] }];
  const finished = {
    metadata: { kind: 'text', title: 'notes', language: 'en' },
    contentHash: 'a'.repeat(64),
    warnings: [],
    state: 'indexed',
  } as const;
  const batch = packBatch({ blocks, tables: [], chunks });
  const [id] = await store.writeDocuments(folderId, [
    { file, batch, finished: { ...finished, warnings: [] } },
  ]);
  return id!;
}

async function emptyLibrary(): Promise<Store> {
  const store = await Store.open({
    path: path.join(temporaryFolder(), 'library.db'),
    entries: sourceEntries,
  });
  onTestFinished(() => store.close());
  return store;
}

/** A library with one document of so many passages. */
async function libraryOf(count: number): Promise<Store> {
  const store = await emptyLibrary();
  const folderId = await store.addFolder('/somewhere', 'somewhere');
  await addDocument(store, folderId, { path: 'notes.txt', sizeBytes: 1, modifiedAtMs: 1 }, count);
  return store;
}

/** An embedder of two dimensions that knows nothing. */
function fakeEmbedder(fingerprint: string): Embedder {
  return {
    ...{ fingerprint, dimensions: 2, maxTokens: 10 },
    embed: async (texts) => texts.map(() => Float32Array.of(0, 1)),
  };
}

const loadEmbedder = (): Promise<OnnxEmbedder> => OnnxEmbedder.load(tinyEmbedderSpec());

describe('catchUpVectors', () => {
  it('embeds every passage once, in batches, and finds it by its words', async () => {
    const store = await libraryOf(300);
    const embedder = await loadEmbedder();
    const progress: number[] = [];
    expect(await catchUpVectors({ store, embedder, onProgress: (now) => progress.push(now) })).toBe(300);
    expect(progress).toEqual([256, 300]);
    expect(await store.vectorCoverage(embedder.fingerprint)).toEqual({ done: 300, total: 300 });
    expect(await catchUpVectors({ store, embedder })).toBe(0);
    const [query] = await embedder.embed(['notes passage number 217'], 'query');
    const [nearest] = await store.vectorCandidates(embedder.fingerprint, query!, undefined, 1);
    const [chunk] = await store.chunks([nearest!.chunkId]);
    expect(chunk!.text).toBe('passage number 217');
  });

  it('goes on where it was stopped', async () => {
    const store = await libraryOf(300);
    const embedder = await loadEmbedder();
    const cancel = new AbortController();
    const stopped = catchUpVectors({
      store,
      embedder,
      signal: cancel.signal,
      onProgress: () => cancel.abort(new Error('later')),
    });
    await expect(stopped).rejects.toThrow('later');
    expect(await store.vectorCoverage(embedder.fingerprint)).toEqual({ done: 256, total: 300 });
    expect(await catchUpVectors({ store, embedder })).toBe(44);
  });

  it('keeps what was stored when the embedder fails', async () => {
    const store = await libraryOf(300);
    const embedder = await loadEmbedder();
    let calls = 0;
    const failing: Embedder = {
      fingerprint: embedder.fingerprint,
      dimensions: embedder.dimensions,
      maxTokens: embedder.maxTokens,
      embed: (texts, role) => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('gone')) : embedder.embed(texts, role);
      },
    };
    await expect(catchUpVectors({ store, embedder: failing })).rejects.toThrow('gone');
    expect(await store.vectorCoverage(embedder.fingerprint)).toMatchObject({ done: 256 });
  });

  it('takes what was asked most first, then its folder, then the newest', async () => {
    const store = await emptyLibrary();
    const quiet = await store.addFolder('/quiet', 'quiet');
    const asked = await store.addFolder('/asked', 'asked');
    const add = (folderId: number, name: string, day: number) =>
      addDocument(store, folderId, { path: name, sizeBytes: 1, modifiedAtMs: day }, 2);
    const old = await add(quiet, 'old.txt', 1);
    const recent = await add(quiet, 'recent.txt', 9);
    const beside = await add(asked, 'beside.txt', 2);
    const found = await add(asked, 'found.txt', 1);
    await store.countAsked([found]);
    const order: number[] = [];
    const embedder: Embedder = {
      ...fakeEmbedder('better:1'),
      embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
    };
    const watched: CatchUpOptions['store'] = {
      ...store,
      chunksWithoutVector: async (fingerprint, documents, limit) => {
        order.push(...documents);
        return store.chunksWithoutVector(fingerprint, documents, limit);
      },
    };
    expect(await catchUpVectors({ store: watched, embedder })).toBe(8);
    expect(order).toEqual([found, beside, recent, old]);
  });

  it('meets a document that became visible meanwhile', async () => {
    const store = await libraryOf(3);
    const embedder = fakeEmbedder('better:1');
    let isAdded = false;
    const watched: CatchUpOptions['store'] = {
      ...store,
      addVectors: async (...call) => {
        await store.addVectors(...call);
        if (!isAdded) await addDocument(store, 1, { path: 'late.txt', sizeBytes: 1, modifiedAtMs: 1 }, 4);
        isAdded = true;
      },
    };
    expect(await catchUpVectors({ store: watched, embedder })).toBe(7);
  });
});

describe('dropOldVectors', () => {
  const starter = { id: 'starter', isBuiltIn: true };
  const better = { id: 'better', isBuiltIn: false };
  const other = { id: 'other', isBuiltIn: false };

  /** A library with vectors of these, whole unless told otherwise. */
  async function libraryWith(...fingerprints: string[]): Promise<Store> {
    const store = await libraryOf(20);
    for (const fingerprint of fingerprints) {
      await catchUpVectors({ store, embedder: fakeEmbedder(fingerprint) });
    }
    return store;
  }

  async function left(
    store: Store,
    inUse: [{ id: string; isBuiltIn: boolean }, string][],
    installed = [starter, better],
  ) {
    const embedders = inUse.map(([model, fingerprint]) => ({
      ...model,
      embedder: fakeEmbedder(fingerprint),
    }));
    await dropOldVectors({ store, embedders, installed });
    return store.fingerprints();
  }

  it('drops an older version once the new one is whole, and not before', async () => {
    const store = await libraryWith('starter:1', 'starter:2');
    await addDocument(store, 1, { path: 'new.txt', sizeBytes: 1, modifiedAtMs: 1 }, 1);
    expect(await left(store, [[starter, 'starter:2']])).toEqual(['starter:1', 'starter:2']);
    await catchUpVectors({ store, embedder: fakeEmbedder('starter:2') });
    expect(await left(store, [[starter, 'starter:2']])).toEqual(['starter:2']);
    expect(await store.vectorCoverage('starter:1')).toMatchObject({ done: 0 });
  });

  it('drops a better embedder once another has taken its place, or it is gone', async () => {
    const store = await libraryWith('starter:1', 'better:1', 'other:1', 'gone:1');
    const inUse: Parameters<typeof left>[1] = [
      [other, 'other:1'],
      [starter, 'starter:1'],
    ];
    expect(await left(store, inUse, [starter, better, other])).toEqual(['starter:1', 'other:1']);
  });

  it('keeps what is merely not running now', async () => {
    const store = await libraryWith('starter:1', 'better:1');
    expect(await left(store, [[starter, 'starter:1']])).toEqual(['starter:1', 'better:1']);
    expect(await left(store, [[better, 'better:1']])).toEqual(['starter:1', 'better:1']);
    expect(await left(store, [])).toEqual(['starter:1', 'better:1']);
  });
});

describe('embedAll', () => {
  it('goes on with the others when one fails, and drops nothing', async () => {
    const store = await libraryOf(10);
    await catchUpVectors({ store, embedder: fakeEmbedder('better:1') });
    const failing: Embedder = {
      ...fakeEmbedder('better:2'),
      embed: () => Promise.reject(new AppError('MODEL_FAILED', 'gone')),
    };
    const embedders = [
      { id: 'better', isBuiltIn: false, embedder: failing },
      { id: 'starter', isBuiltIn: true, embedder: fakeEmbedder('starter:1') },
    ];
    expect(await embedAll({ store, embedders, installed: embedders })).toBe(10);
    expect(await store.fingerprints()).toEqual(['better:1', 'starter:1']);
  });
});
