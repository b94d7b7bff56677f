import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { checkIntegrity } from '../../src/engine/store/check-integrity.ts';
import { migrate, migrations } from '../../src/engine/store/migrate.ts';
import { addDocument, ask, openLibrary, temporaryLibrary } from './library.ts';

const writingProcess = fileURLToPath(new URL('./writing-process.ts', import.meta.url));

describe('migrations', () => {
  it.each([0, ...migrations.slice(0, -1).map((step) => step.version)])(
    'lead from version %i to the newest',
    (from) => {
      const db = new Database(':memory:');
      migrate(db, ':memory:', migrations.slice(0, from));
      migrate(db, ':memory:');
      expect(db.pragma('user_version', { simple: true })).toBe(migrations.at(-1)!.version);
      migrate(db, ':memory:');
      expect(checkIntegrity(db).isWhole).toBe(true);
    },
  );

  it('keep what a library of version 1 holds, and give it what came later', async () => {
    const file = temporaryLibrary();
    const old = new Database(file);
    migrate(old, file, migrations.slice(0, 1));
    old.exec(`INSERT INTO folders (path, name) VALUES ('/data', 'data');
      INSERT INTO documents (folder_id, path, is_visible, title, day, size_bytes, modified_at_ms, parser_version)
        VALUES (1, 'old.txt', 1, 'Old', '2024-01-01', 1, 1, 1)`);
    old.close();
    const store = await openLibrary(file);
    expect((await store.documents({ limit: 9, offset: 0 })).rows).toMatchObject([
      { path: 'old.txt', title: 'Old' },
    ]);
    expect(await store.exclusions({})).toEqual([]);
    expect(await store.coverage()).toMatchObject({ searched: 1, total: 1, partly: 0 });
    await store.countAsked([1]);
    const id = await addDocument(store, 1, { path: 'new.txt', paragraphs: ['fresh words'] });
    expect(await store.documentsWithoutVectors('f:1', 9)).toEqual([id]);
    await store.close();
  });

  it('undo a step that fails as a whole', () => {
    const db = new Database(':memory:');
    const broken = { version: 1, sql: 'CREATE TABLE half (id INTEGER); CREATE TABLE half (id INTEGER)' };
    expect(() => migrate(db, ':memory:', [broken])).toThrow('already exists');
    expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
  });
});

describe('opening a library', () => {
  it('refuses one written by a newer Lectern and leaves every byte', async () => {
    const file = temporaryLibrary();
    const db = new Database(file);
    db.exec('CREATE TABLE future (x)');
    db.pragma('user_version = 999');
    db.close();
    const before = readFileSync(file);
    await expect(openLibrary(file)).rejects.toMatchObject({ code: 'LIBRARY_NEWER' });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('sets a damaged one aside and begins anew', async () => {
    const file = temporaryLibrary();
    writeFileSync(file, 'this is no database, but somebody may want it back');
    const store = await openLibrary(file);
    expect(readFileSync(store.setAside!, 'utf8')).toContain('want it back');
    expect(await store.folders()).toEqual([]);
    await store.close();
  });

  it('is refused while another process has it, and granted when that one was killed', async () => {
    const file = temporaryLibrary();
    const child = spawn(process.execPath, [writingProcess, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(openLibrary(file)).rejects.toMatchObject({ code: 'LIBRARY_BUSY' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await openLibrary(file)).close();
  });

  it('finds whole documents only after a kill in mid-write', { timeout: 180_000 }, async () => {
    const file = temporaryLibrary();
    for (const afterMs of [5, 80]) {
      const child = spawn(process.execPath, [writingProcess, file], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      child.kill('SIGKILL');
      await once(child, 'exit');
      const store = await openLibrary(file);
      const { rows } = await store.documents({ limit: 1000, offset: 0 });
      for (const row of rows) expect(await store.chunksByOrdinal(row.id, 0, 999)).toHaveLength(40);
      await store.close();
      const db = new Database(file);
      expect(checkIntegrity(db)).toMatchObject({ isWhole: true, unfinished: 0 });
      db.close();
    }
  });

  it('keeps what was there', async () => {
    const file = temporaryLibrary();
    const first = await openLibrary(file);
    const folder = await first.addFolder('/data', 'data');
    await addDocument(first, folder, { path: 'a.txt', paragraphs: ['lasting'] });
    await first.setSetting('theme', 'dark');
    await first.optimise();
    await first.close();
    await expect(first.folders()).rejects.toMatchObject({ code: 'ENGINE_GONE' });
    expect(existsSync(`${file}-wal`)).toBe(false);
    const second = await openLibrary(file);
    expect((await second.keywordCandidates(ask('last'), undefined, 5)).candidates).toHaveLength(1);
    expect(await second.setting('theme')).toBe('dark');
    await second.close();
  });
});
