/** Which documents does a scope mean? */
import type { Database } from 'better-sqlite3';
import type { Scope } from '../../api/types.ts';
import { type FoldedPaths, foldPath } from './folded-paths.ts';

/** A condition on documents named `d`, with its parameters in order. */
export interface ScopeCondition {
  sql: string;
  values: (string | number)[];
}

/** Only what is whole is ever found. */
const visible = 'd.is_visible = 1';

/** The condition of a scope; without one, all that is visible and not archived. */
export function scopeCondition(db: Database, scope: Scope | undefined, paths: FoldedPaths): ScopeCondition {
  const parts = [visible];
  const values: (string | number)[] = [];
  const add = (sql: string, ...bound: (string | number)[]) => {
    parts.push(sql);
    values.push(...bound);
  };
  const named = [
    ...(scope?.path === undefined ? [] : [pathCondition(db, scope.path)]),
    ...(scope?.pathPart === undefined ? [] : [partCondition(db, scope.pathPart, paths)]),
  ];
  const path = named.length === 0 ? undefined : allOf(named);
  if (!meansArchived(db, scope, path)) add('d.is_archived = 0');
  if (scope?.folderId !== undefined) add('d.folder_id = ?', scope.folderId);
  if (scope?.documentId !== undefined) add('d.id = ?', scope.documentId);
  if (scope?.kinds !== undefined)
    add('d.kind IN (SELECT value FROM json_each(?))', JSON.stringify(scope.kinds));
  if (scope?.after !== undefined) add('d.day >= ?', scope.after);
  if (scope?.before !== undefined) add('d.day <= ?', scope.before);
  if (path) add(path.sql, ...path.values);
  return { sql: parts.join(' AND '), values };
}

/** Archived documents are meant by name: by identifier, or by a path under which nothing else stands. */
function meansArchived(db: Database, scope: Scope | undefined, path: ScopeCondition | undefined): boolean {
  if (scope?.includeArchived === true || scope?.documentId !== undefined) return true;
  if (!path) return false;
  const live = db
    .prepare(`SELECT 1 FROM documents d WHERE ${visible} AND d.is_archived = 0 AND ${path.sql} LIMIT 1`)
    .get(...path.values);
  return live === undefined;
}

function allOf(conditions: ScopeCondition[]): ScopeCondition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Documents whose path holds the part. */
function partCondition(db: Database, part: string, paths: FoldedPaths): ScopeCondition {
  // SQLite itself finds ASCII in any case; other letters, and a part that begins in the folder's name, need folding.
  if (!/^[\x20-\x7e]+$/.test(part) || /[%_\\/']|ss/i.test(part)) {
    return {
      sql: 'd.id IN (SELECT value FROM json_each(?))',
      values: [JSON.stringify(paths.holding(part))],
    };
  }
  const sought = foldPath(part);
  const folders = db.prepare<[], { id: number; name: string }>('SELECT id, name FROM folders').all();
  const whole = folders.filter(({ name }) => foldPath(name).includes(sought)).map(({ id }) => id);
  return {
    sql: '(d.folder_id IN (SELECT value FROM json_each(?)) OR d.path LIKE ?)',
    values: [JSON.stringify(whole), `%${part}%`],
  };
}

/** A path names a document, a folder inside any folder, a chosen folder by name or by absolute path, or a part of one. */
function pathCondition(db: Database, given: string): ScopeCondition {
  const path = given.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  const conditions = [below(path)];
  const folders = db
    .prepare<[], { id: number; path: string; name: string }>('SELECT id, path, name FROM folders')
    .all();
  for (const folder of folders) {
    for (const base of [folder.path.replaceAll('\\', '/').replace(/\/+$/, ''), folder.name]) {
      if (path === base) conditions.push({ sql: 'd.folder_id = ?', values: [folder.id] });
      if (!path.startsWith(`${base}/`)) continue;
      const rest = below(path.slice(base.length + 1));
      conditions.push({ sql: `d.folder_id = ? AND ${rest.sql}`, values: [folder.id, ...rest.values] });
    }
  }
  return {
    sql: `(${conditions.map((condition) => `(${condition.sql})`).join(' OR ')})`,
    values: conditions.flatMap((condition) => condition.values),
  };
}

/** The document itself, what lies below it as a folder, and what it holds as an archive. Ranges: LIKE would fold case and need escaping. */
function below(path: string): ScopeCondition {
  return {
    sql: '(d.path = ? OR (d.path >= ? AND d.path < ?) OR (d.path >= ? AND d.path < ?))',
    // "0" follows "/" and "¼" follows "»": the first strings behind all that begin with the prefix.
    values: [path, `${path}/`, `${path}0`, `${path} » `, `${path} ¼`],
  };
}
