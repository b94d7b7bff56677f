/** What do chunks, blocks and sheets say? */
import type { Database } from 'better-sqlite3';
import type { DocumentKind, Language, SheetInfo, SheetRows } from '../../api/types.ts';
import type { Block, ChunkKind } from '../document.ts';
import { unpackSpans } from './pack-spans.ts';
import type { StoredBlock, StoredChunk } from './types.ts';
import { blocksInRangeSql, type DocumentRange } from './write-documents.ts';

interface TextRecord {
  chunkId: number;
  start: number;
  end: number;
  language: string;
  text: string | null;
  textStart: number;
  blocks: string | null;
}

interface ChunkRecord extends TextRecord {
  documentId: number;
  folderId: number;
  path: string;
  title: string;
  documentKind: string;
  isArchived: number;
  documentLanguage: string;
  modifiedAtMs: number;
  kind: string;
  ordinal: number;
  headings: string;
}

/**
 * The blocks that a chunk lies in, as one text that begins at `textStart`; NULL where the chunk keeps a text of its own. One
 * statement for all takes a third of the time of one for the chunk and one for its blocks.
 */
const firstBlock = `(SELECT ifnull(max(start), 0) FROM blocks WHERE document_id = c.document_id AND start <= c.start)`;
const textColumns = `c.id AS chunkId, c.start, c."end" AS "end", c.language, c.text, ${firstBlock} AS textStart,
  CASE WHEN c.text IS NULL THEN
    (SELECT group_concat(b.text, '' ORDER BY b.start) FROM blocks b
     WHERE b.document_id = c.document_id AND b.start >= ${firstBlock} AND b.start < c."end")
  END AS blocks`;

const chunkColumns = `${textColumns}, d.id AS documentId, d.folder_id AS folderId, d.path, d.title, d.kind AS documentKind,
  d.is_archived AS isArchived, d.language AS documentLanguage, d.modified_at_ms AS modifiedAtMs, c.kind, c.ordinal, c.headings
  FROM chunks c JOIN documents d ON d.id = c.document_id AND d.is_visible = 1`;

export const textsSql = `SELECT ${textColumns} FROM chunks c WHERE c.id IN (SELECT value FROM json_each(?))`;

export const chunksSql = `SELECT ${chunkColumns} WHERE c.id IN (SELECT value FROM json_each(?))`;

export const chunksByOrdinalSql = `SELECT ${chunkColumns} WHERE c.document_id = ? AND c.ordinal BETWEEN ? AND ?
  AND c.kind IN ('prose', 'code', 'rows') ORDER BY c.ordinal`;

function textOf({ start, end, text, textStart, blocks }: TextRecord): string {
  return text ?? (blocks ?? '').slice(start - textStart, end - textStart);
}

/** A range of a document's text, put together from its blocks. */
export function readSlice(db: Database, document: number, start: number, end: number): string {
  return db
    .prepare<DocumentRange, { start: number; text: string }>(blocksInRangeSql('start, text'))
    .all({ document, start, end })
    .map((block) => block.text.slice(Math.max(0, start - block.start), end - block.start))
    .join('');
}

/** Texts of chunks, in no order; those that are gone are left out. */
export function readTexts(
  db: Database,
  ids: number[],
): { chunkId: number; text: string; language: Language }[] {
  return db
    .prepare<[string], TextRecord>(textsSql)
    .all(JSON.stringify(ids))
    .map((record) => ({
      chunkId: record.chunkId,
      text: textOf(record),
      language: record.language as Language,
    }));
}

function toChunk(record: ChunkRecord): StoredChunk {
  return {
    chunkId: record.chunkId,
    document: {
      id: record.documentId,
      folderId: record.folderId,
      path: record.path,
      title: record.title,
      kind: record.documentKind as DocumentKind,
      isArchived: record.isArchived === 1,
      language: record.documentLanguage as Language,
      modifiedAtMs: record.modifiedAtMs,
    },
    kind: record.kind as ChunkKind,
    ordinal: record.ordinal,
    start: record.start,
    end: record.end,
    text: textOf(record),
    headings: JSON.parse(record.headings),
    language: record.language as Language,
  };
}

/** In the order asked for; those that are gone are left out. */
export function readChunks(db: Database, ids: number[]): StoredChunk[] {
  const records = db.prepare<[string], ChunkRecord>(chunksSql).all(JSON.stringify(ids));
  const byId = new Map(records.map((record) => [record.chunkId, record]));
  return ids.flatMap((id) => {
    const record = byId.get(id);
    return record === undefined ? [] : [toChunk(record)];
  });
}

export function readChunksByOrdinal(
  db: Database,
  documentId: number,
  from: number,
  to: number,
): StoredChunk[] {
  return db
    .prepare<[number, number, number], ChunkRecord>(chunksByOrdinalSql)
    .all(documentId, from, to)
    .map(toChunk);
}

