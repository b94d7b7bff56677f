/** Which chunks mean nearly the same as a question? */
import type { Database, Statement } from 'better-sqlite3';
import type { Scope } from '../../api/types.ts';
import { nearest as limits } from '../config.ts';
import type { NearestFile, NearestFiles } from './nearest-search.ts';
import type { ScopeExtent, Scopes } from './scope-extent.ts';
import type { Candidate } from './types.ts';

interface Near {
  chunkId: number;
  distance: number;
}

/** One fingerprint's vectors are a stretch of the table: fingerprint × 2^40 + chunk. */
const keySql = '(? << 40)';

export const scanSql = `SELECT v.id & 1099511627775 AS chunkId, vec_distance_cosine(v.vector, ?) AS distance
  FROM vectors v WHERE v.id BETWEEN ${keySql} + ? AND ${keySql} + ? ORDER BY distance LIMIT ?`;

export const narrowSql = (condition: string): string => `SELECT c.id AS chunkId, c.document_id AS documentId,
    vec_distance_cosine(v.vector, ?) AS distance
  FROM documents d
  JOIN chunks c ON c.document_id = d.id
  JOIN vectors v ON v.id = ${keySql} + c.id
  WHERE ${condition} ORDER BY distance LIMIT ?`;

/** Vectors that the nearest-neighbour file lacks. */
export const addedSql = `SELECT v.id & 1099511627775 AS chunkId, vec_distance_cosine(v.vector, ?) AS distance
  FROM vector_additions a JOIN vectors v ON v.id = a.vector_id
  WHERE a.id > ? AND a.vector_id BETWEEN ${keySql} AND ${keySql} + 1099511627775`;

export const distanceSql = `SELECT vec_distance_cosine(vector, ?) FROM vectors WHERE id = ${keySql} + ?`;

/** The first vector from a chunk's number on. */
export const nextSql = `SELECT id & 1099511627775 AS chunkId, vec_distance_cosine(vector, ?) AS distance
  FROM vectors WHERE id >= ${keySql} + ? AND id <= ${keySql} + 1099511627775 ORDER BY id LIMIT 1`;

/** Share of all chunks below which a scope's own vectors are looked up one by one instead of all being read in order. */
const narrowShare = 0.2;

interface Fingerprint {
  id: number;
  name: string;
  dimensions: number;
}

/** The vector half of search over one reading connection. */
export class VectorSearch {
  private readonly db: Database;
  private readonly scopes: Scopes;
  private readonly nearest: NearestFiles;
  private readonly exactChunks: number;
  private readonly scan: Statement<(number | Uint8Array)[], Near>;
  private readonly added: Statement<[Uint8Array, number, number, number], Near>;
  private readonly distance: Statement<[Uint8Array, number, number], number>;
  private readonly lastAddition: Statement<[], number>;
  private readonly next: Statement<[Uint8Array, number, number, number], Near>;

  /** @param exactChunks chunks of a scope up to which search is exact */
  constructor(db: Database, scopes: Scopes, nearest: NearestFiles, exactChunks: number = limits.exactChunks) {
    this.exactChunks = exactChunks;
    this.db = db;
    this.scopes = scopes;
    this.nearest = nearest;
    this.scan = db.prepare(scanSql);
    this.added = db.prepare(addedSql);
    this.distance = db.prepare<[Uint8Array, number, number], number>(distanceSql).pluck();
    this.next = db.prepare(nextSql);
    this.lastAddition = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM vector_additions').pluck();
  }

  /** See StoreReader.vectorCandidates. Nothing for a fingerprint without vectors. */
  candidates(
    fingerprint: string,
    vector: Float32Array,
    scope: Scope | undefined,
    limit: number,
  ): Candidate[] {
    const known = readFingerprint(this.db, fingerprint);
    if (known === undefined || known.dimensions !== vector.length || limit < 1) return [];
    const extent = this.scopes.extent(scope);
    if (extent.chunks === 0) return [];
    const file = extent.chunks > this.exactChunks ? this.nearest.of(known) : undefined;
    return (
      (file && this.searchFile(file, known.id, vector, extent, limit)) ??
      this.searchExactly(known.id, toBytes(vector), extent, limit)
    );
  }

  private searchExactly(
    fingerprint: number,
    vector: Uint8Array,
    extent: ScopeExtent,
    limit: number,
  ): Candidate[] {
    return extent.share < narrowShare || extent.chunks < limit
      ? this.searchScope(fingerprint, vector, extent, limit)
      : this.searchAll(fingerprint, vector, extent, limit);
  }

  private searchScope(
    fingerprint: number,
    vector: Uint8Array,
    extent: ScopeExtent,
    limit: number,
  ): Candidate[] {
    return this.db
      .prepare<(number | string | Uint8Array)[], Near & { documentId: number }>(narrowSql(extent.sql))
      .all(vector, fingerprint, ...extent.values, limit)
      .map(({ chunkId, documentId, distance }) => ({ chunkId, documentId, score: 1 - distance }));
  }

