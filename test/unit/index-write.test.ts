import { describe, expect, it } from 'vitest';
import { indexing } from '../../src/engine/config.ts';
import { type JoinedFeatures, joinFeatures } from '../../src/engine/embed/join-features.ts';
import { DocumentWrites, type PassageEmbedder, type ReadFile } from '../../src/engine/index-write.ts';
import type { WholeDocument } from '../../src/engine/store/types.ts';

const never = new AbortController().signal;

/** Features of so many chunks; each has one row, its number. */
const featuresOf = (...rows: number[]): JoinedFeatures =>
  joinFeatures(rows.map((row) => ({ rows: Uint32Array.of(row), weights: Float32Array.of(1) })));

function readFile(path: string, features?: JoinedFeatures): ReadFile {
  return {
    file: { path, sizeBytes: 1, modifiedAtMs: 1 },
    rest: { packed: new Uint8Array(10), ...(features ? { features } : {}) },
    finished: {
      metadata: { kind: 'text', title: path, language: 'en' },
      contentHash: 'h',
      warnings: [],
      state: 'indexed',
    },
  };
}

/** A store that remembers what it was given; the first call waits for `open`. */
function fakeStore() {
  const groups: WholeDocument[][] = [];
  const gate = Promise.withResolvers<void>();
  let written = 0;
  return {
    groups,
    open: gate.resolve,
    appendBatch: async () => undefined,
    writeDocuments: async (_folderId: number, documents: WholeDocument[]) => {
      groups.push(documents);
      await gate.promise;
      return documents.map(() => ++written);
    },
  };
}

/** The vector of a chunk is its row's number. */
const embedder: PassageEmbedder = {
  fingerprint: 'rows:1',
  dimensions: 1,
  features: { vocabularyPath: '', hashedRows: 1, commonRows: 0, maxWords: 1 },
  embedFeatures: async ({ rows }) => Float32Array.from(rows),
};

const namesOf = (group: WholeDocument[]) => group.map(({ file }) => file.path);

describe('DocumentWrites', () => {
  it('writes the first document at once and those that come meanwhile together', async () => {
    const store = fakeStore();
    const writes = new DocumentWrites({ store, folderId: 1, signal: never });
    const all = [];
    for (const name of ['a', 'b', 'c']) all.push(await writes.add(readFile(name)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.groups.map(namesOf)).toEqual([['a']]);
    store.open();
    await writes.drain();
    expect(store.groups.map(namesOf)).toEqual([['a'], ['b', 'c']]);
    expect(await Promise.all(all.map(({ written }) => written))).toEqual([1, 2, 3]);
  });

  it('sends a full group without waiting for its time', async () => {
    const store = fakeStore();
    store.open();
    const writes = new DocumentWrites({ store, folderId: 1, signal: never });
    const count = indexing.groupDocuments + 1;
    for (let number = 0; number < count; number += 1) await writes.add(readFile(`${number}`));
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.groups.map((group) => group.length)).toEqual([1, indexing.groupDocuments]);
  });

  it('holds readers back while too many documents are unwritten', async () => {
    const store = fakeStore();
    const writes = new DocumentWrites({ store, folderId: 1, signal: never });
    for (let number = 0; number < indexing.maxUnwritten; number += 1) await writes.add(readFile(`${number}`));
    let isTaken = false;
    const one = writes.add(readFile('one more')).then(() => {
      isTaken = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isTaken).toBe(false);
    store.open();
    await one;
    await writes.drain();
    expect(store.groups.flat()).toHaveLength(indexing.maxUnwritten + 1);
  });

  it('holds readers back while too many bytes are unwritten', async () => {
    const store = fakeStore();
    const writes = new DocumentWrites({ store, folderId: 1, signal: never });
    const large = (name: string): ReadFile => ({
      ...readFile(name),
      rest: { packed: new Uint8Array(indexing.maxUnwrittenBytes / 2) },
    });
    for (const name of ['a', 'b']) await writes.add(large(name));
    let isTaken = false;
    const third = writes.add(readFile('c')).then(() => {
      isTaken = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isTaken).toBe(false);
    store.open();
    await third;
    await writes.drain();
    expect(store.groups.flat()).toHaveLength(3);
  });

  it('gives each document the vectors of its own chunks', async () => {
    const store = fakeStore();
    store.open();
    const writes = new DocumentWrites({ store, folderId: 1, signal: never, embedder });
    await writes.add(readFile('first', featuresOf(1)));
    await writes.add(readFile('second', featuresOf(2, 3)));
    await writes.add(readFile('nothing'));
    await writes.add({
      file: { path: 'failed', sizeBytes: 1, modifiedAtMs: 1 },
      failure: { reason: 'empty', message: '' },
    });
    await writes.add(readFile('last', featuresOf(4)));
    await writes.drain();
    const vectors = store.groups.flat().map((document) => 'finished' in document && document.vectors);
    expect(vectors.map((found) => (found ? [...found.values] : undefined))).toEqual([
      [1],
      [2, 3],
      undefined,
      undefined,
      [4],
    ]);
  });

  it('goes on without vectors once the embedder failed, and asks it no more', async () => {
    const store = fakeStore();
    store.open();
    let calls = 0;
    const failing: PassageEmbedder = {
      ...embedder,
      embedFeatures: () => {
        calls += 1;
        return Promise.reject(new Error('gone'));
      },
    };
    const writes = new DocumentWrites({ store, folderId: 1, signal: never, embedder: failing });
    expect(writes.features).toBeDefined();
    for (const name of ['a', 'b']) await writes.add(readFile(name, featuresOf(1)));
    await writes.drain();
    expect(store.groups.flat().map((document) => 'finished' in document && document.vectors)).toEqual([
      undefined,
      undefined,
    ]);
    expect(calls).toBe(1);
    expect(writes.features).toBeUndefined();
  });

  it('gives up what is not written when it is cancelled', async () => {
    const store = fakeStore();
    store.open();
    const cancel = new AbortController();
    const writes = new DocumentWrites({ store, folderId: 1, signal: cancel.signal });
    const first = await writes.add(readFile('a'));
    await first.written;
    const second = await writes.add(readFile('b'));
    cancel.abort(new Error('enough'));
    await writes.drain();
    await expect(second.written).rejects.toThrow('enough');
    expect(store.groups.map(namesOf)).toEqual([['a']]);
  });

  it('tells every document of a group that it was not written', async () => {
    const writes = new DocumentWrites({
      store: {
        appendBatch: async () => undefined,
        writeDocuments: () => Promise.reject(new Error('disk full')),
      },
      folderId: 1,
      signal: never,
    });
    const { written } = await writes.add(readFile('a'));
    await writes.drain();
    await expect(written).rejects.toThrow('disk full');
  });
});
