import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexSummary } from '../../src/api/types.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { Store } from '../../src/engine/store/store.ts';

const child = fileURLToPath(new URL('./index-child.ts', import.meta.url));
const kills = process.env.LECTERN_FULL ? 200 : 20;
/** So many files that a run takes longer than the longest life of a child. */
const fileCount = 300;
/** Files that change between two runs, so that there is always something to read and to replace. */
const changes = 40;
const longestLifeMs = 900;

let folder: string;
let library: string;
const versions = new Map<string, number>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-kill-'));
  library = await mkdtemp(path.join(tmpdir(), 'lectern-kill-library-'));
  await mkdir(path.join(folder, 'sub'));
  for (let number = 0; number < fileCount; number += 1) {
    await change(number % 3 === 0 ? `sub/${number}.csv` : `${number}.txt`);
  }
});

afterAll(async () => {
  for (const at of [folder, library]) await rm(at, { recursive: true, force: true });
});

/** A text of which every line names the file and its version; a table with as many rows. */
function content(name: string, version: number): string {
  const line = name.endsWith('.csv') ? `${name},${version},` : `${name} version ${version} line `;
  const head = name.endsWith('.csv') ? 'name,version,line\n' : '';
  return head + Array.from({ length: 150 }, (_, number) => `${line}${number}\n`).join('');
}

/** Writes the next version of a file. */
async function change(name: string): Promise<void> {
  const version = (versions.get(name) ?? 0) + 1;
  versions.set(name, version);
  await writeFile(path.join(folder, name), content(name, version));
}

function start(): { process: ChildProcess; output: () => string; ready: Promise<void> } {
  const process_ = spawn(process.execPath, [child, library, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = Promise.withResolvers<void>();
  let output = '';
  process_.stdout.on('data', (piece: Buffer) => {
    output += piece;
    if (output.includes('ready\n')) ready.resolve();
  });
  process_.once('exit', () => ready.resolve());
  return { process: process_, output: () => output, ready: ready.promise };
}

interface Row {
  id: number;
  path: string;
  state: string;
  text: string;
}

/** Looks into the library as a killed process left it; every document that can be seen must be whole. */
function look(): Map<string, Row> {
  const db = new SQLite(path.join(library, 'library.db'));
  try {
    expect(db.pragma('quick_check', { simple: true })).toBe('ok');
    const rows = db
      .prepare<[], Row>(
        `SELECT id, path, state, (SELECT group_concat(text, '') FROM
          (SELECT text FROM blocks WHERE document_id = documents.id ORDER BY ordinal)) AS text
        FROM documents WHERE is_visible = 1`,
      )
      .all();
    for (const row of rows) expectWhole(row);
    const lame = db
      .prepare(
        `SELECT path FROM documents d WHERE is_visible = 1 AND (
          block_count <> (SELECT count(*) FROM blocks WHERE document_id = d.id)
          OR length <> (SELECT sum(length) FROM blocks WHERE document_id = d.id)
          OR chunk_count <> (SELECT count(*) FROM chunks WHERE document_id = d.id)
          OR chunk_count = 0
          OR chunk_count <> (SELECT count(*) FROM chunks JOIN vectors ON vectors.id & 1099511627775 = chunks.id
            WHERE document_id = d.id))`,
      )
      .all();
    expect(lame).toEqual([]);
    return new Map(rows.map((row) => [row.path, row]));
  } finally {
    db.close();
  }
}

function expectWhole(row: Row): void {
  expect(row.state).toBe('indexed');
  const lines = row.text.trim().split('\n');
  expect(lines).toHaveLength(row.path.endsWith('.csv') ? 151 : 150);
  const found = new Set(lines.slice(1).map(versionOf));
  expect([row.path, found.size]).toEqual([row.path, 1]);
}

function versionOf(line: string): number {
  return Number(/(?:version |\t)(\d+)/u.exec(line)?.[1]);
}

function isCurrent(row: Row): boolean {
  return versionOf(row.text.trim().split('\n').at(-1)!) === versions.get(row.path);
}

/** Rows that belong to no document that can be seen. */
function orphans(): unknown[] {
  const db = new SQLite(path.join(library, 'library.db'));
  try {
    const visible = '(SELECT id FROM documents WHERE is_visible = 1)';
    return [
      'SELECT id FROM documents WHERE is_visible = 0',
      `SELECT id FROM blocks WHERE document_id NOT IN ${visible}`,
      `SELECT id FROM chunks WHERE document_id NOT IN ${visible}`,
      `SELECT document_id FROM sheet_rows WHERE document_id NOT IN ${visible}`,
      `SELECT document_id FROM sheet_tables WHERE document_id NOT IN ${visible}`,
      'SELECT rowid FROM chunk_terms WHERE rowid NOT IN (SELECT id FROM chunks)',
      'SELECT id FROM chunks WHERE id NOT IN (SELECT rowid FROM chunk_terms)',
      'SELECT id FROM vectors WHERE id & 1099511627775 NOT IN (SELECT id FROM chunks)',
    ].flatMap((sql) => db.prepare(sql).all());
  } finally {
    db.close();
  }
}

describe('A process that is killed while it indexes', () => {
  it(
    `leaves whole documents only, ${kills} times, and no work is done twice`,
    async () => {
      let before = new Map<string, Row>();
      for (let kill = 0; kill < kills; kill += 1) {
        const run = start();
        await run.ready;
        await delay(Math.random() * longestLifeMs);
        run.process.kill('SIGKILL');
        if (run.process.exitCode === null && run.process.signalCode === null) await once(run.process, 'exit');
        const now = look();
        for (const [name, row] of before) {
          // What was whole and of the file's present version must still be the same document.
          if (isCurrent(row)) expect([name, now.get(name)?.id]).toEqual([name, row.id]);
        }
        before = now;
        // Half of the library is there: from now on documents are replaced as well.
        if (now.size < fileCount / 2) continue;
        const names = [...now.keys()];
        const changed = new Set<string>();
        for (let number = 0; number < changes; number += 1) {
          changed.add(names[Math.floor(Math.random() * names.length)]!);
        }
        for (const name of changed) await change(name);
      }
      const current = [...look().values()].filter(isCurrent).length;

      const last = start();
      await once(last.process, 'exit');
      expect(last.process.exitCode).toBe(0);
      const { summary } = JSON.parse(last.output().split('\n')[1]!) as { summary: IndexSummary };
      expect(summary).toMatchObject({ documents: fileCount, unchanged: current, failed: 0 });
      const rows = [...look().values()];
      expect(rows).toHaveLength(fileCount);
      expect(rows.filter((row) => !isCurrent(row))).toEqual([]);
      expect(orphans()).toEqual([]);
      const store = await Store.open({ path: path.join(library, 'library.db'), entries: sourceEntries });
      expect(await store.counts()).toMatchObject({ indexed: fileCount, failed: 0, waiting: 0 });
      await store.close();
    },
    kills * 20_000,
  );
});
