/** How does one file become one document? Worker to store, batch by batch; visible at the end or not at all. */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import { files as limits } from './config.ts';
import type { Similarity } from './document.ts';
import { isArchivedPath } from './files/names.ts';
import type { ScannedFile } from './files/scan-folder.ts';
import type { DocumentFailure } from './index-messages.ts';
import type { ReadTimings } from './index-timings.ts';
import type { ParsePool } from './parse-pool.ts';
import type { FileStamp, StoreApi } from './store/types.ts';

export interface ReadingParts {
  store: StoreApi;
  pool: ParsePool;
  folderId: number;
  signal: AbortSignal;
  similarity?: Similarity;
  onTimings?: (timings: ReadTimings) => void;
}

type ReadOutcome =
  | { type: 'unchanged' }
  | { type: 'read'; documentId: number; chunks: number }
  | { type: 'failed'; documentId: number };

/** Reads a file into the store. A fault of the file is an outcome and is remembered; errors thrown are the store's or the signal's. */
export async function readDocument(
  parts: ReadingParts,
  file: ScannedFile,
  known?: { documentId: number; contentHash: string },
): Promise<ReadOutcome> {
  if (file.sizeBytes > limits.maxFileBytes) return rememberFailure(parts, file, tooLarge(file));
  const { store, pool, folderId, signal, similarity } = parts;
  let documentId: number | undefined;
  try {
    const reply = await pool.index(
      { path: file.absolutePath, name: path.basename(file.absolutePath), sizeBytes: file.sizeBytes },
      {
        signal,
        ...(known ? { knownHash: known.contentHash } : {}),
        ...(similarity ? { similarity } : {}),
        onBatch: async (batch) => {
          documentId ??= await store.beginDocument(folderId, stampOf(file));
          await store.appendBatch(documentId, batch);
        },
        onRestart: async () => {
          if (documentId !== undefined) await store.abandonDocument(documentId);
          documentId = undefined;
        },
      },
    );
    if (reply.type === 'unchanged') {
      if (known) await store.touchDocument(known.documentId, stampOf(file));
      return { type: 'unchanged' };
    }
    documentId ??= await store.beginDocument(folderId, stampOf(file));
    if (reply.type === 'failed') {
      await store.failDocument(documentId, reply.failure);
      return { type: 'failed', documentId };
    }
    await store.finishDocument(documentId, reply.document);
    parts.onTimings?.(reply.timings);
    return { type: 'read', documentId, chunks: reply.chunks };
  } catch (error) {
    if (documentId !== undefined) await store.abandonDocument(documentId);
    throw error;
  }
}

/** Writes down why a file was not even opened. */
export async function rememberFailure(
  parts: Pick<ReadingParts, 'store' | 'folderId'>,
  file: FileStamp,
  failure: DocumentFailure,
): Promise<ReadOutcome> {
  const documentId = await parts.store.beginDocument(parts.folderId, stampOf(file));
  await parts.store.failDocument(documentId, failure);
  return { type: 'failed', documentId };
}

interface ReadOneOptions {
  store: StoreApi;
  pool: ParsePool;
  folder: { id: number; path: string };
  /** Relative to the folder. */
  path: string;
  signal?: AbortSignal | undefined;
  similarity?: Similarity;
}

/** Reads one file again, whether or not it changed; returns its document. Errors: DOCUMENT_NOT_FOUND when the file is gone. */
export async function readOne(options: ReadOneOptions): Promise<number> {
  const { store, pool, folder, similarity } = options;
  const absolutePath = path.join(folder.path, options.path);
  const stats = await statFile(absolutePath);
  const file: ScannedFile = {
    type: 'file',
    path: options.path,
    absolutePath,
    sizeBytes: stats.size,
    modifiedAtMs: Math.trunc(stats.mtimeMs),
  };
  const signal = options.signal ?? new AbortController().signal;
  const parts = { store, pool, folderId: folder.id, signal, ...(similarity ? { similarity } : {}) };
  const outcome = await readDocument(parts, file);
  // Without a known hash nothing is ever found unchanged.
  if (outcome.type === 'unchanged') throw new Error('A document that was to be read was compared instead.');
  return outcome.documentId;
}

async function statFile(absolutePath: string): Promise<Stats> {
  try {
    return await stat(absolutePath);
  } catch (cause) {
    throw new AppError(
      'DOCUMENT_NOT_FOUND',
      `Reading again failed: ${absolutePath}: the file is gone; read its folder again.`,
      { cause },
    );
  }
}

function stampOf({ path: relative, sizeBytes, modifiedAtMs }: FileStamp): FileStamp {
  return { path: relative, sizeBytes, modifiedAtMs, isArchived: isArchivedPath(relative) };
}

function tooLarge(file: FileStamp): DocumentFailure {
  const gigabytes = limits.maxFileBytes / 1024 ** 3;
  return {
    reason: 'too-large',
    message: `The file was not read: ${path.basename(file.path)}: it is larger than ${gigabytes} GB; split it.`,
  };
}
