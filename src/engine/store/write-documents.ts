/** How does a document get into the library, and out of it? */
import type { Database, Statement } from 'better-sqlite3';
import { AppError } from '../../api/errors.ts';
import { lastName } from '../../api/member-path.ts';
import { PARSER_VERSION } from '../config.ts';
import { raiseGeneration } from './meta.ts';
import type { PackedBatch } from './pack-batch.ts';
import type { Synchronous } from './thread-calls.ts';
import type {
  ChunkVectors,
  DocumentFailure,
  FileStamp,
  FinishedDocument,
  StoreWriter,
  WholeDocument,
} from './types.ts';
import { BatchWriter, nothingWritten, type Written } from './write-batch.ts';

type DocumentWrites = Pick<
  StoreWriter,
  | 'beginDocument'
  | 'appendBatch'
  | 'finishDocument'
  | 'failDocument'
  | 'abandonDocument'
  | 'writeDocuments'
  | 'touchDocument'
  | 'distrust'
  | 'removeDocuments'
>;

/**
 * Writes documents over the one writing connection. Rows of a document that is being written are in the tables at once and
 * invisible until its own row says otherwise; every method is one transaction.
 */
export class DocumentWriter implements Synchronous<DocumentWrites> {
  private readonly db: Database;
  private readonly sql: ReturnType<typeof statements>;
  private readonly batches: BatchWriter;
  private readonly open = new Map<number, Written>();

  constructor(db: Database) {
    this.db = db;
    this.sql = statements(db);
    this.batches = new BatchWriter(db);
  }

  /** Removes what a crash left unfinished; for the opening of a library. Returns how many documents. */
  sweep(): number {
    const leftovers = this.db
      .prepare<[], number>('SELECT id FROM documents WHERE is_visible = 0')
      .pluck()
      .all();
    for (const id of leftovers) this.db.transaction(() => this.erase(id)).immediate();
    return leftovers.length;
  }

  beginDocument(folderId: number, file: FileStamp): number {
    const written = this.begin(folderId, file);
    this.open.set(written.documentId, written);
    return written.documentId;
  }

  appendBatch(documentId: number, batch: PackedBatch, vectors?: ChunkVectors): void {
    const written = this.written(documentId);
    const next = this.db.transaction(() => this.batches.write(written, batch, vectors)).immediate();
    this.open.set(documentId, next);
  }

  finishDocument(documentId: number, result: FinishedDocument): void {
    const written = this.written(documentId);
    this.db
      .transaction(() => {
        this.finish(written, result);
        raiseGeneration(this.db);
      })
      .immediate();
    this.open.delete(documentId);
  }

  failDocument(documentId: number, failure: DocumentFailure): void {
    const written = this.written(documentId);
    this.db
      .transaction(() => {
        this.fail(written, failure);
        raiseGeneration(this.db);
      })
      .immediate();
    this.open.delete(documentId);
  }

  writeDocuments(folderId: number, documents: WholeDocument[]): number[] {
    return this.db
      .transaction(() => {
        const ids = documents.map((document) => this.writeWhole(folderId, document));
        raiseGeneration(this.db);
        return ids;
      })
      .immediate();
  }

  private writeWhole(folderId: number, document: WholeDocument): number {
    let written = this.begin(folderId, document.file);
    if ('failure' in document) this.fail(written, document.failure);
    else {
      const { batch, vectors, finished } = document;
      if (batch) written = this.batches.write(written, batch, vectors);
      this.finish(written, finished);
    }
    return written.documentId;
  }

  private begin(folderId: number, file: FileStamp): Written {
    const id = Number(
      this.sql.begin.run(
        folderId,
        file.path,
        lastName(file.path),
        day(file),
        file.sizeBytes,
        file.modifiedAtMs,
        PARSER_VERSION,
        file.isArchived ? 1 : 0,
        file.container ?? '',
      ).lastInsertRowid,
    );
    return nothingWritten(id, folderId, file.path);
  }

  private finish(written: Written, result: FinishedDocument): void {
    const { metadata } = result;
    this.eraseVisible(written.folderId, written.path);
    this.sql.finish.run({
      id: written.documentId,
      state: result.state,
      kind: metadata.kind,
      title: metadata.title,
      language: metadata.language,
      author: metadata.author ?? '',
      day: metadata.date?.slice(0, 10) ?? '',
      pages: metadata.pages ?? 0,
      encoding: metadata.encoding ?? '',
      contentHash: result.contentHash,
      reason: result.reason ?? '',
      message: result.message ?? '',
      warnings: JSON.stringify(result.warnings),
      blocks: written.blocks,
      length: written.length,
      chunks: written.chunks,
      firstChunk: written.firstChunkId,
      lastChunk: written.lastChunkId,
    });
  }

  private fail(written: Written, failure: DocumentFailure): void {
    this.eraseVisible(written.folderId, written.path);
    this.eraseContent(written.documentId);
    const { kind, contentHash, reason, message } = failure;
    this.sql.fail.run(kind ?? '', contentHash ?? '', reason, message, written.documentId);
  }

