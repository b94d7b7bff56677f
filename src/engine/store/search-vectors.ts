/** Which chunks mean nearly the same as a question? */
import type { Database, Statement } from 'better-sqlite3';
import type { Scope } from '../../api/types.ts';
import { type ScopeExtent, scopeExtent } from './scope.ts';
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

/** Share of all chunks below which a scope's own vectors are looked up one by one instead of all being read in order. */
const narrowShare = 0.2;

/** The vector half of search over one reading connection: exact. */
export class VectorSearch {
  private readonly db: Database;
  private readonly scan: Statement<(number | Uint8Array)[], Near>;

  constructor(db: Database) {
    this.db = db;
    this.scan = db.prepare(scanSql);
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
    const extent = scopeExtent(this.db, scope);
    if (extent.chunks === 0) return [];
    const bytes = toBytes(vector);
    const span = extent.lastChunkId - extent.firstChunkId + 1;
    return extent.chunks < narrowShare * span || extent.chunks < limit
      ? this.searchScope(known.id, bytes, extent, limit)
      : this.searchAll(known.id, bytes, extent, limit);
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
    const inScope = this.db
      .prepare<(number | string)[], number>(
        `SELECT c.document_id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.id = ? AND ${extent.sql}`,
      )
      .pluck();
    for (let asked = limit * 2; ; asked *= 4) {
      const candidates: Candidate[] = [];
      let seen = 0;
      const range = [fingerprint, extent.firstChunkId, fingerprint, extent.lastChunkId];
      for (const { chunkId, distance } of this.scan.iterate(vector, ...range, asked)) {
        seen++;
        const documentId = inScope.get(chunkId, ...extent.values);
        if (documentId === undefined) continue;
        candidates.push({ chunkId, documentId, score: 1 - distance });
        if (candidates.length >= limit) break;
      }
      if (candidates.length >= limit || seen < asked) return candidates;
    }
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

export function readFingerprint(db: Database, name: string): { id: number; dimensions: number } | undefined {
  return db
    .prepare<[string], { id: number; dimensions: number }>(
      'SELECT id, dimensions FROM fingerprints WHERE name = ?',
    )
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
