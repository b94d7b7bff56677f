/** Which bytes does the page get for a document, and may it have them? */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import { lastName, memberChain } from '../api/member-path.ts';
import type { DocumentKind, DocumentRow } from '../api/types.ts';
import { PARSER_VERSION } from './config.ts';
import { isInside } from './folder-service.ts';
import type { OuterFile } from './member-files.ts';
import type { ParsePool } from './parse-pool.ts';
import { type RecognisedPages, recognisedPath } from './recognised-pages.ts';
import type { StoreApi } from './store/types.ts';

/** original: the file itself. view: what the engine made of it for showing (HTML, DOCX, text). */
export type DocumentPart = 'original' | 'view';

/** A file that may be served. */
export interface OpenedDocument {
  path: string;
  /** Content type from our own table, never from the file. */
  type: string;
  sizeBytes: number;
  /** Name for saving. */
  name: string;
}

const originalTypes: Record<DocumentKind, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  // Served as plain text: the page sanitises it first, and nothing else may show it as a page of our origin.
  html: 'text/plain',
  markdown: 'text/plain',
  text: 'text/plain',
  code: 'text/plain',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ppt: 'application/vnd.ms-powerpoint',
  odt: 'application/vnd.oasis.opendocument.text',
  rtf: 'application/rtf',
  doc: 'application/msword',
  epub: 'application/epub+zip',
  mhtml: 'text/plain',
  xml: 'text/plain',
  notebook: 'text/plain',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  xls: 'application/vnd.ms-excel',
  xlsb: 'application/vnd.ms-excel.sheet.binary.macroEnabled.12',
  database: 'application/octet-stream',
  transcript: 'text/plain',
  note: 'text/plain',
  mail: 'application/octet-stream',
  mailbox: 'application/octet-stream',
  archive: 'application/octet-stream',
  image: 'application/octet-stream',
};

/** Kinds with a prepared view; the others open their original bytes or stored rows. */
const kindsWithView = new Set<DocumentKind>([
  'docx',
  'html',
  'markdown',
  'text',
  'code',
  'pptx',
  'odp',
  'ppt',
  'odt',
  'rtf',
  'doc',
  'epub',
  'mhtml',
  'xml',
  'notebook',
  'transcript',
  'note',
  'mail',
  'image',
  'archive',
  'mailbox',
]);

/** Views that are no text. */
const viewTypes: Partial<Record<DocumentKind, string>> = {
  docx: originalTypes.docx,
  image: originalTypes.pdf,
};

export function hasView(kind: DocumentKind | undefined): boolean {
  return kind !== undefined && kindsWithView.has(kind);
}

export interface OpenDocumentParts {
  store: StoreApi;
  pool: ParsePool;
  /** Folder for prepared views, named by content. */
  cachePath: string;
  /** What was recognised; a picture's view marks its words. */
  recognised?: RecognisedPages;
}

/** An indexed document and its file as it is now. */
export interface DocumentFile {
  row: DocumentRow;
  /** Real path, inside the folder; of a document inside another, that of a copy. */
  path: string;
  /** Real path of the file, with the names of what leads to the document inside it. */
  shownPath: string;
  sizeBytes: number;
  modifiedAtMs: number;
}

/**
 * The real path of a document's file; a document inside another is unpacked. DOCUMENT_NOT_FOUND if it isn't indexed, is gone,
 * or has moved outside its folder; DOCUMENT_UNREADABLE if it can't be unpacked.
 */
export async function documentFile(
  { store, pool }: Pick<OpenDocumentParts, 'store' | 'pool'>,
  id: number,
): Promise<DocumentFile> {
  const row = await store.document(id);
  const folder = row && (await store.folders()).find((candidate) => candidate.id === row.folderId);
  if (!row || !folder) {
    throw new AppError(
      'DOCUMENT_NOT_FOUND',
      `Opening a document failed: number ${id}: it is not in this library.`,
    );
  }
  const { container } = row;
  const outer = await realFile(folder.path, container ?? row.path);
  if (container === undefined || !pool.members) return { row, shownPath: outer.path, ...outer };
  const expected = { contentHash: await store.contentHash(id), modifiedAtMs: row.modifiedAtMs };
  const opened = await pool.members.open(outer, memberChain(row.path, container), expected);
  return { row, shownPath: outer.path + row.path.slice(container.length), ...opened };
}

async function realFile(folder: string, relative: string): Promise<OuterFile> {
  const full = path.join(folder, relative);
  try {
    const [real, realFolder] = await Promise.all([realpath(full), realpath(folder)]);
    const stats = await stat(real);
    if (stats.isFile() && isInside(real, realFolder)) {
      return { path: real, sizeBytes: stats.size, modifiedAtMs: stats.mtimeMs };
    }
  } catch (cause) {
    throw new AppError(
      'DOCUMENT_NOT_FOUND',
      `Opening a document failed: ${full}: the file is gone or can't be read; read its folder again.`,
      { cause },
    );
  }
  throw new AppError(
    'DOCUMENT_NOT_FOUND',
    `Opening a document failed: ${full}: it now points outside its folder; read the folder again.`,
  );
}

/** File of what was recognised of a document, with what changes when more is. */
async function recognisedOf(
  { store, recognised }: OpenDocumentParts,
  id: number,
): Promise<{ path: string; stamp: string } | undefined> {
  const contentHash = await store.contentHash(id);
  if (!recognised || contentHash === undefined) return undefined;
  const file = recognisedPath(recognised.folder, contentHash);
  const stats = await stat(file).catch(() => undefined);
  return { path: file, stamp: stats ? `${stats.size}` : '' };
}

/** Finds the bytes of a part; a view is made once per content and kept. */
export async function openDocument(
  parts: OpenDocumentParts,
  id: number,
  part: DocumentPart,
): Promise<OpenedDocument> {
  const file = await documentFile(parts, id);
  const kind = file.row.kind;
  const name = lastName(file.row.path);
  if (part === 'original') {
    const type = kind ? originalTypes[kind] : 'application/octet-stream';
    return { path: file.path, type, sizeBytes: file.sizeBytes, name };
  }
  if (!kind || !hasView(kind)) {
    throw new AppError(
      'DOCUMENT_NOT_FOUND',
      `Preparing a view failed: ${file.row.path}: this kind has none.`,
    );
  }
  const recognised = kind === 'image' ? await recognisedOf(parts, id) : undefined;
  const stamp = `${file.path}\0${file.sizeBytes}\0${file.modifiedAtMs}\0${kind}\0${PARSER_VERSION}\0${recognised?.stamp}`;
  const cached = path.join(parts.cachePath, createHash('sha256').update(stamp).digest('hex'));
  const type = viewTypes[kind] ?? 'text/plain; charset=utf-8';
  const known = await stat(cached).catch(() => undefined);
  if (known) return { path: cached, type, sizeBytes: known.size, name };
  const source = { path: file.path, name, sizeBytes: file.sizeBytes };
  const view = await parts.pool.view(
    kind,
    recognised ? { ...source, recognisedPath: recognised.path } : source,
  );
  // Written aside and renamed, so that a reader never meets half a view.
  const draft = `${cached}.${randomUUID()}`;
  await mkdir(parts.cachePath, { recursive: true });
  await writeFile(draft, view.bytes);
  await rename(draft, cached);
  return { path: cached, type, sizeBytes: view.bytes.byteLength, name };
}
