import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/api/types.ts';
import { type NearestSizes, refreshNearest } from '../../src/engine/store/build-nearest.ts';
import { type OpenedLibrary, openForReading, openForWriting } from '../../src/engine/store/connection.ts';
import { NearestFiles } from '../../src/engine/store/nearest-search.ts';
import { Scopes } from '../../src/engine/store/scope-extent.ts';
import { VectorSearch } from '../../src/engine/store/search-vectors.ts';
import { addVectors, forgetVectorAdditions } from '../../src/engine/store/write-vectors.ts';
import { createRandom } from '../bench/synthetic.ts';
import { temporaryLibrary } from './library.ts';

const DIMENSIONS = 64;
/** Small ones: the work grows with the size, what is promised does not. */
const small = { leastVectors: 2_000, leastAdded: 400 };
/** Every promise holds for both forms of the file. */
const forms = { packed: { ...small, maxPackedBytes: 1024 ** 2 }, graph: { ...small, maxPackedBytes: 0 } };
/** Of the nearest that must be found; packed vectors lose what their rounding hides alone. */
const leastRecall = { packed: 0.998, graph: 0.97 };
const CHUNKS = 2_500;
const PER_DOCUMENT = 100;
const fingerprint = 'structured';

let file: string;
let opened: OpenedLibrary;
let random: () => number;
let topics: Float32Array[];
let sizes: NearestSizes = forms.packed;

/** Two topics and some noise: as passages lie, in groups that overlap. */
function structured(): Float32Array {
  const [one, two] = [topics[Math.floor(random() * 200)]!, topics[Math.floor(random() * 200)]!];
  return toUnit(one.map((value, at) => value + 0.5 * two[at]! + 0.7 * noise()));
}

const noise = () => random() + random() + random() - 1.5;

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Documents of a hundred chunks without text: only vectors are searched here. */
function addChunks(first: number, count: number): void {
  const { db } = opened;
  const document =
    db.prepare(`INSERT INTO documents (folder_id, path, title, day, size_bytes, modified_at_ms, parser_version,
    is_visible, chunk_count, first_chunk_id, last_chunk_id) VALUES (1, ?, '', '2024-01-01', 1, 1, 1, 1, ?, ?, ?)`);
  const chunk =
    db.prepare(`INSERT INTO chunks (id, document_id, ordinal, kind, start, "end", language, headings, text)
    VALUES (?, ?, ?, 'prose', 0, 1, 'en', '[]', 'x')`);
  for (let from = first; from < first + count; from += PER_DOCUMENT) {
    const last = Math.min(from + PER_DOCUMENT, first + count) - 1;
    const id = document.run(`${from}.txt`, last - from + 1, from, last).lastInsertRowid;
    for (let at = from; at <= last; at++) chunk.run(at, id, at - from);
  }
  const rows = Array.from({ length: count }, (_, at) => ({ chunkId: first + at, vector: structured() }));
  addVectors(db, fingerprint, DIMENSIONS, rows);
}

function removeDocumentsFrom(first: number, last: number): void {
  const { db } = opened;
  db.prepare('DELETE FROM vectors WHERE (id & 1099511627775) BETWEEN ? AND ?').run(first, last);
  db.prepare('DELETE FROM chunks WHERE id BETWEEN ? AND ?').run(first, last);
  db.prepare('DELETE FROM documents WHERE first_chunk_id BETWEEN ? AND ?').run(first, last);
  db.prepare("UPDATE meta SET value = value + 1 WHERE key = 'generation'").run();
}

/** Searches by the file and exactly. */
function bothWays() {
  const db = openForReading(file);
  const search = (version: number) => {
    const files = new NearestFiles(db, file, Int32Array.of(version));
    return new VectorSearch(db, new Scopes(db), files, 100);
  };
  const [near, exact] = [search(1), search(0)];
  const known = db.prepare('SELECT id, name, dimensions FROM fingerprints').get() as never;
  const hasFile = new NearestFiles(db, file, Int32Array.of(1)).of(known) !== undefined;
  const ask = (vector: Float32Array, limit = 100) => ({
    near: near.candidates(fingerprint, vector, undefined, limit),
    exact: exact.candidates(fingerprint, vector, undefined, limit),
  });
  return { ask, hasFile, close: () => db.close() };
}

function recall(questions: number): number {
  const { ask, hasFile, close } = bothWays();
  expect(hasFile).toBe(true);
  let shared = 0;
  let all = 0;
  for (let at = 0; at < questions; at++) {
    const { near, exact } = ask(structured());
    const found = new Map(near.map(({ chunkId, score }) => [chunkId, score]));
    for (const { chunkId, score } of exact.slice(0, 50)) {
      all++;
      if (!found.has(chunkId)) continue;
      shared++;
      expect(found.get(chunkId)).toBeCloseTo(score, 5);
    }
  }
  close();
  return shared / all;
}

