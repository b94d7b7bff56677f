import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/store/store.ts';
import { openLibrary, packedOf, temporaryLibrary } from './library.ts';

let store: Store;
let folder: number;

beforeEach(async () => {
  store = await openLibrary(temporaryLibrary());
  folder = await store.addFolder('/data', 'data');
});

afterEach(() => store.close());

async function add(path: string, container?: string): Promise<number> {
  const file = { path, sizeBytes: 1, modifiedAtMs: 0, ...(container === undefined ? {} : { container }) };
  const id = await store.beginDocument(folder, file);
  await store.appendBatch(id, packedOf([`words of ${path}`]));
  const metadata = { kind: 'text', title: path, language: 'en' } as const;
  await store.finishDocument(id, { metadata, contentHash: 'h', warnings: [], state: 'indexed' });
  return id;
}

async function fail(path: string, container: string): Promise<void> {
  const id = await store.beginDocument(folder, { path, sizeBytes: 0, modifiedAtMs: 0, container });
  await store.failDocument(id, { reason: 'encrypted', message: 'Locked.' });
}

describe('documents inside a file', () => {
  it('are told apart from files, and known by their file', async () => {
    await add('a.zip');
    await add('a.zip » one.txt', 'a.zip');
    await add('a.zip » in.zip » two.txt', 'a.zip');
    await fail('a.zip » locked.txt', 'a.zip');
    await add('b.zip » three.txt', 'b.zip');
    expect((await store.knownFiles(folder, 0, 10)).map(({ path }) => path)).toEqual(['a.zip']);
    const known = await store.knownMembers(folder, 'a.zip', 0, 2);
    expect(known.map(({ path }) => path)).toEqual(['a.zip » one.txt', 'a.zip » in.zip » two.txt']);
    const rest = await store.knownMembers(folder, 'a.zip', known.at(-1)!.documentId, 2);
    expect(rest).toMatchObject([{ path: 'a.zip » locked.txt', state: 'failed' }]);
    expect(await store.knownMembers(folder, '', 0, 10)).toEqual([]);
    expect(await store.memberCounts(folder, '', 1)).toEqual([{ container: 'a.zip', read: 2, failed: 1 }]);
    expect(await store.memberCounts(folder, 'a.zip', 9)).toEqual([
      { container: 'b.zip', read: 1, failed: 0 },
    ]);
  });

  it('are orphans once their file is gone, and only then', async () => {
    const file = await add('a.zip');
    const inside = [await add('a.zip » one.txt', 'a.zip'), await add('a.zip » in.zip » two.txt', 'a.zip')];
    expect(await store.orphans(folder, 10)).toEqual([]);
    await store.removeDocuments([file]);
    expect(new Set(await store.orphans(folder, 10))).toEqual(new Set(inside));
    expect(await store.orphans(folder, 1)).toHaveLength(1);
  });

  it('say which file holds them, and are found by their last name', async () => {
    await add('sub/a.zip » in.zip » folder/two.txt', 'sub/a.zip');
    expect(await store.documentByPath('two.txt')).toMatchObject({ container: 'sub/a.zip' });
    await add('sub/a.zip » three.txt', 'sub/a.zip');
    expect((await store.documentByPath('three.txt'))?.path).toBe('sub/a.zip » three.txt');
    expect((await store.counts({ path: 'sub/a.zip » in.zip' })).indexed).toBe(1);
    expect((await store.counts({ path: 'sub/a.zip' })).indexed).toBe(2);
  });

  it('let a document be read again whatever its file says', async () => {
    const id = await add('a.zip');
    await store.distrust(id);
    const [known] = await store.knownFiles(folder, 0, 10);
    expect(known).toMatchObject({ documentId: id, parserVersion: 0 });
    expect(known).not.toHaveProperty('contentHash');
    expect(await store.document(id)).toMatchObject({ state: 'indexed' });
  });
});
