/** What was asked, answered, measured and set before? */
import type { Database } from 'better-sqlite3';
import type { Answer, Citation, Conversation, ConversationDetail } from '../../api/types.ts';
import type { StoredRun } from './types.ts';

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