const refresh = async (isFirst = false) => {
  const db = openForReading(file);
  const outcome = await refreshNearest(db, file, { isFirst, sizes });
  db.close();
  return outcome;
};

beforeEach(() => {
  random = createRandom(7);
  topics = Array.from({ length: 200 }, () => toUnit(Float32Array.from({ length: DIMENSIONS }, noise)));
  file = temporaryLibrary();
  opened = openForWriting(file);
  opened.db.prepare("INSERT INTO folders (path, name) VALUES ('/data', 'data')").run();
  addChunks(1, CHUNKS);
});

afterEach(() => {
  opened.db.close();
  opened.lock.close();
});

const each = (['packed', 'graph'] as const).map((form) => ({ form, its: forms[form] }));

describe.each(each)('the nearest-neighbour file, $form', { timeout: 120_000 }, ({ form, its }) => {
  beforeEach(() => {
    sizes = its;
  });

  it('has the form that its size asks for', async () => {
    await refresh(true);
    expect(readMarked()).toMatchObject({ form, count: CHUNKS });
  });

  it('finds what an exact search finds, also after documents came and went', async () => {
    expect((await refresh(true)).hasChanged).toBe(true);
    expect(recall(40)).toBeGreaterThanOrEqual(leastRecall[form]);
    expect((await refresh()).hasChanged).toBe(false);
    // Fewer than are worth extending for: they are compared one by one.
    addChunks(CHUNKS + 1, 100);
    removeDocumentsFrom(1, 5 * PER_DOCUMENT);
    expect((await refresh()).hasChanged).toBe(false);
    expect(recall(20)).toBeGreaterThanOrEqual(leastRecall[form]);
    // A number that was given again has another vector.
    addChunks(1, 5 * PER_DOCUMENT);
    expect(recall(20)).toBeGreaterThanOrEqual(leastRecall[form]);
    // Enough to extend it, with numbers that the file held before.
    addChunks(CHUNKS + 101, sizes.leastAdded);
    const { hasChanged, forgetBelow } = await refresh();
    expect(hasChanged).toBe(true);
    forgetVectorAdditions(opened.db, forgetBelow);
    expect(opened.db.prepare('SELECT count(*) FROM vector_additions').pluck().get()).toBe(1);
    expect(recall(20)).toBeGreaterThanOrEqual(leastRecall[form]);
  });

  it('takes in vectors that come while it is built, each once', async () => {
    const running = refresh(true);
    addChunks(CHUNKS + 1, 1_000);
    await running;
    expect(readMarked()).toMatchObject({ count: CHUNKS + 1_000 });
    expect((await refresh()).hasChanged).toBe(false);
    expect(recall(20)).toBeGreaterThanOrEqual(leastRecall[form]);
  });

  it('is built anew when many of its passages are gone, and dropped when few are left', async () => {
    await refresh(true);
    expect(readMarked()).toMatchObject({ count: CHUNKS });
    removeDocumentsFrom(1, 7 * PER_DOCUMENT);
    await refresh();
    expect(readMarked()).toMatchObject({ count: CHUNKS - 7 * PER_DOCUMENT });
    removeDocumentsFrom(1, 20 * PER_DOCUMENT);
    await refresh();
    expect(filesBeside()).toEqual([]);
  });

  const damages: [name: string, damage: () => void][] = [
    ['cut short', () => truncateSync(indexFile(), 10_000)],
    ['changed in one byte', () => changeByte(indexFile())],
    ['with a mark that is no mark', () => writeFileSync(markFile(), '{"format":1,"count":"many"}')],
    ['of another library', () => opened.db.prepare("UPDATE meta SET value = 5 WHERE key = 'identity'").run()],
    [
      'newer than a library that was put back',
      () => opened.db.prepare('DELETE FROM vector_additions WHERE id > 10').run(),
    ],
  ];
  for (const [name, damage] of damages) {
    it(`that is ${name} is dropped and built again when the library is opened`, async () => {
      await refresh(true);
      const before = indexFile();
      damage();
      expect((await refresh(true)).hasChanged).toBe(true);
      expect(indexFile()).not.toBe(before);
      expect(recall(5)).toBeGreaterThanOrEqual(leastRecall[form]);
    });
  }

  it('is not opened before it was compared with its hash', async () => {
    await refresh(true);
    const db = openForReading(file);
    const known = db.prepare('SELECT id, name, dimensions FROM fingerprints').get() as never;
    expect(new NearestFiles(db, file, Int32Array.of(0)).of(known)).toBeUndefined();
    db.close();
  });

  it('leaves the old one in place when building is stopped', async () => {
    const stop = new AbortController();
    stop.abort(new Error('closing'));
    const db = openForReading(file);
    await expect(refreshNearest(db, file, { isFirst: true, sizes, signal: stop.signal })).rejects.toThrow(
      'closing',
    );
    db.close();
    expect(filesBeside()).toEqual([]);
  });
});

