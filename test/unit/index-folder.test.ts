import { renameSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IndexProgress } from '../../src/api/types.ts';
import { files as limits } from '../../src/engine/config.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { type IndexFolderOptions, indexFolder, readOne } from '../../src/engine/index-folder.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import { Store } from '../../src/engine/store/store.ts';

let folder: string;
let library: string;
let store: Store;
let folderId: number;
let pool: ParsePool;

beforeAll(() => {
  pool = new ParsePool({ entry: sourceEntries.indexWorker });
});

afterAll(() => pool.close());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-folder-'));
  library = await mkdtemp(path.join(tmpdir(), 'lectern-library-'));
  store = await Store.open({ path: path.join(library, 'library.db'), entries: sourceEntries });
  folderId = await store.addFolder(folder, 'folder');
});

afterEach(async () => {
  await store.close();
  for (const at of [folder, library]) await rm(at, { recursive: true, force: true });
});

async function lay(files: Record<string, string>): Promise<void> {
  for (const [relative, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, relative)), { recursive: true });
    await writeFile(path.join(folder, relative), content);
  }
}

async function run(options: Partial<IndexFolderOptions> = {}) {
  const [known] = await store.folders();
  return indexFolder({ store, pool, folder: known!, ...options });
}

async function rows(state?: 'indexed' | 'failed' | 'waiting') {
  const found = await store.documents({ ...(state ? { state } : {}), limit: 1000, offset: 0 });
  return found.rows.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function textOf(relative: string): Promise<string> {
  const row = (await rows()).find((candidate) => candidate.path === relative);
  const blocks = await store.blocks(row!.id, 0, 1_000_000);
  return blocks.map((block) => block.text).join('');
}

/** Moves a file's time, as saving it does. */
async function touch(relative: string, seconds: number): Promise<void> {
  const full = path.join(folder, relative);
  const at = (await stat(full)).mtimeMs / 1000 + seconds;
  await utimes(full, at, at);
}

describe('indexFolder', { timeout: 60_000 }, () => {
  it('says so in one sentence when the whole folder goes away while it is read', async () => {
    const names = Array.from({ length: 400 }, (_, index) => [
      `${index}.txt`,
      `Paper ${index} about mills.\n`,
    ]);
    await lay(Object.fromEntries(names));
    let isMoved = false;
    const running = run({
      onProgress: ({ processed }) => {
        if (processed === 0 || isMoved) return;
        isMoved = true;
        renameSync(folder, `${folder}-away`);
      },
    });
    await expect(running).rejects.toThrow(/went away/);
    expect((await rows('failed')).length).toBeLessThan(20);
    await rename(`${folder}-away`, folder);
    expect(await run()).toMatchObject({ documents: 400, failed: 0 });
  });

  it('reads every document and makes it findable', async () => {
    await lay({ 'a.txt': 'The harbour closes at nine.\n', 'b/c.md': '# Notes\n\nLighthouses are tall.\n' });
    expect(await run()).toMatchObject({ documents: 2, indexed: 2, unchanged: 0, failed: 0, removed: 0 });
    expect((await rows()).map((row) => [row.path, row.state, row.kind, row.title])).toEqual([
      ['a.txt', 'indexed', 'text', 'a'],
      ['b/c.md', 'indexed', 'markdown', 'Notes'],
    ]);
    const { candidates } = await store.keywordCandidates(
      { terms: [{ word: 'lighthouses', stems: ['lighthous'] }] },
      undefined,
      10,
    );
    expect(candidates.length).toBeGreaterThan(0);
    expect((await store.folders())[0]).toMatchObject({
      isUnreachable: false,
      indexedAtMs: expect.any(Number),
    });
  });

  it('does nothing the second time', async () => {
    await lay({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'empty.txt': '' });
    await run();
    const before = await store.generation();
    expect(await run()).toMatchObject({
      documents: 3,
      indexed: 0,
      unchanged: 2,
      failed: 1,
      removed: 0,
      bytes: 0,
    });
    expect(await store.generation()).toBe(before);
  });

  it('reads changed content again, and keeps what is only newer', async () => {
    await lay({ 'changed.txt': 'before\n', 'touched.txt': 'same\n', 'kept.txt': 'kept\n' });
    await run();
    const [, , touched] = await rows();
    await lay({ 'changed.txt': 'after!\n' });
    await touch('changed.txt', 60);
    await touch('touched.txt', 60);
    expect(await run()).toMatchObject({ indexed: 1, unchanged: 2, failed: 0 });
    expect(await textOf('changed.txt')).toBe('after!\n');
    const [, , now] = await rows();
    expect(now!.id).toBe(touched!.id);
    expect(now!.modifiedAtMs).toBe(touched!.modifiedAtMs + 60_000);
    expect(await run()).toMatchObject({ indexed: 0, unchanged: 3 });
  });

  it('forgets what is gone, and follows a new name', async () => {
    await lay({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'sub/c.txt': 'three\n' });
    await run();
    await rm(path.join(folder, 'sub'), { recursive: true });
    await rename(path.join(folder, 'a.txt'), path.join(folder, 'z.txt'));
    expect(await run()).toMatchObject({ documents: 2, indexed: 1, unchanged: 1, removed: 2 });
    expect((await rows()).map((row) => row.path)).toEqual(['b.txt', 'z.txt']);
  });

  it('reads everything again by force, and after the parser changed', async () => {
    await lay({ 'a.txt': 'one\n', 'empty.txt': '' });
    await run();
    expect(await run({ force: true })).toMatchObject({ indexed: 1, failed: 1, unchanged: 0 });
    const older: typeof store = {
      ...store,
      knownFiles: async (...args) =>
        (await store.knownFiles(...args)).map((file) => ({ ...file, parserVersion: 0 })),
    };
    expect(await run({ store: older })).toMatchObject({ indexed: 1, failed: 1, unchanged: 0 });
  });

  it('does not read a failed file again until it changes or is retried', async () => {
    await lay({ 'a.txt': '' });
    await run();
    let reads = 0;
    const counting = Object.assign(Object.create(pool) as ParsePool, {
      index: (...args: Parameters<ParsePool['index']>) => {
        reads += 1;
        return pool.index(...args);
      },
    });
    expect(await run({ pool: counting })).toMatchObject({ failed: 1 });
    expect(reads).toBe(0);
    await readOne({ store, pool: counting, folder: { id: folderId, path: folder }, path: 'a.txt' });
    expect(reads).toBe(1);
    await lay({ 'a.txt': 'words at last\n' });
    expect(await run({ pool: counting })).toMatchObject({ indexed: 1, failed: 0 });
  });

  it('leaves whole documents only when it is cancelled, and goes on from there', async () => {
    const names = Array.from({ length: 200 }, (_, number) => `${number}.txt`);
    await lay(Object.fromEntries(names.map((name) => [name, `Text of ${name}\n`.repeat(200)])));
    const controller = new AbortController();
    const phases: string[] = [];
    const cancelled = run({
      signal: controller.signal,
      onProgress: (progress) => {
        phases.push(progress.phase);
        if (progress.processed > 5) controller.abort();
      },
    });
    await expect(cancelled).rejects.toThrow('aborted');
    expect(phases.at(-1)).toBe('cancelled');
    const kept = await rows();
    expect(kept.length).toBeLessThan(200);
    for (const row of kept) expect(await textOf(row.path)).toBe(`Text of ${row.path}\n`.repeat(200));
    expect(await run()).toMatchObject({ documents: 200, unchanged: kept.length, indexed: 200 - kept.length });
  });

  it('keeps the documents of a folder that is away', async () => {
    await lay({ 'a.txt': 'one\n' });
    await run();
    await rename(folder, `${folder}-away`);
    await expect(run()).rejects.toMatchObject({ code: 'FOLDER_NOT_FOUND' });
    expect(await rows()).toHaveLength(1);
    expect((await store.folders())[0]!.isUnreachable).toBe(true);
    await rename(`${folder}-away`, folder);
    expect(await run()).toMatchObject({ unchanged: 1 });
    expect((await store.folders())[0]!.isUnreachable).toBe(false);
  });

  it('takes an empty place for a drive that is away, unless its files were deleted there', async () => {
    await lay({ 'a.txt': 'one\n' });
    await run();
    const drive = `${folder}-drive`;
    await rename(folder, drive);
    await mkdir(folder);
    const hourAgo = Date.now() / 1000 - 3600;
    await utimes(folder, hourAgo, hourAgo);
    await expect(run()).rejects.toMatchObject({ code: 'FOLDER_NOT_FOUND' });
    expect(await rows()).toHaveLength(1);
    await rm(folder, { recursive: true });
    await rename(drive, folder);
    await rm(path.join(folder, 'a.txt'));
    expect(await run()).toMatchObject({ removed: 1, documents: 0 });
  });

  it('tells its progress seldom, and its end always', async () => {
    await lay(Object.fromEntries(Array.from({ length: 300 }, (_, number) => [`${number}.txt`, 'text\n'])));
    const told: (IndexProgress & { at: number })[] = [];
    await run({ onProgress: (progress) => told.push({ ...progress, at: performance.now() }) });
    const steps = told.slice(1).map((progress, index) => progress.at - told[index]!.at);
    // The phases of the end come at once; all others keep their distance.
    expect(steps.slice(0, -3).every((step) => step > 140)).toBe(true);
    expect(told.at(-1)).toMatchObject({ phase: 'done', found: 300, processed: 300, failed: 0, current: [] });
  });

  it('ends with the error of the store, and nothing half written stays', async () => {
    await lay({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const full: typeof store = { ...store, writeDocuments: () => Promise.reject(new Error('disk full')) };
    await expect(run({ store: full })).rejects.toThrow('disk full');
    expect(await rows()).toEqual([]);
    expect(await run()).toMatchObject({ indexed: 2 });
  });

  it('reads a document under the folder only', async () => {
    const missing = readOne({ store, pool, folder: { id: folderId, path: folder }, path: 'none.txt' });
    await expect(missing).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('what a folder leaves out', { timeout: 60_000 }, () => {
  it('is remembered with its reason, follows the folder, and is no failure and no document', async () => {
    await lay({
      'a.txt': 'one\n',
      '.git/config': 'x',
      'drafts/b.txt': 'two\n',
      '.lecternignore': 'drafts/\n',
    });
    expect(await run()).toMatchObject({ documents: 1, indexed: 1, failed: 0 });
    const left = async () => (await store.exclusions({})).map(({ path: at, reason }) => `${at} ${reason}`);
    expect(await left()).toEqual(['.git/ hidden', '.lecternignore hidden', 'drafts/ ignored']);
    await rm(path.join(folder, '.lecternignore'));
    expect(await run()).toMatchObject({ documents: 2, indexed: 1, unchanged: 1, failed: 0 });
    expect(await left()).toEqual(['.git/ hidden']);
  });

  it('names no more than the limit', async () => {
    await lay({ 'a.txt': 'one\n' });
    await Promise.all(
      Array.from({ length: limits.maxExclusions + 5 }, (_, index) =>
        writeFile(path.join(folder, `.${index}`), ''),
      ),
    );
    expect(await run()).toMatchObject({ documents: 1, failed: 0 });
    expect(await store.exclusions({})).toHaveLength(limits.maxExclusions);
  });
});
