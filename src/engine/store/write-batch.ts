/** How do the pieces of a batch become rows of the library? */
import type { Database } from 'better-sqlite3';
import { indexing as limits } from '../config.ts';
import type { Table } from '../document.ts';
import { type PackedBatch, type PackedBlock, type PackedChunk, unpackBatch } from './pack-batch.ts';
import { toBytes } from './search-vectors.ts';
import type { ChunkVectors } from './types.ts';
import { fingerprintId } from './write-vectors.ts';

/** What has been written of a document so far. */
export interface Written {
  documentId: number;
  folderId: number;
  path: string;
  blocks: number;
  /** UTF-16 units of its text. */
  length: number;
  chunks: number;
  /** 0 while there is none. */
  firstChunkId: number;
  lastChunkId: number;
  /** The last blocks, at least `indexing.recentLength` of them. */
  recent: { start: number; text: string }[];
  recentLength: number;
}

export function nothingWritten(documentId: number, folderId: number, path: string): Written {
  return {
    ...{ documentId, folderId, path, blocks: 0, length: 0 },
    ...{ chunks: 0, firstChunkId: 0, lastChunkId: 0, recent: [], recentLength: 0 },
  };
}

/** Inserts rows over the one writing connection, within a transaction of its caller. */
export class BatchWriter {
  private readonly db: Database;
  private readonly sql: ReturnType<typeof statements>;

  constructor(db: Database) {
    this.db = db;
    this.sql = statements(db);
  }

  /**
   * Writes a batch and returns what is written then; `written` stays as it was, for the case that the transaction is undone.
   * @param vectors one for each chunk of the batch, in order
   */
  write(written: Written, batch: PackedBatch, vectors?: ChunkVectors): Written {
    const next = { ...written, recent: [...written.recent] };
    const { tables, blocks, chunks } = unpackBatch(batch);
    for (const table of tables) this.insertTable(next.documentId, table);
    for (const block of blocks) this.insertBlock(block, next);
    const insertVector = vectors && this.vectorInserter(vectors, chunks.length);
    chunks.forEach((chunk, index) => {
      const id = this.insertChunk(chunk, next);
      insertVector?.(id, index);
    });
    return next;
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

  private insertBlock({ kind, level, text, spans, row }: PackedBlock, written: Written): void {
    const { documentId, length } = written;
    const isHeader = row === undefined ? null : Number(row.isHeader);
    this.sql.block.run(
      documentId,
      written.blocks++,
      length,
      text.length,
      kind,
      level,
      row?.table ?? null,
      row?.row ?? null,
      isHeader,
      text,
      spans,
    );
    written.length += text.length;
    remember(written, length, text);
    if (row === undefined) return;
    this.sql.row.run(documentId, row.table, row.row, isHeader, row.cells);
    this.sql.growTable.run(row.row, row.cellCount, documentId, row.table);
  }

  private insertChunk(chunk: PackedChunk, written: Written): number {
    const { kind, start, end, path, terms } = chunk;
    const text = isSlice(chunk, written) ? null : chunk.text;
    const ordinal = written.chunks++;
    const { lastInsertRowid } = this.sql.chunk.run(
      written.documentId,
      ordinal,
      kind,
      start,
      end,
      terms.language,
      path,
      text,
    );
    const id = Number(lastInsertRowid);
    if (ordinal === 0) written.firstChunkId = id;
    written.lastChunkId = id;
    this.sql.terms.run(id, terms.title, terms.headings, terms.words, terms.stems);
    return id;
  }

  private vectorInserter({ fingerprint, dimensions, values }: ChunkVectors, chunks: number) {
    if (values.length !== chunks * dimensions) {
      throw new RangeError(`${values.length} numbers are no ${chunks} vectors of ${dimensions} dimensions`);
    }
    const number = fingerprintId(this.db, fingerprint, dimensions);
    return (chunkId: number, index: number) => {
      const vector = values.subarray(index * dimensions, (index + 1) * dimensions);
      this.sql.vector.run(number, chunkId, toBytes(vector));
    };
  }
}

function remember(written: Written, start: number, text: string): void {
  written.recent.push({ start, text });
  written.recentLength += text.length;
  while (written.recentLength - written.recent[0]!.text.length >= limits.recentLength) {
    written.recentLength -= written.recent.shift()!.text.length;
  }
}

/** True when the chunk's text can be read back from the blocks, so that it need not be kept twice. */
function isSlice({ start, end, text }: PackedChunk, { recent }: Written): boolean {
  if (text.length !== end - start || recent.length === 0 || recent[0]!.start > start) return false;
  // Most chunks end with the last blocks.
  let first = recent.length - 1;
  while (first > 0 && recent[first]!.start > start) first--;
  let slice = '';
  for (let at = first; at < recent.length && recent[at]!.start < end; at++) {
    const block = recent[at]!;
    slice += block.text.slice(Math.max(0, start - block.start), end - block.start);
  }
  return slice === text;
}

function statements(db: Database) {
  return {
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
    vector: db.prepare('INSERT INTO vectors (id, vector) VALUES ((? << 40) + CAST(? AS INTEGER), ?)'),
  };
}