interface BlockRecord {
  ordinal: number;
  kind: string;
  start: number;
  text: string;
  spans: Uint8Array;
  table_number: number | null;
  row: number | null;
  is_header: number | null;
}

/** A range of one document's text. */
export interface TextRange {
  documentId: number;
  start: number;
  end: number;
}

export function readBlocks(db: Database, documentId: number, start: number, end: number): StoredBlock[] {
  return readBlocksOf(db, [{ documentId, start, end }])[0]!;
}

/** Blocks that overlap each range, whole; none of a document that is not visible. */
export function readBlocksOf(db: Database, ranges: TextRange[]): StoredBlock[][] {
  const isVisible = db.prepare('SELECT 1 FROM documents WHERE id = ? AND is_visible = 1');
  const read = db.prepare<DocumentRange, BlockRecord>(
    blocksInRangeSql('ordinal, kind, start, text, spans, table_number, row, is_header'),
  );
  const columns = new Map<string, string[]>();
  return ranges.map(({ documentId: document, start, end }) => {
    if (isVisible.get(document) === undefined) return [];
    return read.all({ document, start, end }).map((record) => {
      const block: StoredBlock = {
        ordinal: record.ordinal,
        kind: record.kind as Block['kind'],
        start: record.start,
        text: record.text,
        spans: unpackSpans(record.spans),
      };
      const { table_number: table, row, is_header: isHeader } = record;
      if (table === null || row === null) return block;
      const key = `${document} ${table}`;
      const known = columns.get(key) ?? readColumns(db, document, table);
      columns.set(key, known);
      return { ...block, row: { table, row, isHeader: isHeader === 1, columns: known } };
    });
  });
}

function readColumns(db: Database, documentId: number, table: number): string[] {
  const json = db
    .prepare<[number, number], string>(
      'SELECT columns FROM sheet_tables WHERE document_id = ? AND number = ?',
    )
    .pluck()
    .get(documentId, table);
  return json === undefined ? [] : JSON.parse(json);
}

interface SheetRecord {
  name: string;
  is_hidden: number;
  last_row: number;
  column_count: number;
  merges: string;
  widths: string;
  columns: string;
  first_row: number | null;
}

/** A sheet may hold several tables, divided by blank rows: together they are one sheet. */
export function readSheets(db: Database, documentId: number): SheetInfo[] {
  const sheets = new Map<string, SheetInfo>();
  const records = db
    .prepare<[number], SheetRecord>(
      `SELECT t.name, t.is_hidden, t.last_row, t.column_count, t.merges, t.widths, t.columns,
         (SELECT min(r.row) FROM sheet_rows r WHERE r.document_id = t.document_id AND r.table_number = t.number) AS first_row
       FROM sheet_tables t JOIN documents d ON d.id = t.document_id AND d.is_visible = 1
       WHERE t.document_id = ? AND t.is_sheet = 1 ORDER BY t.number`,
    )
    .all(documentId);
  for (const record of records) {
    const before = sheets.get(record.name);
    const widths: number[] = JSON.parse(record.widths);
    const columns: string[] = JSON.parse(record.columns);
    const hasNames = record.first_row !== null && columns.some((name) => name !== '');
    const header = { firstRow: record.first_row ?? 1, lastRow: record.last_row, columns };
    sheets.set(record.name, {
      name: record.name,
      isHidden: record.is_hidden === 1,
      rows: Math.max(record.last_row, before?.rows ?? 0),
      columns: Math.max(record.column_count, before?.columns ?? 0),
      merges: [...(before?.merges ?? []), ...JSON.parse(record.merges)],
      widths: before && before.widths.length > 0 ? before.widths : widths,
      headers: [...(before?.headers ?? []), ...(hasNames ? [header] : [])],
    });
  }
  return [...sheets.values()];
}

export const sheetRowsSql = `SELECT r.row, r.cells FROM sheet_tables t
  JOIN documents d ON d.id = t.document_id AND d.is_visible = 1
  JOIN sheet_rows r ON r.document_id = t.document_id AND r.table_number = t.number
  WHERE t.document_id = ? AND t.name = ? AND t.is_sheet = 1 AND r.row >= ? AND r.row < ? ORDER BY r.row`;

/** Rows as displayed, from row number `from`, at most `count` numbers on. */
export function readSheetRows(
  db: Database,
  documentId: number,
  sheet: string,
  from: number,
  count: number,
): SheetRows {
  const records = db
    .prepare<[number, string, number, number], { row: number; cells: string }>(sheetRowsSql)
    .all(documentId, sheet, from, from + count);
  return {
    rows: records.map(({ row, cells }) => ({ row, cells: (JSON.parse(cells) as unknown[]).map(display) })),
  };
}

function display(cell: unknown): string {
  return Array.isArray(cell) ? String(cell[0]) : String(cell);
}
