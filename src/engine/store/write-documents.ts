/** How does a document get into the library, and out of it? */
import type { Database, Statement } from 'better-sqlite3';
import { AppError } from '../../api/errors.ts';
import { PARSER_VERSION } from '../config.ts';
import type { Block, Table } from '../document.ts';
import { raiseGeneration } from './meta.ts';
import { packSpans } from './pack-spans.ts';
import type { Synchronous } from './thread-calls.ts';
import type { DocumentBatch, FileStamp, FinishedDocument, StoreWriter } from './types.ts';

type DocumentWrites = Pick<
  StoreWriter,
  | 'beginDocument'
  | 'appendBatch'
  | 'finishDocument'
  | 'failDocument'
  | 'abandonDocument'
  | 'touchDocument'
  | 'removeDocuments'
>;
/** What has been written of a document so far. */
interface Written {
  folderId: number;
  path: string;
  blocks: number;
  length: number;
  chunks: number;
  firstChunkId: number;
}

type Failure = Parameters<StoreWriter['failDocument']>[1];

/**
 * Writes documents over the one writing connection. Rows of a document that is being written are in the tables at once and
 * invisible until its own row says otherwise; every method is one transaction.
 */
export class DocumentWriter implements Synchronous<DocumentWrites> {
  private readonly db: Database;
  private readonly sql: ReturnType<typeof statements>;
  private readonly open = new Map<number, Written>();

