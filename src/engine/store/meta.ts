/** Which numbers does a library keep about itself? */
import type { Database } from 'better-sqlite3';

export function readMeta(db: Database, key: 'generation' | 'identity'): number {
  return db.prepare<[string], number>('SELECT value FROM meta WHERE key = ?').pluck().get(key) ?? 0;
}

/** Says that what is visible has changed. */
export function raiseGeneration(db: Database): void {
  db.prepare("UPDATE meta SET value = value + 1 WHERE key = 'generation'").run();
}
