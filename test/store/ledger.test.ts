/** Does the library's own account of its documents agree with what each of them says? */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reasonCodes } from '../../src/api/errors.ts';
import { countOf, harmlessWarnings, ledgerFilters, ledgerStates, statesOf } from '../../src/api/ledger.ts';
import { openForWriting } from '../../src/engine/store/connection.ts';
import { partlyCountSql } from '../../src/engine/store/ledger-conditions.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { openLibrary, packedOf, temporaryLibrary } from './library.ts';

let file: string;
let store: Store;
let folder: number;

beforeEach(async () => {
  file = temporaryLibrary();
  store = await openLibrary(file);
  folder = await store.addFolder('/data/papers', 'papers');
});

afterEach(() => store.close());

const losses = ['no-text', 'cells-left-out', 'attachments', 'timed-out', 'encrypted', 'code-of-tomorrow'];

/** One document for every reason and every kind of warning, and one that waits. */
async function layAll(): Promise<void> {
  const stamp = (path: string) => ({
    path,
    sizeBytes: 1,
    modifiedAtMs: 0,
    isArchived: path.startsWith('archive/'),
  });
  const finished = (state: 'indexed' | 'waiting', codes: string[]) => ({
    metadata: { kind: 'pdf', title: 'a', language: 'en' } as const,
    ...{ contentHash: 'h', state, warnings: codes.map((code) => ({ code, message: code })) },
  });
  const read = (path: string, codes: string[]) => ({
    ...{ file: stamp(path), batch: packedOf([path]), finished: finished('indexed', codes) },
  });
  await store.writeDocuments(folder, [
    read('whole.pdf', []),
    read('archive/old.pdf', ['attachments']),
    ...harmlessWarnings.map((code) => read(`harmless ${code}.pdf`, [code])),
    ...losses.map((code) => read(`part ${code}.pdf`, [harmlessWarnings[0]!, code])),
    { file: stamp('scan.pdf'), finished: finished('waiting', ['no-text']) },
    ...reasonCodes.map((reason) => ({
      ...{ file: stamp(`failed ${reason}.pdf`), failure: { reason, message: 'Reading failed' } },
    })),
  ]);
}

describe('the ledger', () => {
  it('lists under each filter just what is in its states, and counts them alike', async () => {
    await layAll();
    const everything = await store.documents({ limit: 1000, offset: 0 });
    const counts = await store.ledgerCounts({});
    expect(everything.total).toBe(countOf(counts, undefined));
    for (const filter of ledgerFilters) {
      const { total, rows } = await store.documents({ state: filter, limit: 1000, offset: 0 });
      const expected = everything.rows.filter(({ ledgerState }) => statesOf(filter).includes(ledgerState));
      expect(
        rows.map(({ path }) => path),
        filter,
      ).toEqual(expected.map(({ path }) => path));
      expect(total, filter).toBe(countOf(counts, filter));
    }
    for (const state of ledgerStates)
      if (state !== 'excluded') expect(counts[state], state).toBeGreaterThan(0);
  });

  it('can be narrowed to a name, and to what a question was asked of', async () => {
    await layAll();
    const part = { text: 'PART ' };
    expect(countOf(await store.ledgerCounts(part), undefined)).toBe(losses.length);
    expect((await store.documents({ ...part, limit: 1, offset: 0 })).total).toBe(losses.length);
    const old = { text: 'old', limit: 9, offset: 0 };
    expect((await store.documents(old)).total).toBe(1);
    expect((await store.documents({ ...old, scope: {} })).total).toBe(0);
    expect(countOf(await store.ledgerCounts({ scope: { path: 'whole.pdf' } }), undefined)).toBe(1);
  });

  it('says of a question how much was searched, in part too, and counts no archived document', async () => {
    await layAll();
    const coverage = await store.coverage({});
    expect(coverage).toEqual({
      searched: 1 + harmlessWarnings.length + losses.length,
      partly: losses.length,
      waiting: 1,
      failed: reasonCodes.length,
      total: 2 + harmlessWarnings.length + losses.length + reasonCodes.length,
    });
    const { total } = await store.documents({ state: 'incomplete', scope: {}, limit: 1, offset: 0 });
    expect(total).toBe(coverage.total - coverage.searched + coverage.partly!);
    expect(await store.coverage({ path: 'whole.pdf' })).toMatchObject({ searched: 1, total: 1, partly: 0 });
  });

  it('counts what was read in part by an index that holds nothing else', () => {
    const opened = openForWriting(temporaryLibrary());
    const plan = opened.db
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${partlyCountSql('d.is_visible = 1')}`)
      .all();
    expect(plan[0]?.detail).toContain('documents_with_warnings');
    opened.db.close();
    opened.lock.close();
  });
});

describe('what was left out of a folder', () => {
  const list = [
    { path: 'z/', reason: 'ignored' },
    { path: '.git/', reason: 'hidden' },
  ] as const;

  it('is listed by path, found by name, and replaced as a whole', async () => {
    await store.setExclusions(folder, [...list]);
    expect(await store.exclusions({})).toEqual([
      { folderId: folder, path: '.git/', reason: 'hidden' },
      { folderId: folder, path: 'z/', reason: 'ignored' },
    ]);
    expect(await store.exclusions({ text: ' GIT' })).toHaveLength(1);
    expect(await store.exclusions({ folderId: folder + 1 })).toEqual([]);
    expect((await store.ledgerCounts({})).excluded).toBe(2);
    expect((await store.ledgerCounts({ scope: {} })).excluded).toBe(0);
    await store.setExclusions(folder, []);
    expect(await store.exclusions({})).toEqual([]);
  });

  it('is no document: nothing counts it, nothing searches it', async () => {
    await store.setExclusions(folder, [...list]);
    expect(await store.counts({ includeArchived: true })).toEqual({ indexed: 0, waiting: 0, failed: 0 });
    expect((await store.documents({ limit: 9, offset: 0 })).total).toBe(0);
    expect((await store.documents({ state: 'excluded', limit: 9, offset: 0 })).total).toBe(0);
    expect((await store.coverage()).total).toBe(0);
  });

  it('is not written again while it is the same, and goes with its folder', async () => {
    await store.setExclusions(folder, [...list]);
    const db = new Database(file, { readonly: true });
    const version = () => db.pragma('data_version', { simple: true });
    const before = version();
    await store.setExclusions(folder, [...list]);
    expect(version()).toBe(before);
    await store.removeFolder(folder);
    expect(db.prepare('SELECT count(*) FROM exclusions').pluck().get()).toBe(0);
    db.close();
  });
});
