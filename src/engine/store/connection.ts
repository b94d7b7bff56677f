/** How is a library's database opened, and by whom? */
import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs';
import Database from 'better-sqlite3';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { AppError } from '../../api/errors.ts';
import { store as limits } from '../config.ts';
import { migrate } from './migrate.ts';

export interface OpenedLibrary {
  db: Database.Database;
  /** Holds the lock; closing it lets another process in. */
  lock: Database.Database;
  /** Where a damaged database was moved to, if one stood here. */
  setAside: string | undefined;
}

/**
 * Opens the library for writing: takes the lock, sets a damaged database aside, migrates. Throws LIBRARY_BUSY while another
 * process holds it and LIBRARY_NEWER when a newer Lectern wrote it; neither changes the file.
 */
export function openForWriting(path: string): OpenedLibrary {
  const lock = takeLock(path);
  try {
    const damaged = !isReadable(path);
    const setAside = damaged ? moveAside(path) : undefined;
    return { db: connect(path), lock, setAside };
  } catch (error) {
    // The edge of the writer's life: whatever failed, the lock must not outlive it.
    lock.close();
    throw error;
  }
}

function connect(path: string): Database.Database {
  const db = new Database(path, { timeout: limits.busyTimeoutMs });
  // Before the first table: pages of 8 KiB hold whole vectors and most blocks without overflow pages.
  db.pragma('page_size = 8192');
  migrateFirst(db, path);
  db.pragma('journal_mode = WAL');
  // In WAL mode NORMAL can't damage the library: a power cut may undo the last documents, and the next run reads them again.
  db.pragma('synchronous = NORMAL');
  prepare(db, limits.writerCacheKib, limits.writerMapBytes);
  return db;
}

function migrateFirst(db: Database.Database, path: string): void {
  db.pragma('foreign_keys = ON');
  migrate(db, path);
}

/** A connection that can't write; each reader thread holds one. */
export function openForReading(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: limits.busyTimeoutMs });
  prepare(db, limits.cacheKib, limits.mapBytes);
  return db;
}

function prepare(db: Database.Database, cacheKib: number, mapBytes: number): void {
  // A negative number counts in KiB.
  db.pragma(`cache_size = -${cacheKib}`);
  db.pragma(`mmap_size = ${mapBytes}`);
  db.pragma('temp_store = MEMORY');
  loadVectorFunctions(db);
}

/** The lock is SQLite's own on a second file: the system drops it with the process, however that ends. */
function takeLock(path: string): Database.Database {
  const lock = new Database(`${path}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new AppError(
      'LIBRARY_BUSY',
      `Opening the library failed: ${path} is in use by another Lectern: close that one first, or choose another library.`,
      { cause },
    );
  }
  return lock;
}

/** Where a damaged-while-in-use library is marked, so that the next opening looks at all of it. */
export const damageMark = (path: string): string => `${path}.suspect`;

/** False when the file is no database or its schema can't be read. A whole check would read gigabytes at each start. */
function isReadable(path: string): boolean {
  if (!existsSync(path)) return true;
  if (!hasHeader(path)) return false;
  const db = new Database(path, { timeout: limits.busyTimeoutMs });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    db.pragma('user_version');
    for (const name of ordinaryTables(db)) db.prepare(`SELECT * FROM "${name}" LIMIT 1`).get();
    return !existsSync(damageMark(path)) || db.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  } finally {
    db.close();
  }
}

function ordinaryTables(db: Database.Database): string[] {
  return db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .pluck()
    .all();
}

/** True for what SQLite says of a file whose content breaks its format. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Database.SqliteError)) return false;
  return error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB';
}

function hasHeader(path: string): boolean {
  const header = Buffer.alloc(16);
  const file = openSync(path, 'r');
  const length = readSync(file, header, 0, 16, 0);
  closeSync(file);
  return length === 0 || header.toString('latin1') === 'SQLite format 3\0';
}

/** Renames the database with its journals; nothing is deleted. */
function moveAside(path: string): string {
  const stamp = new Date().toISOString().replaceAll(':', '-');
  const aside = `${path}.damaged-${stamp}`;
  renameSync(path, aside);
  for (const suffix of ['-wal', '-shm', '.suspect']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}
