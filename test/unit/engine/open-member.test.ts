import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { members as limits } from '../../../src/engine/config.ts';
import { sourceEntries } from '../../../src/engine/entries.ts';
import { indexFolder } from '../../../src/engine/index-folder.ts';
import { isChanged, locate } from '../../../src/engine/locate.ts';
import { MemberFiles } from '../../../src/engine/member-files.ts';
import { documentFile, openDocument } from '../../../src/engine/open-document.ts';
import { ParsePool } from '../../../src/engine/parse-pool.ts';
import { serveDocument } from '../../../src/engine/serve-document.ts';
import { Store } from '../../../src/engine/store/store.ts';

let folder: string;
let library: string;
let store: Store;
let pool: ParsePool;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-folder-'));
  library = await mkdtemp(path.join(tmpdir(), 'lectern-library-'));
  store = await Store.open({ path: path.join(library, 'library.db'), entries: sourceEntries });
  pool = new ParsePool({ entry: sourceEntries.indexWorker, membersFolder: path.join(library, 'members') });
  await store.addFolder(folder, 'folder');
});

afterEach(async () => {
  await pool.close();
  await store.close();
  for (const at of [folder, library]) await rm(at, { recursive: true, force: true });
});

async function index(files: Record<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
  const [known] = await store.folders();
  await indexFolder({ store, pool, folder: known! });
}

async function idOf(at: string): Promise<number> {
  return (await store.documentByPath(at))!.id;
}

const parts = () => ({ store, pool, cachePath: path.join(library, 'cache') });
const inner = (text: string) => zipSync({ 'note.md': strToU8(text) });

describe('a document inside another', { timeout: 60_000 }, () => {
  it('opens as any file does, from a copy that nobody can change', async () => {
    await index({ 'a.zip': zipSync({ 'sub/in.zip': inner('# Oak\n\nCasks are toasted.\n') }) });
    const id = await idOf('a.zip » sub/in.zip » note.md');
    const opened = await openDocument(parts(), id, 'original');
    expect(opened).toMatchObject({ name: 'note.md', type: 'text/plain', sizeBytes: 26 });
    expect(await readFile(opened.path, 'utf8')).toBe('# Oak\n\nCasks are toasted.\n');
    expect((await stat(opened.path)).mode & 0o222).toBe(0);
    expect(path.basename(opened.path)).toBe('note.md');
    const view = await openDocument(parts(), id, 'view');
    expect(await readFile(view.path, 'utf8')).toContain('Casks are toasted.');
    const served = await serveDocument(
      { openDocument: (wanted, part) => openDocument(parts(), wanted, part) },
      { method: 'GET', pathname: `/documents/${id}/original`, range: 'bytes=7-11' },
    );
    expect([served!.status, await served!.text()]).toEqual([206, 'Casks']);
  });

  it('says where it is, and that it is as it was indexed', async () => {
    await index({ 'a.zip': zipSync({ 'in.zip': inner('# Oak\n\nCasks are toasted.\n') }) });
    const id = await idOf('note.md');
    const file = await documentFile(parts(), id);
    expect(file.shownPath).toBe(`${path.join(folder, 'a.zip')} » in.zip » note.md`);
    expect(file.modifiedAtMs).toBe(file.row.modifiedAtMs);
    expect(await isChanged(store, file)).toBe(false);
    expect(await locate(parts(), id, 4, 9)).toMatchObject({ state: 'same', quote: 'Casks' });
  });

  it('is found again by its words when its container changed, and missed when it is gone', async () => {
    await index({ 'a.zip': zipSync({ 'note.md': strToU8('# Oak\n\nCasks are toasted.\n') }) });
    const id = await idOf('note.md');
    await documentFile(parts(), id);
    await writeFile(
      path.join(folder, 'a.zip'),
      zipSync({ 'note.md': strToU8('# Oak\n\nFirst of all, casks. Casks are toasted.\n') }),
    );
    expect(await locate(parts(), id, 4, 22)).toMatchObject({ state: 'moved', quote: 'Casks are toasted.' });
    await writeFile(path.join(folder, 'a.zip'), zipSync({ 'other.md': strToU8('x\n') }));
    await expect(documentFile(parts(), id)).rejects.toThrow(/no longer in a\.zip/);
    await rm(path.join(folder, 'a.zip'));
    await expect(documentFile(parts(), id)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });

  it('is listed in the view of what holds it', async () => {
    await index({ 'a.zip': zipSync({ 'sub/one & two.txt': strToU8('One.\n') }) });
    const view = await openDocument(parts(), await idOf('a.zip'), 'view');
    expect(await readFile(view.path, 'utf8')).toContain(
      'data-member="sub/one &amp; two.txt"><span data-block="b1">sub/one &amp; two.txt</span>',
    );
  });
});

describe('copies of members', () => {
  it('are kept while there is room, the last used ones longest', async () => {
    const at = path.join(library, 'members');
    const third = Math.floor(limits.maxOpenedBytes / 3);
    let unpacked = 0;
    const files = new MemberFiles(at, async (_file, _member, target) => {
      unpacked += 1;
      await writeFile(target, '');
      await truncate(target, third);
      return { contentHash: '' };
    });
    await writeFile(path.join(folder, 'a.zip'), '');
    const outer = { path: path.join(folder, 'a.zip'), sizeBytes: 0, modifiedAtMs: 0 };
    const open = (name: string) => files.open(outer, [name], { contentHash: undefined, modifiedAtMs: 0 });
    const names = Array.from({ length: 8 }, (_, number) => `${number}.bin`);
    for (const name of names) {
      await open(name);
      await open('0.bin');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await readdir(path.join(at, 'opened'))).length).toBeLessThanOrEqual(limits.maxDepth + 1);
    const before = unpacked;
    await open('0.bin');
    await open('7.bin');
    expect(unpacked).toBe(before);
    await open('1.bin');
    expect(unpacked).toBe(before + 1);
    await files.close();
  });

  it('of names that no file system takes have one that all take', async () => {
    const at = path.join(library, 'members');
    const files = new MemberFiles(at, async (_file, _member, target) => {
      await writeFile(target, 'x');
      return { contentHash: '' };
    });
    await writeFile(path.join(folder, 'a.zip'), '');
    const outer = { path: path.join(folder, 'a.zip'), sizeBytes: 0, modifiedAtMs: 0 };
    for (const name of [`${'я'.repeat(600)}.docx`, 'con.txt', 'a:b?*.pdf', '👍'.repeat(300), ' . ', 'x/..']) {
      const opened = await files.open(outer, [name], { contentHash: undefined, modifiedAtMs: 0 });
      const base = path.basename(opened.path);
      expect(Buffer.byteLength(base)).toBeLessThanOrEqual(255);
      expect(base).not.toMatch(/[<>:"/\\|?*]|^(con|\.*)(\.|$)/u);
      expect(opened.path.startsWith(path.join(at, 'opened'))).toBe(true);
    }
    await files.close();
  });
});