  /** Reads every vector in the scope's range; asks for more until enough of the nearest are in scope. */
  private searchAll(
    fingerprint: number,
    vector: Uint8Array,
    extent: ScopeExtent,
    limit: number,
  ): Candidate[] {
    for (let asked = limit * 2; ; asked *= 4) {
      const candidates: Candidate[] = [];
      let seen = 0;
      const range = [fingerprint, extent.firstChunkId, fingerprint, extent.lastChunkId];
      for (const { chunkId, distance } of this.scan.iterate(vector, ...range, asked)) {
        seen++;
        const documentId = extent.documentOf(chunkId);
        if (documentId === undefined) continue;
        candidates.push({ chunkId, documentId, score: 1 - distance });
        if (candidates.length >= limit) break;
      }
      if (candidates.length >= limit || seen < asked) return candidates;
    }
  }

  /**
   * What the file finds, compared again with the vectors themselves, which drops what is gone or has changed, together with
   * all that it lacks. Undefined where too few of its finds lie in scope, or it lacks too many.
   */
  private searchFile(
    file: NearestFile,
    fingerprint: number,
    vector: Float32Array,
    extent: ScopeExtent,
    limit: number,
  ): Candidate[] | undefined {
    const bytes = toBytes(vector);
    const found = new Map<number, Candidate>();
    const hold = (chunkId: number, distance: number | undefined) => {
      const documentId = distance === undefined ? undefined : extent.documentOf(chunkId);
      if (documentId !== undefined) found.set(chunkId, { chunkId, documentId, score: 1 - distance! });
    };
    const asked = Math.ceil((limit * limits.askFactor) / extent.share);
    const lacking = this.lastAddition.get()! - file.upTo;
    if (asked > limits.maxAsked || lacking > limits.leastAdded + file.count * limits.maxAddedShare)
      return undefined;
    const near = file.index.search(vector, Math.min(asked, file.count), 1);
    const wanted = limit + (limit >> 1);
    for (const key of near.keys) {
      if (found.size >= wanted) break;
      const chunkId = Number(key);
      hold(chunkId, this.distance.get(bytes, fingerprint, chunkId));
    }
    if (found.size < limit && asked < file.count) return undefined;
    for (const { chunkId, distance } of this.added.iterate(bytes, file.upTo, fingerprint, fingerprint)) {
      if (!found.has(chunkId)) hold(chunkId, distance);
    }
    return [...found.values()]
      .sort((one, two) => two.score - one.score || one.chunkId - two.chunkId)
      .slice(0, limit);
  }

  /** See StoreReader.cosines. */
  cosines(fingerprint: string, vector: Float32Array, chunkIds: number[]): (number | undefined)[] {
    const known = readFingerprint(this.db, fingerprint);
    if (known?.dimensions !== vector.length) return chunkIds.map(() => undefined);
    const bytes = toBytes(vector);
    return chunkIds.map((chunkId) => {
      const distance = this.distance.get(bytes, known.id, chunkId);
      return distance === undefined ? undefined : 1 - distance;
    });
  }

  /** See StoreReader.cosinesAnywhere. Evenly spread over the chunks' numbers. */
  cosinesAnywhere(fingerprint: string, vector: Float32Array, count: number): number[] {
    const known = readFingerprint(this.db, fingerprint);
    const { firstChunkId: first, lastChunkId: last, chunks } = this.scopes.extent({ includeArchived: true });
    if (known?.dimensions !== vector.length || chunks === 0) return [];
    const bytes = toBytes(vector);
    const step = Math.max(1, (last - first + 1) / count);
    const found = new Map<number, number>();
    for (let from = first; from <= last; from += step) {
      const near = this.next.get(bytes, known.id, Math.floor(from), known.id);
      if (near !== undefined) found.set(near.chunkId, 1 - near.distance);
    }
    return [...found.values()];
  }

  /** See StoreReader.vectors. */
  vectors(fingerprint: string, chunkIds: number[]): Map<number, Float32Array> {
    const known = readFingerprint(this.db, fingerprint);
    const found = new Map<number, Float32Array>();
    if (known === undefined) return found;
    const get = this.db
      .prepare<[number, number], Uint8Array>(`SELECT vector FROM vectors WHERE id = ${keySql} + ?`)
      .pluck();
    for (const chunkId of chunkIds) {
      const bytes = get.get(known.id, chunkId);
      if (bytes !== undefined) found.set(chunkId, fromBytes(bytes));
    }
    return found;
  }
}

export function readFingerprint(db: Database, name: string): Fingerprint | undefined {
  return db
    .prepare<[string], Fingerprint>('SELECT id, name, dimensions FROM fingerprints WHERE name = ?')
    .get(name);
}

/** As sqlite-vec reads it: float32 in the machine's order, which is little endian wherever Lectern runs. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function fromBytes(bytes: Uint8Array): Float32Array {
  // A copy: the driver's bytes need not begin at a multiple of four.
  return new Float32Array(bytes.slice().buffer);
}
