/** Which folders and documents does a library hold? */
import type { Database } from 'better-sqlite3';
import type { ReasonCode } from '../../api/errors.ts';
import { type LedgerFilter, ledgerStateOf } from '../../api/ledger.ts';
import type { DocumentKind, DocumentRow, DocumentState, Folder, Language } from '../../api/types.ts';
import { FoldedPaths } from './folded-paths.ts';
import { ledgerCondition, stateCondition } from './ledger-conditions.ts';
import { type ScopeCondition, scopeCondition } from './scope.ts';
import type { KnownFile, LedgerPart, MemberCount } from './types.ts';

interface DocumentRecord {
  id: number;
  folder_id: number;
  path: string;
  title: string;
  kind: string;
  state: string;
  size_bytes: number;
  modified_at_ms: number;
  language: string;
  pages: number;
  author: string;
  is_archived: number;
  reason: string;
  message: string;
  warnings: string;
  container: string;
}

const columns = `d.id, d.folder_id, d.path, d.title, d.kind, d.state, d.size_bytes, d.modified_at_ms, d.language, d.pages,
  d.author, d.is_archived, d.reason, d.message, d.warnings, d.container`;

function toRow(record: DocumentRecord): DocumentRow {
  const row: Omit<DocumentRow, 'ledgerState'> = {
    id: record.id,
    folderId: record.folder_id,
    path: record.path,
    title: record.title,
    state: record.state as DocumentState,
    sizeBytes: record.size_bytes,
    modifiedAtMs: record.modified_at_ms,
    language: record.language as Language,
    isArchived: record.is_archived === 1,
    warnings: JSON.parse(record.warnings),
    ...(record.kind !== '' && { kind: record.kind as DocumentKind }),
    ...(record.pages > 0 && { pages: record.pages }),
    ...(record.author !== '' && { author: record.author }),
    ...(record.reason !== '' && { reason: record.reason as ReasonCode }),
    ...(record.message !== '' && { message: record.message }),
    ...(record.container !== '' && { container: record.container }),
  };
  return { ...row, ledgerState: ledgerStateOf(row) };
}

export const noCounts = (): Record<DocumentState, number> => ({ indexed: 0, waiting: 0, failed: 0 });

export function readFolders(db: Database): Folder[] {
  const counts = db
    .prepare<[], { folder_id: number; state: DocumentState; count: number }>(
      'SELECT folder_id, state, count(*) AS count FROM documents WHERE is_visible = 1 GROUP BY folder_id, state',
    )
    .all();
  return db
    .prepare<
      [],
      { id: number; path: string; name: string; is_unreachable: number; indexed_at_ms: number | null }
    >('SELECT id, path, name, is_unreachable, indexed_at_ms FROM folders ORDER BY id')
    .all()
    .map((folder) => {
      const byState = noCounts();
      for (const row of counts) if (row.folder_id === folder.id) byState[row.state] = row.count;
      return {
        id: folder.id,
        path: folder.path,
        name: folder.name,
        counts: byState,
        isUnreachable: folder.is_unreachable === 1,
        ...(folder.indexed_at_ms !== null && { indexedAtMs: folder.indexed_at_ms }),
      };
    });
}

const knownColumns = 'id, path, size_bytes, modified_at_ms, state, content_hash, parser_version';

export const knownFilesSql = `SELECT ${knownColumns} FROM documents
  WHERE folder_id = ? AND id > ? AND is_visible = 1 AND container = '' ORDER BY id LIMIT ?`;

export const knownMembersSql = `SELECT ${knownColumns} FROM documents
  WHERE folder_id = ? AND container = ? AND container <> '' AND id > ? AND is_visible = 1 ORDER BY id LIMIT ?`;

export const memberCountsSql = `SELECT container, sum(state <> 'failed') AS read, sum(state = 'failed') AS failed
  FROM documents WHERE folder_id = ? AND container > ? AND container <> '' AND is_visible = 1
  GROUP BY container ORDER BY container LIMIT ?`;

/** By the index of members: almost all documents of most libraries are files. */
export const orphansSql = `SELECT d.id FROM documents d INDEXED BY documents_by_container
  WHERE d.folder_id = ? AND d.container <> '' AND d.is_visible = 1 AND NOT EXISTS (
    SELECT 1 FROM documents c WHERE c.folder_id = d.folder_id AND c.path = d.container AND c.is_visible = 1)
  LIMIT ?`;

type KnownRecord = DocumentRecord & { content_hash: string; parser_version: number };

export function readKnownFiles(db: Database, folderId: number, afterId: number, limit: number): KnownFile[] {
  return db
    .prepare<[number, number, number], KnownRecord>(knownFilesSql)
    .all(folderId, afterId, limit)
    .map(toKnownFile);
}

