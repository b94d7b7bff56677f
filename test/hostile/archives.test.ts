import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceEntries } from '../../src/engine/entries.ts';
import { indexFolder } from '../../src/engine/index-folder.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import { Store } from '../../src/engine/store/store.ts';
import { type Given, make7z, makeTar, makeZip } from '../unit/parse/archive/make-archives.ts';

const child = fileURLToPath(new URL('./index-child.ts', import.meta.url));
const kills = process.env.LECTERN_FULL ? 60 : 8;

let folder: string;
let library: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-archives-'));
  library = await mkdtemp(path.join(tmpdir(), 'lectern-archives-library-'));
});

afterEach(async () => {
  for (const at of [folder, library]) await rm(at, { recursive: true, force: true });
});

/** Reads the folder and tells state and reason of every document by its path. */
async function read() {
  const store = await Store.open({ path: path.join(library, 'library.db'), entries: sourceEntries });
  const membersFolder = path.join(library, 'members');
  const pool = new ParsePool({ entry: sourceEntries.indexWorker, membersFolder });
  try {
    if ((await store.folders()).length === 0) await store.addFolder(folder, 'folder');
    const started = performance.now();
    const summary = await indexFolder({ store, pool, folder: (await store.folders())[0]! });
    const elapsedMs = performance.now() - started;
    const { rows } = await store.documents({ limit: 1000, offset: 0 });
    const left = (await readdir(membersFolder, { recursive: true })).filter((name) =>
      /^reading-.*[/\\]/.test(name),
    );
    expect(left).toEqual([]);
    return { summary, rows, elapsedMs, states: rows.map((row) => [row.path, row.reason ?? row.state]) };
  } finally {
    await pool.close();
    await store.close();
  }
}

const text = (name: string): Given => ({ name, content: `The text of ${name}.\n` });

describe('hostile archives', { timeout: 120_000 }, () => {
  it('that unpack to a thousand times their size cost one file each', async () => {
    const bomb = { name: 'bomb.txt', content: Buffer.alloc(300_000_000), isDeflated: true };
    await writeFile(path.join(folder, 'a.zip'), makeZip([bomb, text('b.txt')]));
    await writeFile(
      path.join(folder, 'c.tar.gz'),
      gzipSync(makeTar([{ ...bomb, isDeflated: false }, text('d.txt')])),
    );
    const { states } = await read();
    expect(states).toEqual([
      ['a.zip', 'indexed'],
      ['a.zip » b.txt', 'indexed'],
      ['a.zip » bomb.txt', 'too-large'],
      ['c.tar.gz', 'indexed'],
      ['c.tar.gz » bomb.txt', 'too-large'],
    ]);
  });

  it('that hold themselves again and again end', async () => {
    let inner = makeZip([text('end.txt')]);
    for (let depth = 0; depth < 6; depth += 1) {
      const copies = [0, 1, 2].map((number) => ({ name: `${number}.zip`, content: inner }));
      inner = makeZip(copies);
    }
    await writeFile(path.join(folder, 'a.zip'), inner);
    const { rows } = await read();
    // Three in each of four that are opened; those of the fifth are not.
    expect(rows).toHaveLength(1 + 3 + 9 + 27 + 81);
    expect(rows.filter(({ warnings }) => warnings.length > 0)).toHaveLength(81);
  });

  it('with names that lead elsewhere write nothing there', async () => {
    const names = [
      '../../../tmp/lectern-escaped.txt',
      '/tmp/lectern-escaped.txt',
      'C:\\lectern-escaped.txt',
      'a\0b.txt',
    ];
    const long = [`${'я'.repeat(250)}.txt`, '👍.txt', 'con.txt', 'x'.repeat(255)];
    const given = [...names, ...long].map((name) => ({ ...text('x'), name, isUtf8: true }));
    await writeFile(path.join(folder, 'a.zip'), makeZip(given));
    const { summary } = await read();
    expect(summary).toMatchObject({ documents: 9, indexed: 9 });
    expect((await readdir(tmpdir())).filter((name) => name.includes('escaped'))).toEqual([]);
  });

  it('that are cut, lie or are locked leave a reason for each file', async () => {
    const files = [text('a.txt'), { ...text('b.txt'), isEncrypted: true }];
    await writeFile(path.join(folder, 'cut.7z'), make7z([text('a.txt')]).subarray(0, 60));
    await writeFile(path.join(folder, 'cut.tar'), makeTar([text('a.txt'), text('b.txt')]).subarray(0, 1300));
    await writeFile(path.join(folder, 'cut.zip'), makeZip(files).subarray(0, 90));
    await writeFile(path.join(folder, 'locked.zip'), makeZip(files));
    const { states, rows } = await read();
    expect(states).toEqual([
      ['cut.7z', 'damaged'],
      ['cut.tar', 'indexed'],
      ['cut.tar » a.txt', 'indexed'],
      ['cut.zip', 'damaged'],
      ['locked.zip', 'indexed'],
      ['locked.zip » a.txt', 'indexed'],
      ['locked.zip » b.txt', 'encrypted'],
    ]);
    expect(rows.find((row) => row.path === 'cut.tar')?.warnings).toMatchObject([{ code: 'damaged' }]);
  });

  it('never leave more than they are in the library when a run is killed', async () => {
    const count = 150;
    const versionOf = (sql: SQLite.Database, at: string): string | undefined =>
      sql
        .prepare<[string], string>(
          `SELECT group_concat(b.text, '') FROM documents d JOIN blocks b ON b.document_id = d.id
           WHERE d.path = ? AND d.is_visible = 1`,
        )
        .pluck()
        .get(at);
    let seen = 0;
    for (let version = 1; version <= kills; version += 1) {
      // A third changes each time, and some are new or gone.
      const files = Array.from({ length: count }, (_, number) => {
        const own = number % 3 === version % 3 ? version : 0;
        return { name: `${(number + version) % (count + 20)}.txt`, content: `version ${own}\n`.repeat(200) };
      });
      const bytes = makeZip([...files, { name: `version-${version}.txt`, content: 'x\n' }]);
      await writeFile(path.join(folder, 'a.zip'), bytes);
      const process_ = spawn(process.execPath, [child, library, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(process_.stdout, 'data');
      // Every fourth run reaches its end.
      const life = version % 4 === 0 ? [] : [delay(100 + ((version * 389) % 1500))];
      await Promise.race([...life, once(process_, 'exit')]);
      process_.kill('SIGKILL');
      if (process_.exitCode === null && process_.signalCode === null) await once(process_, 'exit');
      const db = new SQLite(path.join(library, 'library.db'));
      const container = versionOf(db, 'a.zip');
      if (container?.includes(`version-${version}.txt`)) {
        seen += 1;
        const rows = db
          .prepare<[], { path: string }>(
            "SELECT path FROM documents WHERE container = 'a.zip' AND is_visible = 1",
          )
          .all();
        const expected = new Map(files.map(({ name, content }) => [`a.zip » ${name}`, content]));
        expect(new Set(rows.map((row) => row.path))).toEqual(
          new Set([...expected.keys(), `a.zip » version-${version}.txt`]),
        );
        for (const [at, content] of expected) expect(versionOf(db, at)).toBe(content);
      }
      db.close();
    }
    const { summary } = await read();
    expect(summary).toMatchObject({ documents: count + 2, failed: 0 });
    expect(seen).toBeGreaterThanOrEqual(Math.floor(kills / 4));
  });
});
