/** Which documents lie at a path that holds a word in any case and spelling? */
import type { Database } from 'better-sqlite3';
import { store as limits } from '../config.ts';
import { fold } from '../language/fold.ts';

/** As words are compared, for every name in a path. */
export function foldPath(path: string): string {
  return fold(path.replaceAll('\\', '/'));
}

/**
 * Paths as they are compared, remembered by one reading connection: SQLite folds ASCII only, and folding 50,000 paths takes a
 * tenth of a second. A document keeps its path for life, so that only new ones are read again.
 */
export class FoldedPaths {
  private readonly db: Database;
  private ids: number[] = [];
  private paths: string[] = [];

  constructor(db: Database) {
    this.db = db;
  }

  /** Identifiers of documents whose path, the folder's name in front, holds the part; some of them may be gone by now. */
  holding(part: string): number[] {
    const sought = foldPath(part);
    this.refresh();
    return this.ids.filter((_, index) => this.paths[index]!.includes(sought));
  }

  private refresh(): void {
    const count = this.db.prepare<[], number>('SELECT count(*) FROM documents').pluck().get()!;
    if (this.ids.length > 2 * count + limits.foldedPathsSlack) {
      this.ids = [];
      this.paths = [];
    }
    const added = this.db.prepare<[number], { id: number; path: string }>(
      `SELECT d.id, f.name || '/' || d.path AS path FROM documents d JOIN folders f ON f.id = d.folder_id
       WHERE d.id > ? ORDER BY d.id`,
    );
    for (const { id, path } of added.iterate(this.ids.at(-1) ?? 0)) {
      this.ids.push(id);
      this.paths.push(foldPath(path));
    }
  }
}