  abandonDocument(documentId: number): void {
    this.written(documentId);
    this.db.transaction(() => this.erase(documentId)).immediate();
    this.open.delete(documentId);
  }

  touchDocument(documentId: number, file: FileStamp): void {
    const changes = this.sql.touch.run(file.path, file.sizeBytes, file.modifiedAtMs, documentId).changes;
    if (changes === 0) throw notFound(documentId);
  }

  distrust(documentId: number): void {
    this.sql.distrust.run(documentId);
  }

  removeDocuments(ids: number[]): void {
    this.db
      .transaction(() => {
        for (const id of ids) {
          this.sql.forgetAsked.run(id);
          this.erase(id);
        }
        raiseGeneration(this.db);
      })
      .immediate();
  }

  /** All documents of a folder and the folder itself. */
  removeFolder(folderId: number): void {
    this.db
      .transaction(() => {
        const ids = this.db
          .prepare<[number], number>('SELECT id FROM documents WHERE folder_id = ?')
          .pluck()
          .all(folderId);
        for (const id of ids) {
          this.erase(id);
          this.open.delete(id);
        }
        this.db.prepare('DELETE FROM asked_documents WHERE folder_id = ?').run(folderId);
        this.db.prepare('DELETE FROM folders WHERE id = ?').run(folderId);
        raiseGeneration(this.db);
      })
      .immediate();
  }

  private written(documentId: number): Written {
    const written = this.open.get(documentId);
    if (written === undefined) throw notFound(documentId);
    return written;
  }

  private eraseVisible(folderId: number, path: string): void {
    const old = this.sql.visibleAt.get(folderId, path);
    if (old !== undefined) this.erase(old);
  }

  private erase(documentId: number): void {
    this.eraseContent(documentId);
    this.sql.deleteDocument.run(documentId);
  }

  private eraseContent(documentId: number): void {
    // Keyword rows and vectors hang on chunk identifiers, so they go first.
    for (const table of this.sql.byChunk) table.run(documentId);
    for (const table of this.sql.byDocument) table.run(documentId);
  }
}

function statements(db: Database) {
  return {
    begin:
      db.prepare(`INSERT INTO documents (folder_id, path, title, day, size_bytes, modified_at_ms, parser_version,
        is_archived, container) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    finish: db.prepare(`UPDATE documents SET is_visible = 1, state = :state, kind = :kind, title = :title,
      language = :language, author = :author, day = CASE WHEN :day = '' THEN day ELSE :day END, pages = :pages,
      encoding = :encoding, content_hash = :contentHash, reason = :reason, message = :message, warnings = :warnings,
      block_count = :blocks, length = :length, chunk_count = :chunks, first_chunk_id = :firstChunk,
      last_chunk_id = :lastChunk WHERE id = :id`),
    fail: db.prepare(`UPDATE documents SET is_visible = 1, state = 'failed', kind = ?, content_hash = ?, reason = ?,
      message = ? WHERE id = ?`),
    touch: db.prepare(
      'UPDATE documents SET path = ?, size_bytes = ?, modified_at_ms = ? WHERE id = ? AND is_visible = 1',
    ),
    distrust: db.prepare("UPDATE documents SET content_hash = '', parser_version = 0 WHERE id = ?"),
    visibleAt: db
      .prepare<[number, string], number>(
        'SELECT id FROM documents WHERE folder_id = ? AND path = ? AND is_visible = 1',
      )
      .pluck(),
    forgetAsked: db.prepare(`DELETE FROM asked_documents
      WHERE (folder_id, path) = (SELECT folder_id, path FROM documents WHERE id = ?)`),
    deleteDocument: db.prepare('DELETE FROM documents WHERE id = ?'),
    byChunk: [
      db.prepare('DELETE FROM chunk_terms WHERE rowid IN (SELECT id FROM chunks WHERE document_id = ?)'),
      db.prepare(`DELETE FROM vectors WHERE id IN (
        SELECT (f.id << 40) + c.id FROM chunks c CROSS JOIN fingerprints f WHERE c.document_id = ?)`),
    ],
    byDocument: ['chunks', 'blocks', 'sheet_rows', 'sheet_tables'].map(
      (table): Statement<[number]> => db.prepare<[number]>(`DELETE FROM ${table} WHERE document_id = ?`),
    ),
  };
}

/** A range of a document's text, as a query's named parameters. */
export interface DocumentRange {
  document: number;
  start: number;
  end: number;
}

/**
 * Blocks of a document that overlap a range: parameters :document, :start, :end. The first one is found by its own start, so
 * that the index is entered at one place however long the document is.
 */
export function blocksInRangeSql(columns: string): string {
  return `SELECT ${columns} FROM blocks
    WHERE document_id = :document
      AND start >= ifnull((SELECT max(start) FROM blocks WHERE document_id = :document AND start <= :start), 0)
      AND start < :end AND start + length > :start
    ORDER BY start`;
}

function day(file: FileStamp): string {
  const date = new Date(file.modifiedAtMs);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

function notFound(documentId: number): AppError {
  return new AppError(
    'DOCUMENT_NOT_FOUND',
    `Writing a document failed: ${documentId} is not in the library: index its folder again.`,
  );
}
