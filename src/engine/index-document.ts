/** How does one file become one document? Worker to store, batch by batch; visible at the end or not at all. */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import { files as limits } from './config.ts';
import type { Similarity } from './document.ts';
import { isArchivedPath } from './files/names.ts';
import type { ScannedFile } from './files/scan-folder.ts';
import type { IndexReply } from './index-messages.ts';
import type { ReadTimings } from './index-timings.ts';
import { DocumentWrites, type PassageEmbedder } from './index-write.ts';
import type { ParsePool } from './parse-pool.ts';
import type { DocumentFailure, FileStamp, StoreApi } from './store/types.ts';

export interface ReadingParts {
  store: StoreApi;
  pool: ParsePool;
  writes: DocumentWrites;
  folderId: number;
  signal: AbortSignal;
  similarity?: Similarity;
  onTimings?: (timings: ReadTimings) => void;
  /** Asked before a failure is remembered; throws when it is the whole folder that can't be read. */
  refuseUnreachable?: () => Promise<void>;
}

export type ReadOutcome =
  | { type: 'unchanged' }
  | { type: 'read'; documentId: number; chunks: number }
  | { type: 'failed'; documentId: number };

/** A file that was read: its outcome once it is written. Meanwhile the next file is read. */
export interface Reading {
  written: Promise<ReadOutcome>;
}

/** Reads a file into the store. A fault of the file is an outcome and is remembered; errors thrown are the store's or the signal's. */
export async function readDocument(
  parts: ReadingParts,
  file: ScannedFile,
  known?: { documentId: number; contentHash: string },
): Promise<Reading> {
  if (file.sizeBytes > limits.maxFileBytes) return rememberFailure(parts, file, tooLarge(file));
  const { store, pool, writes, folderId, signal, similarity } = parts;
  const { features } = writes;
  // Only a document of several batches has a number before it is read to its end.
  let documentId: number | undefined;
  try {
    const reply = await pool.index(
      { path: file.absolutePath, name: path.basename(file.absolutePath), sizeBytes: file.sizeBytes },
      {
        signal,
        ...(known ? { knownHash: known.contentHash } : {}),
        ...(similarity ? { similarity } : {}),
        ...(features ? { features } : {}),
        onBatch: async (batch) => {
          documentId ??= await store.beginDocument(folderId, stampOf(file));
          await writes.append(documentId, batch);
        },
        onRestart: async () => {
          if (documentId !== undefined) await store.abandonDocument(documentId);
          documentId = undefined;
        },
      },
    );
    if (reply.type === 'unchanged') {
      if (known) await store.touchDocument(known.documentId, stampOf(file));
      return { written: Promise.resolve({ type: 'unchanged' }) };
    }
    if (reply.type === 'read') parts.onTimings?.(reply.timings);
    else await parts.refuseUnreachable?.();
    if (documentId === undefined) return await writeShort(parts, file, reply);
    await writeLong(parts, documentId, reply);
    return { written: Promise.resolve(outcomeOf(reply, documentId)) };
  } catch (error) {
    if (documentId !== undefined) await store.abandonDocument(documentId);
    throw error;
  }
}

type WrittenReply = Exclude<IndexReply, { type: 'unchanged' }>;

async function writeShort(
  { writes }: ReadingParts,
  file: ScannedFile,
  reply: WrittenReply,
): Promise<Reading> {
  const { written } = await writes.add(
    reply.type === 'failed'
      ? { file: stampOf(file), failure: reply.failure }
      : { file: stampOf(file), finished: reply.document, rest: reply.rest },
  );
  return { written: written.then((documentId) => outcomeOf(reply, documentId)) };
}

async function writeLong(parts: ReadingParts, documentId: number, reply: WrittenReply): Promise<void> {
  const { store, writes } = parts;
  if (reply.type === 'failed') {
    await store.failDocument(documentId, reply.failure);
    return;
  }
  if (reply.rest) await writes.append(documentId, reply.rest);
  await store.finishDocument(documentId, reply.document);
}

function outcomeOf(reply: WrittenReply, documentId: number): ReadOutcome {
  return reply.type === 'failed'
    ? { type: 'failed', documentId }
    : { type: 'read', documentId, chunks: reply.chunks };
}

/** Writes down why a file was not even opened. */
export async function rememberFailure(
  { writes }: Pick<ReadingParts, 'writes'>,
  file: FileStamp,
  failure: DocumentFailure,
): Promise<Reading> {
  const { written } = await writes.add({ file: stampOf(file), failure });
  return { written: written.then((documentId) => ({ type: 'failed', documentId })) };
}

interface ReadOneOptions {
  store: StoreApi;
  pool: ParsePool;
  folder: { id: number; path: string };
  /** Relative to the folder. */
  path: string;
  signal?: AbortSignal | undefined;
  similarity?: Similarity;
  /** Makes its vectors. */
  embedder?: PassageEmbedder | undefined;
}

/** Reads one file again, whether or not it changed; returns its document. Errors: DOCUMENT_NOT_FOUND when the file is gone. */
export async function readOne(options: ReadOneOptions): Promise<number> {
  const { store, pool, folder, similarity, embedder } = options;
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
  const writes = new DocumentWrites({ store, folderId: folder.id, embedder, signal });
  const parts = { store, pool, writes, folderId: folder.id, signal, ...(similarity ? { similarity } : {}) };
  const { written } = await readDocument(parts, file);
  await writes.drain();
  const outcome = await written;
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