describe('packed vectors', () => {
  beforeEach(async () => {
    sizes = forms.packed;
    await refresh(true);
  });

  it('find in a scope what an exact search finds in it, however narrow and scattered it is', () => {
    // Chunks 1501 to 1700 and 2401 to 2500; and all but some.
    check({ pathPart: '5' });
    check({ pathPart: '1' });
  });

  it('give a full list where the nearest are gone', () => {
    const asked = structured();
    const nearest = both(asked, {}, 2_000).exact.map(({ chunkId }) => chunkId);
    const { db } = opened;
    const gone = JSON.stringify(nearest.slice(0, 1_500));
    db.prepare('DELETE FROM vectors WHERE (id & 1099511627775) IN (SELECT value FROM json_each(?))').run(
      gone,
    );
    const { near, exact } = both(asked, {}, 100);
    expect(near).toEqual(exact);
    expect(near).toHaveLength(100);
  });

  it('take in what is added while they are open, each once, also in place of what was there', () => {
    const reader = open(1);
    const first = reader.search.candidates(fingerprint, structured(), undefined, 10);
    expect(first).toHaveLength(10);
    const asked = structured();
    addVectors(opened.db, fingerprint, DIMENSIONS, [{ chunkId: 17, vector: asked }]);
    addChunks(CHUNKS + 1, 100);
    expect(reader.search.candidates(fingerprint, asked, undefined, 1)).toMatchObject([{ chunkId: 17 }]);
    const { near, exact } = both(asked, {}, 100);
    expect(reader.search.candidates(fingerprint, asked, undefined, 100)).toEqual(exact);
    expect(near).toEqual(exact);
    reader.close();
  });

  it('give way to a graph when they become too large, and come back when the library is much smaller', async () => {
    sizes = { ...small, maxPackedBytes: (CHUNKS + 500) * DIMENSIONS };
    addChunks(CHUNKS + 1, 600);
    await refresh();
    expect(readMarked()).toMatchObject({ form: 'graph', count: CHUNKS + 600 });
    removeDocumentsFrom(1, 6 * PER_DOCUMENT);
    await refresh();
    expect(readMarked()).toMatchObject({ form: 'graph' });
    removeDocumentsFrom(1, 12 * PER_DOCUMENT);
    await refresh();
    expect(readMarked()).toMatchObject({ form: 'packed', count: CHUNKS - 6 * PER_DOCUMENT });
  });

  it('of length zero, which a passage without words has, are as far as what has nothing to do with the question', () => {
    const asked = structured();
    addVectors(opened.db, fingerprint, DIMENSIONS, [{ chunkId: 17, vector: new Float32Array(DIMENSIONS) }]);
    const { near, exact } = both(asked, {}, 50);
    for (const found of [near, exact]) expect(found.map(({ chunkId }) => chunkId)).not.toContain(17);
    const reader = open(0);
    expect(reader.search.cosines(fingerprint, asked, [17])).toEqual([0]);
    reader.close();
  });

  function check(scope: Scope): void {
    for (let at = 0; at < 10; at++) {
      const { near, exact } = both(structured(), scope, 100);
      expect(near.length).toBeGreaterThan(0);
      expect(near.map(({ chunkId }) => chunkId)).toEqual(exact.map(({ chunkId }) => chunkId));
    }
  }

  /** With scopes of more than a hundred chunks searched by the file. */
  function open(version: number) {
    const db = openForReading(file);
    const files = new NearestFiles(db, file, Int32Array.of(version));
    const known = db.prepare('SELECT id, name, dimensions FROM fingerprints').get() as never;
    expect(files.of(known)?.form).toBe(version === 0 ? undefined : 'packed');
    return { search: new VectorSearch(db, new Scopes(db), files, 100), close: () => db.close() };
  }

  function both(vector: Float32Array, scope: Scope, limit: number) {
    const [one, other] = [open(1), open(0)];
    const near = one.search.candidates(fingerprint, vector, scope, limit);
    const exact = other.search.candidates(fingerprint, vector, scope, limit);
    one.close();
    other.close();
    return { near, exact };
  }
});

const filesBeside = () => readdirSync(path.dirname(file)).filter((name) => name.includes('.nearest-'));
const markFile = () => path.join(path.dirname(file), filesBeside().find((name) => name.endsWith('.json'))!);
const readMarked = (): unknown => JSON.parse(readFileSync(markFile(), 'utf8'));
const indexFile = () => path.join(path.dirname(file), filesBeside().find((name) => !name.endsWith('.json'))!);

function changeByte(name: string): void {
  const bytes = readFileSync(name);
  bytes[bytes.length >> 1]! ^= 255;
  writeFileSync(name, bytes);
}
