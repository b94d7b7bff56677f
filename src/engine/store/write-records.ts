/** How are folders, vectors, conversations, runs and settings kept? */
import type { Database } from 'better-sqlite3';
import type { ConversationDetail } from '../../api/types.ts';
import { store as limits } from '../config.ts';
import type { StoredRun } from './types.ts';

export function addFolder(db: Database, path: string, name: string): number {
  return Number(db.prepare('INSERT INTO folders (path, name) VALUES (?, ?)').run(path, name).lastInsertRowid);
}

export function markFolder(
  db: Database,
  id: number,
  mark: { isUnreachable?: boolean; indexedAtMs?: number },
): void {
  const isUnreachable = mark.isUnreachable === undefined ? null : Number(mark.isUnreachable);
  db.prepare(
    'UPDATE folders SET is_unreachable = ifnull(?, is_unreachable), indexed_at_ms = ifnull(?, indexed_at_ms) WHERE id = ?',
  ).run(isUnreachable, mark.indexedAtMs ?? null, id);
}

/** Documents that are gone by now are passed over. */
export function countAsked(db: Database, documentIds: number[]): void {
  const count = db.prepare(`INSERT INTO asked_documents (folder_id, path, times)
    SELECT folder_id, path, 1 FROM documents WHERE id = ?
    ON CONFLICT DO UPDATE SET times = times + 1`);
  db.transaction(() => {
    for (const id of documentIds) count.run(id);
  }).immediate();
}

export function saveConversation(db: Database, conversation: Omit<ConversationDetail, 'id'>): number {
  return db
    .transaction(() => {
      const { question, scope, askedAtMs, search } = conversation;
      const { citations, ...answer } = conversation.answer;
      const id = db
        .prepare('INSERT INTO conversations (question, scope, asked_at_ms) VALUES (?, ?, ?)')
        .run(question, scope === undefined ? null : JSON.stringify(scope), askedAtMs).lastInsertRowid;
      const message = db
        .prepare('INSERT INTO messages (conversation_id, ordinal, search, answer) VALUES (?, 0, ?, ?)')
        .run(id, JSON.stringify(search), JSON.stringify(answer)).lastInsertRowid;
      const cite = db.prepare(
        'INSERT INTO citations (message_id, number, document, start, "end", quote, anchors) VALUES (?, ?, ?, ?, ?, ?, ?)',
      );
      for (const one of citations) {
        const { number, document, start, end, quote, anchors } = one;
        cite.run(message, number, JSON.stringify(document), start, end, quote, JSON.stringify(anchors));
      }
      return Number(id);
    })
    .immediate();
}

export function removeConversation(db: Database, id: number): void {
  db.transaction(() => {
    const messages = 'SELECT id FROM messages WHERE conversation_id = ?';
    db.prepare(`DELETE FROM citations WHERE message_id IN (${messages})`).run(id);
    db.prepare('DELETE FROM messages WHERE conversation_id = ?').run(id);
    db.prepare('DELETE FROM conversations WHERE id = ?').run(id);
  }).immediate();
}

export function saveEvaluationRun(db: Database, run: StoredRun): void {
  db.prepare(
    'INSERT OR REPLACE INTO evaluation_runs (id, created_at_ms, setup, measures, ranks) VALUES (?, ?, ?, ?, ?)',
  ).run(run.id, run.createdAtMs, run.setup, JSON.stringify(run.measures), JSON.stringify(run.ranks));
}

export function setSetting(db: Database, key: string, value: string): void {
  db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)').run(key, value);
}

/** Merges keyword segments in small steps, then lets SQLite look at its indexes and empty the journal. */
export function optimise(db: Database): void {
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck();
  const merge = db.prepare("INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('merge', ?)");
  // A negative number of pages begins merging everything into one segment; positive ones carry it on.
  for (let step = 0; step < limits.maxMergeSteps; step++) {
    const before = changes.get()!;
    merge.run(step === 0 ? -limits.mergePages : limits.mergePages);
    // The documented sign that nothing was left to merge.
    if (changes.get()! - before < 2) break;
  }
  db.pragma('optimize');
  db.pragma('wal_checkpoint(PASSIVE)');
}
