/** Which vectors are there, and which are missing? */
import type { Database } from 'better-sqlite3';
import { readSlice } from './read-text.ts';
import { readFingerprint } from './search-vectors.ts';

const lacksVector = 'NOT EXISTS (SELECT 1 FROM vectors v WHERE v.id = (? << 40) + c.id)';

export const chunksWithoutVectorSql = `SELECT c.id AS chunkId, c.document_id AS documentId, c.start, c."end" AS "end",
    c.text, c.headings, d.title
  FROM json_each(?) wanted
  CROSS JOIN documents d ON d.id = wanted.value AND d.is_visible = 1
  CROSS JOIN chunks c ON c.document_id = d.id
  WHERE ${lacksVector} LIMIT ?`;

/** What was found for questions first, then what stands in the folders that were asked most, then the newest. */
const documentsWithoutVectorsSql = `SELECT d.id
  FROM documents d
  LEFT JOIN asked_documents a ON a.folder_id = d.folder_id AND a.path = d.path
  LEFT JOIN (SELECT folder_id, sum(times) AS times FROM asked_documents GROUP BY folder_id) f
    ON f.folder_id = d.folder_id
  WHERE d.is_visible = 1 AND EXISTS (SELECT 1 FROM chunks c WHERE c.document_id = d.id AND ${lacksVector})
  ORDER BY ifnull(a.times, 0) DESC, ifnull(f.times, 0) DESC, d.is_archived, d.modified_at_ms DESC, d.id DESC
  LIMIT ?`;

interface Missing {
  chunkId: number;
  documentId: number;
  start: number;
  end: number;
  text: string | null;
  headings: string;
  title: string;
}

/** 0 is no fingerprint's number: nothing has been embedded by this one yet. */
const numberOf = (db: Database, fingerprint: string): number => readFingerprint(db, fingerprint)?.id ?? 0;

/** See StoreReader.documentsWithoutVectors. */
export function readDocumentsWithoutVectors(db: Database, fingerprint: string, limit: number): number[] {
  return db
    .prepare<[number, number], number>(documentsWithoutVectorsSql)
    .pluck()
    .all(numberOf(db, fingerprint), limit);
}

/** See StoreReader.chunksWithoutVector. */
export function readChunksWithoutVector(
  db: Database,
  fingerprint: string,
  documentIds: number[],
  limit: number,
): { chunkId: number; text: string; headings: string[]; title: string }[] {
  return db
    .prepare<[string, number, number], Missing>(chunksWithoutVectorSql)
    .all(JSON.stringify(documentIds), numberOf(db, fingerprint), limit)
    .map((chunk) => ({
      chunkId: chunk.chunkId,
      text: chunk.text ?? readSlice(db, chunk.documentId, chunk.start, chunk.end),
      headings: JSON.parse(chunk.headings),
      title: chunk.title,
    }));
}

/** See StoreReader.vectorCoverage. */
export function readVectorCoverage(db: Database, fingerprint: string): { done: number; total: number } {
  const total = db
    .prepare<[], number>('SELECT ifnull(sum(chunk_count), 0) FROM documents WHERE is_visible = 1')
    .pluck()
    .get()!;
  const known = readFingerprint(db, fingerprint);
  if (known === undefined) return { done: 0, total };
  const done = db
    .prepare<[number], number>(
      `SELECT count(*) FROM documents d JOIN chunks c ON c.document_id = d.id
       WHERE d.is_visible = 1 AND EXISTS (SELECT 1 FROM vectors v WHERE v.id = (? << 40) + c.id)`,
    )
    .pluck()
    .get(known.id)!;
  return { done, total };
}

/** See StoreReader.fingerprints. */
export function readFingerprints(db: Database): string[] {
  return db.prepare<[], string>('SELECT name FROM fingerprints ORDER BY id').pluck().all();
}
