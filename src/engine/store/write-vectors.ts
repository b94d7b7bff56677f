/** How do vectors get into the library, and out of it? */
import type { Database } from 'better-sqlite3';
import { raiseGeneration } from './meta.ts';
import { readFingerprint, toBytes } from './search-vectors.ts';

/** Number of a fingerprint, given at its first vector. */
export function fingerprintId(db: Database, name: string, dimensions: number): number {
  const known = readFingerprint(db, name);
  if (known !== undefined && known.dimensions !== dimensions) {
    throw new RangeError(`fingerprint ${name} has ${known.dimensions} dimensions, not ${dimensions}`);
  }
  if (known !== undefined) return known.id;
  const insert = db.prepare('INSERT INTO fingerprints (name, dimensions) VALUES (?, ?)');
  return Number(insert.run(name, dimensions).lastInsertRowid);
}

/** Chunks that were removed meanwhile are passed over: their vectors would never go away. */
export function addVectors(
  db: Database,
  fingerprint: string,
  dimensions: number,
  rows: { chunkId: number; vector: Float32Array }[],
): void {
  db.transaction(() => {
    const id = fingerprintId(db, fingerprint, dimensions);
    const insert = db.prepare(
      'INSERT OR REPLACE INTO vectors (id, vector) SELECT (? << 40) + c.id, ? FROM chunks c WHERE c.id = ?',
    );
    for (const { chunkId, vector } of rows) {
      if (vector.length !== dimensions)
        throw new RangeError(`vector of ${vector.length}, not ${dimensions} dimensions`);
      insert.run(id, toBytes(vector), chunkId);
    }
    raiseGeneration(db);
  }).immediate();
}

/** Removes at most `limit` vectors of a fingerprint; once none is left, the fingerprint too. Returns how many went. */
export function dropVectors(db: Database, fingerprint: string, limit: number): number {
  return db
    .transaction(() => {
      const known = readFingerprint(db, fingerprint);
      if (known === undefined) return 0;
      const { changes } = db
        .prepare(
          `DELETE FROM vectors WHERE id IN (
            SELECT id FROM vectors WHERE id BETWEEN (? << 40) AND (? << 40) + 1099511627775 LIMIT ?)`,
        )
        .run(known.id, known.id, limit);
      if (changes < limit) db.prepare('DELETE FROM fingerprints WHERE id = ?').run(known.id);
      return changes;
    })
    .immediate();
}

/** The last addition stays, so that their numbers only rise. */
export function forgetVectorAdditions(db: Database, below: number): void {
  db.prepare('DELETE FROM vector_additions WHERE id < min(?, (SELECT max(id) FROM vector_additions))').run(
    below,
  );
}
