import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IndexProgress } from '../../src/api/types.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { type IndexFolderOptions, indexFolder, readOne } from '../../src/engine/index-folder.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import { Store } from '../../src/engine/store/store.ts';

let folder: string;
let library: string;
let members: string;
let store: Store;
let pool: ParsePool;

beforeAll(async () => {
  members = await mkdtemp(path.join(tmpdir(), 'lectern-members-'));
  pool = new ParsePool({ entry: sourceEntries.indexWorker, membersFolder: members });
});

afterAll(async () => {
  await pool.close();
  await rm(members, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-folder-'));
  library = await mkdtemp(path.join(tmpdir(), 'lectern-library-'));
  store = await Store.open({ path: path.join(library, 'library.db'), entries: sourceEntries });
  await store.addFolder(folder, 'folder');
});

afterEach(async () => {
  await store.close();
  for (const at of [folder, library]) await rm(at, { recursive: true, force: true });
});

type Tree = { [name: string]: string | Tree };

/** Objects are archives, strings texts. */
function zip(tree: Tree): Uint8Array {
  const time = { mtime: new Date('2024-05-06T07:08:10') };
  const entries = Object.entries(tree).map(([name, content]) => {
    const bytes = typeof content === 'string' ? strToU8(content) : zip(content);
    return [name, [bytes, time]] as const;
  });
  return zipSync(Object.fromEntries(entries) as unknown as Zippable);
}

async function lay(files: Record<string, string | Tree>): Promise<void> {
  for (const [relative, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, relative)), { recursive: true });
    await writeFile(path.join(folder, relative), typeof content === 'string' ? content : zip(content));
  }
}

async function run(options: Partial<IndexFolderOptions> = {}) {
  const [known] = await store.folders();
  return indexFolder({ store, pool, folder: known!, ...options });
}

