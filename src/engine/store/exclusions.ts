/** What was left out of the folders? */
import type { Database } from 'better-sqlite3';
import type { Exclusion, ExclusionReason } from '../../api/ledger.ts';

type Stored = [path: string, reason: ExclusionReason][];

/** Replaces a folder's list where it changed. In the order given. */
export function writeExclusions(db: Database, folderId: number, list: Omit<Exclusion, 'folderId'>[]): void {
  const text = JSON.stringify(list.map(({ path, reason }): Stored[number] => [path, reason]));
  const known = db
    .prepare<[number], string>('SELECT list FROM exclusions WHERE folder_id = ?')
    .pluck()
    .get(folderId);
  if (known === text || (known === undefined && list.length === 0)) return;
  db.prepare('INSERT OR REPLACE INTO exclusions (folder_id, list) VALUES (?, ?)').run(folderId, text);
}

/** In the order of folders and paths. */
export function readExclusions(
  db: Database,
  { folderId, text }: { folderId?: number; text?: string },
): Exclusion[] {
  const wanted = text?.trim().toLowerCase() ?? '';
  return db
    .prepare<[], { folder_id: number; list: string }>(
      'SELECT folder_id, list FROM exclusions ORDER BY folder_id',
    )
    .all()
    .filter((row) => folderId === undefined || row.folder_id === folderId)
    .flatMap((row) =>
      (JSON.parse(row.list) as Stored).map(([path, reason]) => ({ folderId: row.folder_id, path, reason })),
    )
    .filter(({ path }) => path.toLowerCase().includes(wanted))
    .sort((a, b) => a.folderId - b.folderId || (a.path < b.path ? -1 : 1));
}

export function countExclusions(db: Database, part: { folderId?: number; text?: string }): number {
  return readExclusions(db, part).length;
}
