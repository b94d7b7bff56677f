/** Is a library whole, and does everything in it belong to something? */
import type { Database } from 'better-sqlite3';

export interface IntegrityReport {
  isWhole: boolean;
  /** What SQLite and FTS5 say against the file; empty when nothing. */
  faults: string[];
  /** Rows whose owner is gone, by kind; all 0 in a whole library. */
  orphans: Record<string, number>;
  /** Documents left unfinished by a crash; swept when the library is next opened for writing. */
  unfinished: number;
}

const orphanQueries: [kind: string, sql: string][] = [
  ['blocks', 'SELECT count(*) FROM blocks WHERE document_id NOT IN (SELECT id FROM documents)'],
  ['chunks', 'SELECT count(*) FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)'],
  ['terms', 'SELECT count(*) FROM chunk_terms_docsize WHERE id NOT IN (SELECT id FROM chunks)'],
  ['chunksWithoutTerms', 'SELECT count(*) FROM chunks WHERE id NOT IN (SELECT id FROM chunk_terms_docsize)'],
  ['vectors', 'SELECT count(*) FROM vectors WHERE (id & 1099511627775) NOT IN (SELECT id FROM chunks)'],
  ['sheetRows', 'SELECT count(*) FROM sheet_rows WHERE document_id NOT IN (SELECT id FROM documents)'],
  ['sheetTables', 'SELECT count(*) FROM sheet_tables WHERE document_id NOT IN (SELECT id FROM documents)'],
  ['messages', 'SELECT count(*) FROM messages WHERE conversation_id NOT IN (SELECT id FROM conversations)'],
  ['citations', 'SELECT count(*) FROM citations WHERE message_id NOT IN (SELECT id FROM messages)'],
  [
    'miscounted',
    `SELECT count(*) FROM documents d WHERE is_visible = 1 AND
       (chunk_count <> (SELECT count(*) FROM chunks WHERE document_id = d.id)
        OR (state <> 'failed' AND block_count <> (SELECT count(*) FROM blocks WHERE document_id = d.id)))`,
  ],
];

/** Reads the whole file: seconds for a gigabyte. Takes any connection; one that may write also checks the keyword index. */
export function checkIntegrity(db: Database): IntegrityReport {
  const faults = (db.pragma('quick_check(20)') as { quick_check: string }[])
    .map((row) => row.quick_check)
    .filter((line) => line !== 'ok');
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get()!;
  const orphans = Object.fromEntries(orphanQueries.map(([kind, sql]) => [kind, count(sql)]));
  const unfinished = count('SELECT count(*) FROM documents WHERE is_visible = 0');
  if (!db.readonly) {
    // FTS5 answers with an error; there is no other way to ask.
    try {
      db.exec("INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('integrity-check', 0)");
    } catch (error) {
      faults.push(`keyword index: ${(error as Error).message}`);
    }
  }
  const isWhole = faults.length === 0 && Object.values(orphans).every((found) => found === 0);
  return { isWhole, faults, orphans, unfinished };
}