async function rows() {
  const found = await store.documents({ limit: 1000, offset: 0 });
  return found.rows.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const paths = async () => (await rows()).map((row) => row.path);
const idOf = async (at: string) => (await rows()).find((row) => row.path === at)!.id;

async function textOf(at: string): Promise<string> {
  const blocks = await store.blocks(await idOf(at), 0, 1_000_000);
  return blocks.map((block) => block.text).join('');
}

async function touch(relative: string, seconds: number): Promise<void> {
  const full = path.join(folder, relative);
  const at = (await stat(full)).mtimeMs / 1000 + seconds;
  await utimes(full, at, at);
}

/** What is left of members that were read. */
const scratch = async () =>
  (await readdir(members, { recursive: true })).filter((name) => /^reading-.*[/\\]/.test(name));

describe('documents inside documents', { timeout: 60_000 }, () => {
  const nested = {
    'a.zip': {
      'one.txt': 'Barley is malted.\n',
      'sub/two.md': '# Kilns\n\nPeat smoulders.\n',
      'in.zip': { 'three.txt': 'Casks of oak.\n' },
    },
    'plain.txt': 'No document inside.\n',
  };

  it('become documents of their own, however deep', async () => {
    await lay(nested);
    expect(await run()).toMatchObject({ documents: 6, indexed: 6, failed: 0, removed: 0 });
    expect((await rows()).map((row) => [row.path, row.kind, row.title, row.container])).toEqual([
      ['a.zip', 'archive', 'a', undefined],
      ['a.zip » in.zip', 'archive', 'in', 'a.zip'],
      ['a.zip » in.zip » three.txt', 'text', 'three', 'a.zip'],
      ['a.zip » one.txt', 'text', 'one', 'a.zip'],
      ['a.zip » sub/two.md', 'markdown', 'Kilns', 'a.zip'],
      ['plain.txt', 'text', 'plain', undefined],
    ]);
    expect(await textOf('a.zip » in.zip » three.txt')).toBe('Casks of oak.\n');
    expect(await textOf('a.zip')).toBe('one.txt\nsub/two.md\nin.zip\n');
    expect(await scratch()).toEqual([]);
    const scope = { path: 'a.zip' };
    expect((await store.counts(scope)).indexed).toBe(5);
    expect((await store.counts({ pathPart: 'in.zip' })).indexed).toBe(2);
    expect((await store.documentByPath('three.txt'))?.path).toBe('a.zip » in.zip » three.txt');
  });

  it('are as they were while their file is, which is not unpacked again', async () => {
    await lay(nested);
    await run();
    const before = await store.generation();
    expect(await run()).toMatchObject({ documents: 6, indexed: 0, unchanged: 6, removed: 0 });
    await touch('a.zip', 60);
    expect(await run()).toMatchObject({ documents: 6, indexed: 0, unchanged: 6, removed: 0 });
    expect(await store.generation()).toBe(before);
  });

  it('are read again where their own content changed, and go with it', async () => {
    await lay(nested);
    await run();
    const kept = [await idOf('a.zip » one.txt'), await idOf('a.zip » in.zip » three.txt')];
    await lay({ 'a.zip': { ...nested['a.zip'], 'sub/two.md': '# Stills\n', 'new.txt': 'Copper.\n' } });
    await touch('a.zip', 60);
    expect(await run()).toMatchObject({ documents: 7, indexed: 3, unchanged: 4, removed: 0 });
    expect([await idOf('a.zip » one.txt'), await idOf('a.zip » in.zip » three.txt')]).toEqual(kept);
    expect(await textOf('a.zip » sub/two.md')).toBe('Stills\n');
    await lay({ 'a.zip': { 'one.txt': 'Barley is malted.\n' } });
    await touch('a.zip', 120);
    expect(await run()).toMatchObject({ documents: 3, indexed: 1, unchanged: 2, removed: 4 });
    expect(await paths()).toEqual(['a.zip', 'a.zip » one.txt', 'plain.txt']);
    await rm(path.join(folder, 'a.zip'));
    expect(await run()).toMatchObject({ documents: 1, removed: 2 });
    expect(await paths()).toEqual(['plain.txt']);
  });

  it('follow their file to a new name, and leave with what takes its place', async () => {
    await lay(nested);
    await run();
    await rename(path.join(folder, 'a.zip'), path.join(folder, 'b.zip'));
    await run();
    expect(await paths()).toEqual([
      'b.zip',
      'b.zip » in.zip',
      'b.zip » in.zip » three.txt',
      'b.zip » one.txt',
      'b.zip » sub/two.md',
      'plain.txt',
    ]);
    await lay({ 'b.zip': 'A text under a name that lies.\n' });
    await run();
    expect(await paths()).toEqual(['b.zip', 'plain.txt']);
  });

  it('fail alone, with their reason', async () => {
    await lay({ 'a.zip': { 'bad.pdf': '%PDF-1.4\nnothing\n', 'empty.txt': '', 'good.txt': 'Fine.\n' } });
    expect(await run()).toMatchObject({ documents: 4, indexed: 2, failed: 2 });
    expect((await rows()).map((row) => [row.path, row.state, row.reason])).toEqual([
      ['a.zip', 'indexed', undefined],
      ['a.zip » bad.pdf', 'failed', 'damaged'],
      ['a.zip » empty.txt', 'failed', 'empty'],
      ['a.zip » good.txt', 'indexed', undefined],
    ]);
    expect(await run()).toMatchObject({ documents: 4, unchanged: 2, failed: 2 });
  });

  it('are left alone where folders would be: hidden ones and those of systems', async () => {
    await lay({
      'a.zip': { '__MACOSX/._one.txt': 'x', '.git/config': 'x', 'b/Thumbs.db': 'x', 'one.txt': 'One.\n' },
    });
    await run();
    expect(await paths()).toEqual(['a.zip', 'a.zip » one.txt']);
    expect(await textOf('a.zip')).not.toMatch(/git|MACOSX/);
  });

  it('of an archived file are archived', async () => {
    await lay({
      'Archive/a.zip': { 'one.txt': 'One.\n' },
      'b.zip': { 'archiv/two.txt': 'Two.\n', 'three.txt': 'x\n' },
    });
    await run();
    expect((await rows()).filter((row) => row.isArchived).map((row) => row.path)).toEqual([
      'Archive/a.zip',
      'Archive/a.zip » one.txt',
      'b.zip » archiv/two.txt',
    ]);
  });

  it('nest to a limit, which is said', async () => {
    let tree: Tree = { 'deep.txt': 'Deep.\n' };
    for (let depth = 0; depth < 7; depth += 1) tree = { [`${depth}.zip`]: tree };
    await lay({ 'a.zip': tree });
    await run();
    const last = (await rows()).at(-1)!;
    expect(last.path).toBe('a.zip » 6.zip » 5.zip » 4.zip » 3.zip');
    expect(last.warnings).toMatchObject([
      { code: 'too-large', message: expect.stringContaining('stands in 4 others') },
    ]);
  });

  it('are counted while they are read', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => [`${index}.txt`, `Note ${index}.\n`]);
    await lay({ 'a.zip': Object.fromEntries(texts) });
    const seen: IndexProgress[] = [];
    const summary = await run({ onProgress: (progress) => seen.push(progress) });
    expect(summary).toMatchObject({ documents: 301, indexed: 301 });
    expect(seen.at(-1)).toMatchObject({ phase: 'done', found: 301, processed: 301 });
    for (const { found, processed } of seen) expect(processed).toBeLessThanOrEqual(found);
  });

  it('of a run that was cancelled are read by the next', async () => {
    const texts = Array.from({ length: 400 }, (_, index) => [`${index}.txt`, `Note ${index}.\n`]);
    await lay({ 'a.zip': Object.fromEntries(texts) });
    const controller = new AbortController();
    const running = run({
      signal: controller.signal,
      onProgress: ({ processed }) => processed > 5 && controller.abort(),
    });
    await expect(running).rejects.toThrow();
    expect(await paths()).not.toContain('a.zip');
    expect(await scratch()).toEqual([]);
    expect(await run()).toMatchObject({ documents: 401, failed: 0 });
    expect(await run()).toMatchObject({ documents: 401, unchanged: 401 });
  });

  it('can be read again one by one', async () => {
    await lay(nested);
    await run();
    const [known] = await store.folders();
    for (const at of ['a.zip » in.zip » three.txt', 'a.zip » in.zip', 'a.zip']) {
      const before = await rows();
      const container = at === 'a.zip' ? undefined : 'a.zip';
      const id = await readOne({ store, pool, folder: known!, path: at, container });
      expect(await idOf(at)).toBe(id);
      expect((await rows()).map((row) => row.path)).toEqual(before.map((row) => row.path));
    }
    expect(await run()).toMatchObject({ documents: 6, unchanged: 6 });
  });
});
