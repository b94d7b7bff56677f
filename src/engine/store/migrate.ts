/** How does a library written by an earlier version become a present one? */
import type { Database } from 'better-sqlite3';
import { AppError } from '../../api/errors.ts';
import { initial } from './migrations/001-initial.ts';
import { askedDocuments } from './migrations/002-asked-documents.ts';
import { vectorAdditions } from './migrations/003-vector-additions.ts';
import { members } from './migrations/004-members.ts';
import { exclusions } from './migrations/005-exclusions.ts';

export interface Migration {
  /** Value of user_version after it; consecutive from 1. */
  version: number;
  sql: string;
}

/** In order; a shipped one is never edited. */
export const migrations: readonly Migration[] = [
  initial,
  askedDocuments,
  vectorAdditions,
  members,
  exclusions,
];

/**
 * Brings a library to the newest version, each step whole or not at all. Throws LIBRARY_NEWER, and changes nothing, when a
 * newer Lectern wrote it.
 */
export function migrate(db: Database, path: string, steps: readonly Migration[] = migrations): void {
  const newest = steps.at(-1)?.version ?? 0;
  const version = readVersion(db);
  if (version > newest) {
    throw new AppError(
      'LIBRARY_NEWER',
      `Opening the library failed: ${path} was written by a newer Lectern (format ${version}, this one knows ${newest}): install the newer version, or choose another library.`,
    );
  }
  for (const step of steps) {
    if (step.version <= version) continue;
    db.transaction(() => {
      // Another process may have been faster between the look above and the lock.
      if (readVersion(db) >= step.version) return;
      db.exec(step.sql);
      db.pragma(`user_version = ${step.version}`);
    }).immediate();
  }
}

function readVersion(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}