  constructor(db: Database) {
    this.db = db;
    this.sql = statements(db);
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
      ).lastInsertRowid,
    );
    this.open.set(id, { folderId, path: file.path, blocks: 0, length: 0, chunks: 0, firstChunkId: 0 });
    return id;
  }

  appendBatch(documentId: number, batch: DocumentBatch): void {
    const written = this.written(documentId);
    // On a copy: when the transaction is undone, so is the count.
    const next = { ...written };
    this.db
      .transaction(() => {
        for (const table of batch.tables) this.insertTable(documentId, table);
        for (const block of batch.blocks) this.insertBlock(documentId, block, next);
        for (const entry of batch.chunks) this.insertChunk(documentId, entry, next);
      })
      .immediate();
    Object.assign(written, next);
  }

  private insertTable(documentId: number, table: Table): void {
    const { columns, merges, widths } = table;
    this.sql.table.run(
      documentId,
      table.table,
      table.name,
      table.isSheet ? 1 : 0,
      table.isHidden ? 1 : 0,
      ...[columns, merges, widths].map((list) => JSON.stringify(list)),
      columns.length,
    );
  }

  private insertBlock(documentId: number, block: Block, written: Written): void {
    const { row } = block;
    this.sql.block.run(
      documentId,
      written.blocks++,
      written.length,
      block.text.length,
      block.kind,
      block.level ?? 0,
      row?.table ?? null,
      row?.row ?? null,
      row === undefined ? null : Number(row.isHeader),
      block.text,
      packSpans(block.spans),
    );
    written.length += block.text.length;
    if (row === undefined) return;
    const cells = row.cells.map((cell) => (cell.value === undefined ? cell.text : [cell.text, cell.value]));
    this.sql.row.run(documentId, row.table, row.row, row.isHeader ? 1 : 0, JSON.stringify(cells));
    this.sql.growTable.run(row.row, row.cells.length, documentId, row.table);
  }

  private insertChunk(documentId: number, entry: DocumentBatch['chunks'][number], written: Written): void {
    const { chunk, terms } = entry;
    const text = this.isSlice(documentId, chunk) ? null : chunk.text;
    const id = Number(
      this.sql.chunk.run(
        documentId,
        written.chunks++,
        chunk.kind,
        chunk.start,
        chunk.end,
        terms.language,
        JSON.stringify(chunk.headings),
        text,
      ).lastInsertRowid,
    );
    if (written.firstChunkId === 0) written.firstChunkId = id;
    this.sql.terms.run(id, terms.title, terms.headings, terms.words, terms.stems);
  }

  /** True when the chunk's text can be read back from the blocks, so that it need not be kept twice. */
  private isSlice(documentId: number, chunk: { start: number; end: number; text: string }): boolean {
    if (chunk.text.length !== chunk.end - chunk.start) return false;
    let slice = '';
    for (const { start, text } of this.sql.blocksIn.iterate({
      document: documentId,
      start: chunk.start,
      end: chunk.end,
    })) {
      slice += text.slice(Math.max(0, chunk.start - start), chunk.end - start);
    }
    return slice === chunk.text;
  }

  finishDocument(documentId: number, result: FinishedDocument): void {
    const written = this.written(documentId);
    const { metadata } = result;
    this.db
      .transaction(() => {
        this.eraseVisible(written.folderId, written.path);
        this.sql.finish.run({
          id: documentId,
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
        });
        this.sql.countChunks.run(documentId, documentId, documentId, documentId);
        raiseGeneration(this.db);
      })
      .immediate();
    this.open.delete(documentId);
  }

  failDocument(documentId: number, failure: Failure): void {
    const written = this.written(documentId);
    this.db
      .transaction(() => {
        this.eraseVisible(written.folderId, written.path);
        this.eraseContent(documentId);
        this.sql.fail.run(
          failure.kind ?? '',
          failure.contentHash ?? '',
          failure.reason,
          failure.message,
          documentId,
        );
        raiseGeneration(this.db);
      })
      .immediate();
    this.open.delete(documentId);
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

  removeDocuments(ids: number[]): void {
    this.db
      .transaction(() => {
        for (const id of ids) this.erase(id);
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
        is_archived) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    block: db.prepare(`INSERT INTO blocks
      (document_id, ordinal, start, length, kind, level, table_number, row, is_header, text, spans)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    table: db.prepare(`INSERT INTO sheet_tables
      (document_id, number, name, is_sheet, is_hidden, columns, merges, widths, column_count)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    row: db.prepare(
      'INSERT INTO sheet_rows (document_id, table_number, row, is_header, cells) VALUES (?, ?, ?, ?, ?)',
    ),
    growTable:
      db.prepare(`UPDATE sheet_tables SET last_row = max(last_row, ?), column_count = max(column_count, ?)
      WHERE document_id = ? AND number = ?`),
    chunk: db.prepare(`INSERT INTO chunks (document_id, ordinal, kind, start, "end", language, headings, text)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    terms: db.prepare(
      'INSERT INTO chunk_terms (rowid, title, headings, words, stems) VALUES (?, ?, ?, ?, ?)',
    ),
    blocksIn: db.prepare<DocumentRange, { start: number; text: string }>(blocksInRangeSql('start, text')),
    finish: db.prepare(`UPDATE documents SET is_visible = 1, state = :state, kind = :kind, title = :title,
      language = :language, author = :author, day = CASE WHEN :day = '' THEN day ELSE :day END, pages = :pages,
      encoding = :encoding, content_hash = :contentHash, reason = :reason, message = :message, warnings = :warnings,
      block_count = :blocks, length = :length WHERE id = :id`),
    countChunks: db.prepare(`UPDATE documents SET
      chunk_count = (SELECT count(*) FROM chunks WHERE document_id = ?),
      first_chunk_id = (SELECT ifnull(min(id), 0) FROM chunks WHERE document_id = ?),
      last_chunk_id = (SELECT ifnull(max(id), 0) FROM chunks WHERE document_id = ?) WHERE id = ?`),
    fail: db.prepare(`UPDATE documents SET is_visible = 1, state = 'failed', kind = ?, content_hash = ?, reason = ?,
      message = ? WHERE id = ?`),
    touch: db.prepare(
      'UPDATE documents SET path = ?, size_bytes = ?, modified_at_ms = ? WHERE id = ? AND is_visible = 1',
    ),
    visibleAt: db
      .prepare<[number, string], number>(
        'SELECT id FROM documents WHERE folder_id = ? AND path = ? AND is_visible = 1',
      )
      .pluck(),
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

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
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
