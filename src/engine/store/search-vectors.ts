/** Which chunks mean nearly the same as a question? */
import type { Database, Statement } from 'better-sqlite3';
import type { Scope } from '../../api/types.ts';
import { nearest as limits } from '../config.ts';
import type { PackedVectors } from './nearest-packed.ts';
import type { NearestFile, NearestFiles } from './nearest-search.ts';
import type { ScopeExtent, Scopes } from './scope-extent.ts';
import type { Candidate } from './types.ts';

interface Near {
  chunkId: number;
  distance: number;
}

/** One fingerprint's vectors are a stretch of the table: fingerprint × 2^40 + chunk. */
const keySql = '(? << 40)';

/** A vector without length, of a passage without words, has no cosine: it counts as unrelated, not as the nearest. */
const cosineDistance = (vector: string): string => `ifnull(vec_distance_cosine(${vector}, ?), 1)`;

export const scanSql = `SELECT v.id & 1099511627775 AS chunkId, ${cosineDistance('v.vector')} AS distance
  FROM vectors v WHERE v.id BETWEEN ${keySql} + ? AND ${keySql} + ? ORDER BY distance LIMIT ?`;

export const narrowSql = (condition: string): string => `SELECT c.id AS chunkId, c.document_id AS documentId,
    ${cosineDistance('v.vector')} AS distance
  FROM documents d
  JOIN chunks c ON c.document_id = d.id
  JOIN vectors v ON v.id = ${keySql} + c.id
  WHERE ${condition} ORDER BY distance LIMIT ?`;

/** Vectors that a graph of neighbours lacks. */
export const addedSql = `SELECT v.id & 1099511627775 AS chunkId, ${cosineDistance('v.vector')} AS distance
  FROM vector_additions a JOIN vectors v ON v.id = a.vector_id
  WHERE a.id > ? AND a.vector_id BETWEEN ${keySql} AND ${keySql} + 1099511627775`;

export const distanceSql = `SELECT ${cosineDistance('vector')} FROM vectors WHERE id = ${keySql} + ?`;

/** The first vector from a chunk's number on. */
export const nextSql = `SELECT id & 1099511627775 AS chunkId, ${cosineDistance('vector')} AS distance
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

  private searchFile(
    file: NearestFile,
    fingerprint: number,
    vector: Float32Array,
    extent: ScopeExtent,
    limit: number,
  ): Candidate[] | undefined {
    return file.form === 'packed'
      ? this.searchPacked(file.vectors, fingerprint, vector, extent, limit)
      : this.searchGraph(file, fingerprint, vector, extent, limit);
  }

  /** Compares all of the scope; asks for more until enough of what it finds is still there. */
  private searchPacked(
    packed: PackedVectors,
    fingerprint: number,
    vector: Float32Array,
    extent: ScopeExtent,
    limit: number,
  ): Candidate[] {
    const isNarrow = extent.chunks < packed.count * limits.wideShare;
    const wanted = limit + (limit >> 1);
    for (let asked = isNarrow ? wanted : wanted * 2; ; asked *= 4) {
      const near = packed.search(vector, asked, isNarrow ? extent.runs() : undefined);
      const found = this.compareAgain(near, fingerprint, vector, extent, wanted);
      if (found.size >= limit || near.length < asked) return best(found, limit);
    }
  }

  /** With all that the graph lacks. Undefined where too few of its finds lie in scope. */
  private searchGraph(
    file: NearestFile & { form: 'graph' },
    fingerprint: number,
    vector: Float32Array,
    extent: ScopeExtent,
    limit: number,
  ): Candidate[] | undefined {
    const asked = Math.ceil((limit * limits.askFactor) / extent.share);
    if (asked > limits.maxAsked) return undefined;
    const near = file.vectors.search(vector, asked);
    const found = this.compareAgain(near, fingerprint, vector, extent, limit + (limit >> 1));
    if (found.size < limit && asked < file.count) return undefined;
    const added = this.added.iterate(toBytes(vector), file.upTo, fingerprint, fingerprint);
    for (const { chunkId, distance } of added) {
      const documentId = found.has(chunkId) ? undefined : extent.documentOf(chunkId);
      if (documentId !== undefined) found.set(chunkId, { chunkId, documentId, score: 1 - distance });
    }
    return best(found, limit);
  }

  /** The first of these that are in scope, with the cosines of the vectors themselves: what is gone or has changed is no find. */
  private compareAgain(
    chunkIds: number[],
    fingerprint: number,
    vector: Float32Array,
    extent: ScopeExtent,
    wanted: number,
  ): Map<number, Candidate> {
    const bytes = toBytes(vector);
    const found = new Map<number, Candidate>();
    for (const chunkId of chunkIds) {
      if (found.size >= wanted) break;
      const distance = this.distance.get(bytes, fingerprint, chunkId);
      const documentId = distance === undefined ? undefined : extent.documentOf(chunkId);
      if (documentId !== undefined) found.set(chunkId, { chunkId, documentId, score: 1 - distance! });
    }
    return found;
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

  /** See StoreReader.cosinesAnywhere. Of a large library evenly spread over the chunks' numbers. */
  cosinesAnywhere(fingerprint: string, vector: Float32Array, count: number): number[] {
    const known = readFingerprint(this.db, fingerprint);
    const { firstChunkId: first, lastChunkId: last, chunks } = this.scopes.extent({ includeArchived: true });
    if (known?.dimensions !== vector.length || chunks === 0) return [];
    const bytes = toBytes(vector);
    // Numbers are given as files are read, which is never twice in the same order: here no answer must hang on them.
    if (last - first < limits.wholeBackground) {
      const range = [known.id, first, known.id, last];
      return this.scan.all(bytes, ...range, limits.wholeBackground).map(({ distance }) => 1 - distance);
    }
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

function best(found: Map<number, Candidate>, limit: number): Candidate[] {
  return [...found.values()]
    .sort((one, two) => two.score - one.score || one.chunkId - two.chunkId)
    .slice(0, limit);
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