export function readKnownMembers(
  db: Database,
  folderId: number,
  container: string,
  afterId: number,
  limit: number,
): KnownFile[] {
  return db
    .prepare<[number, string, number, number], KnownRecord>(knownMembersSql)
    .all(folderId, container, afterId, limit)
    .map(toKnownFile);
}

function toKnownFile(record: KnownRecord): KnownFile {
  return {
    documentId: record.id,
    path: record.path,
    sizeBytes: record.size_bytes,
    modifiedAtMs: record.modified_at_ms,
    state: record.state as DocumentState,
    parserVersion: record.parser_version,
    ...(record.content_hash !== '' && { contentHash: record.content_hash }),
  };
}

export function readMemberCounts(
  db: Database,
  folderId: number,
  afterContainer: string,
  limit: number,
): MemberCount[] {
  return db
    .prepare<[number, string, number], MemberCount>(memberCountsSql)
    .all(folderId, afterContainer, limit);
}

export function readOrphans(db: Database, folderId: number, limit: number): number[] {
  return db.prepare<[number, number], number>(orphansSql).pluck().all(folderId, limit);
}

interface DocumentQuery extends LedgerPart {
  state?: LedgerFilter;
  isToRecognise?: boolean;
  limit: number;
  offset: number;
}

/** Nothing could be read yet, or a warning names pages that wait: see the PDF's page warnings. */
const toRecognise = `(d.state = 'waiting' OR d.warnings LIKE '%"pages-without-text"%' OR d.warnings LIKE '%"pages-with-bad-text"%')`;

/** In the order of folders and paths; what was left out is not among them. */
export function readDocuments(
  db: Database,
  query: DocumentQuery,
  scope: ScopeCondition | undefined,
): { total: number; rows: DocumentRow[] } {
  const { sql, values } = ledgerCondition(query, scope);
  const parts = [sql, ...(query.state === undefined ? [] : [stateCondition(query.state)])];
  if (query.isToRecognise) parts.push(toRecognise);
  const from = `FROM documents d WHERE ${parts.join(' AND ')}`;
  const total = db
    .prepare<(string | number)[], number>(`SELECT count(*) ${from}`)
    .pluck()
    .get(...values)!;
  const rows = db
    .prepare<(string | number)[], DocumentRecord>(
      `SELECT ${columns} ${from} ORDER BY d.folder_id, d.path LIMIT ? OFFSET ?`,
    )
    .all(...values, query.limit, query.offset)
    .map(toRow);
  return { total, rows };
}

export function readDocument(db: Database, id: number): DocumentRow | undefined {
  const record = db
    .prepare<[number], DocumentRecord>(
      `SELECT ${columns} FROM documents d WHERE d.id = ? AND d.is_visible = 1`,
    )
    .get(id);
  return record === undefined ? undefined : toRow(record);
}

/** The document at a path relative to its folder, by its absolute path, or by a file name that only one document has. */
export function readDocumentByPath(db: Database, path: string): DocumentRow | undefined {
  const condition = scopeCondition(db, { path, includeArchived: true }, new FoldedPaths(db));
  const rows = db
    .prepare<(string | number)[], DocumentRecord>(
      `SELECT ${columns} FROM documents d WHERE ${condition.sql} ORDER BY d.id LIMIT 2`,
    )
    .all(...condition.values);
  const exact = rows.find((row) => row.path === path) ?? (rows.length === 1 ? rows[0] : undefined);
  if (exact !== undefined) return toRow(exact);
  const pattern = path.replace(/[\\%_]/g, '\\$&');
  const named = db
    .prepare<[{ in_folder: string; in_document: string }], DocumentRecord>(
      `SELECT ${columns} FROM documents d WHERE d.is_visible = 1
        AND (d.path LIKE :in_folder ESCAPE '\\' OR d.path LIKE :in_document ESCAPE '\\') LIMIT 2`,
    )
    .all({ in_folder: `%/${pattern}`, in_document: `% » ${pattern}` });
  return named.length === 1 ? toRow(named[0]!) : undefined;
}

export function readContentHash(db: Database, documentId: number): string | undefined {
  const hash = db
    .prepare<[number], string>('SELECT content_hash FROM documents WHERE id = ? AND is_visible = 1')
    .pluck()
    .get(documentId);
  return hash === '' ? undefined : hash;
}

export function readCounts(db: Database, condition: ScopeCondition): Record<DocumentState, number> {
  const counts = noCounts();
  const rows = db
    .prepare<(string | number)[], { state: DocumentState; count: number }>(
      `SELECT d.state AS state, count(*) AS count FROM documents d WHERE ${condition.sql} GROUP BY d.state`,
    )
    .all(...condition.values);
  for (const row of rows) counts[row.state] = row.count;
  return counts;
}

export function readChunkCount(db: Database): number {
  return db
    .prepare<[], number>('SELECT ifnull(sum(chunk_count), 0) FROM documents WHERE is_visible = 1')
    .pluck()
    .get()!;
}
