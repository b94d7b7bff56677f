/** Which vectors are missing, and what was asked, answered, measured and set before? */
import type { Database } from 'better-sqlite3';
import type { Answer, Citation, Conversation, ConversationDetail } from '../../api/types.ts';
import { readSlice } from './read-text.ts';
import { readFingerprint } from './search-vectors.ts';
import type { StoredRun } from './types.ts';

export const chunksWithoutVectorSql = `SELECT c.id AS chunkId, c.document_id AS documentId, c.start, c."end" AS "end",
    c.text, c.headings, d.title
  FROM chunks c JOIN documents d ON d.id = c.document_id AND d.is_visible = 1
  WHERE c.id > ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.id = (? << 40) + c.id)
  ORDER BY c.id LIMIT ?`;

interface Missing {
  chunkId: number;
  documentId: number;
  start: number;
  end: number;
  text: string | null;
  headings: string;
  title: string;
}

export function readChunksWithoutVector(
  db: Database,
  fingerprint: string,
  afterId: number,
  limit: number,
): { chunkId: number; text: string; headings: string[]; title: string }[] {
  // 0 is no fingerprint's number: nothing has been embedded by this one yet.
  const id = readFingerprint(db, fingerprint)?.id ?? 0;
  return db
    .prepare<[number, number, number], Missing>(chunksWithoutVectorSql)
    .all(afterId, id, limit)
    .map((chunk) => ({
      chunkId: chunk.chunkId,
      text: chunk.text ?? readSlice(db, chunk.documentId, chunk.start, chunk.end),
      headings: JSON.parse(chunk.headings),
      title: chunk.title,
    }));
}

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

interface ConversationRecord {
  id: number;
  question: string;
  scope: string | null;
  asked_at_ms: number;
}

function toConversation(record: ConversationRecord): Conversation {
  return {
    id: record.id,
    question: record.question,
    askedAtMs: record.asked_at_ms,
    ...(record.scope !== null && { scope: JSON.parse(record.scope) }),
  };
}

/** Newest first. */
export function readConversations(db: Database, limit: number): Conversation[] {
  return db
    .prepare<[number], ConversationRecord>(
      'SELECT * FROM conversations ORDER BY asked_at_ms DESC, id DESC LIMIT ?',
    )
    .all(limit)
    .map(toConversation);
}

interface CitationRecord {
  number: number;
  document: string;
  start: number;
  end: number;
  quote: string;
  anchors: string;
}

export function readConversation(db: Database, id: number): ConversationDetail | undefined {
  const record = db.prepare<[number], ConversationRecord>('SELECT * FROM conversations WHERE id = ?').get(id);
  const message = db
    .prepare<[number], { id: number; search: string; answer: string }>(
      'SELECT id, search, answer FROM messages WHERE conversation_id = ? ORDER BY ordinal LIMIT 1',
    )
    .get(id);
  if (record === undefined || message === undefined) return undefined;
  const citations = db
    .prepare<[number], CitationRecord>('SELECT * FROM citations WHERE message_id = ? ORDER BY number')
    .all(message.id)
    .map((row): Citation => {
      const anchors: Citation['anchors'] = JSON.parse(row.anchors);
      const { number, start, end, quote } = row;
      return { number, document: JSON.parse(row.document), start, end, quote, anchor: anchors[0]!, anchors };
    });
  const answer: Answer = { ...JSON.parse(message.answer), citations };
  return { ...toConversation(record), search: JSON.parse(message.search), answer };
}

export function readEvaluationRun(db: Database, id: string): StoredRun | undefined {
  const run = db
    .prepare<[string], { id: string; created_at_ms: number; setup: string; measures: string; ranks: string }>(
      'SELECT * FROM evaluation_runs WHERE id = ?',
    )
    .get(id);
  if (run === undefined) return undefined;
  return {
    id: run.id,
    createdAtMs: run.created_at_ms,
    setup: run.setup,
    measures: JSON.parse(run.measures),
    ranks: JSON.parse(run.ranks),
  };
}

export function readSetting(db: Database, key: string): string | undefined {
  return db.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck().get(key);
}
