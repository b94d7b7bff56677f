/** How does one file become one document? Worker to store, batch by batch; visible at the end or not at all. */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import { asFolders, lastName, memberChain } from '../api/member-path.ts';
import { files as limits } from './config.ts';
import type { Similarity } from './document.ts';
import { isArchivedPath } from './files/names.ts';
import type { ScannedFile } from './files/scan-folder.ts';
import { FileMembers, Turns } from './index-file-members.ts';
import { ContainerMembers, type MemberActions } from './index-members.ts';
import type { IndexReply } from './index-messages.ts';
import type { ReadTimings } from './index-timings.ts';
import { DocumentWrites, type PassageEmbedder } from './index-write.ts';
import type { IndexOptions, ParsePool } from './parse-pool.ts';
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
  members: MembersInRun;
}

/** What a run does about documents inside documents. */
export interface MembersInRun {
  turns: Turns;
  /** Members are read again though they are the same. Default false. */
  isForced?: boolean;
  /** True for a file in which the library is known to hold none. */
  isEmpty(path: string): boolean;
  /** Documents inside others: one is being read, one was read, some are as they were, some are gone. */
  onReading?(file: FileStamp): void;
  onRead?(file: FileStamp, reading: Reading): void;
  onKept?(counts: { read: number; failed: number }): void;
  onRemoved?(count: number): void;
}

/** A file to be read, or a document inside one that was written to a file of its own. */
export type FileToRead = Omit<ScannedFile, 'type'> & {
  /** Default: the last part of its path on disk. */
  name?: string;
  container?: string;
  /** All that is in the file around it, and how many documents are around it. */
  inside?: { file: FileMembers; depth: number };
};

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
  file: FileToRead,
  known?: { documentId: number; contentHash?: string },
): Promise<Reading> {
  if (file.sizeBytes > limits.maxFileBytes) return rememberFailure(parts, file, tooLarge(file));
  const { store, pool, writes, folderId, signal } = parts;
  // Only a document of several batches has a number before it is read to its end.
  let documentId: number | undefined;
  const members = membersOf(parts, file, known?.documentId);
  try {
    const reply = await pool.index(
      { path: file.absolutePath, name: nameOf(file), sizeBytes: file.sizeBytes },
      {
        signal,
        ...readingOptions(parts, known?.contentHash, members),
        onBatch: async (batch) => {
          documentId ??= await store.beginDocument(folderId, stampOf(file));
          await writes.append(documentId, batch);
        },
        onRestart: async () => {
          if (documentId !== undefined) await store.abandonDocument(documentId);
          documentId = undefined;
          members?.restart();
        },
      },
    );
    if (reply.type === 'unchanged') {
      if (known) await store.touchDocument(known.documentId, stampOf(file));
      return { written: Promise.resolve({ type: 'unchanged' }) };
    }
    if (reply.type === 'read') parts.onTimings?.(reply.timings);
    else if (!file.inside) await parts.refuseUnreachable?.();
    // What is inside is in the library before the container says so: a crash in between has it read again.
    await members?.finish(reply.type === 'read' || !passes(reply.failure));
    if (documentId === undefined) return await writeShort(parts, file, reply);
    if (members?.hasMembers) await writes.settle();
    await writeLong(parts, documentId, reply);
    return { written: Promise.resolve(outcomeOf(reply, documentId)) };
  } catch (error) {
    await members?.abandon();
    if (documentId !== undefined) await store.abandonDocument(documentId);
    throw error;
  }
}

function readingOptions(
  { similarity, writes: { features } }: ReadingParts,
  knownHash: string | undefined,
  members: ContainerMembers | undefined,
): Partial<IndexOptions> {
  return {
    ...(knownHash === undefined ? {} : { knownHash }),
    ...(similarity ? { similarity } : {}),
    ...(features ? { features } : {}),
    ...(members ? { members: { ...members.settings(), take: (member) => members.take(member) } } : {}),
  };
}

/** What will become of the documents inside a file; undefined where nobody can keep their bytes. */
function membersOf(
  parts: ReadingParts,
  file: FileToRead,
  documentId: number | undefined,
): ContainerMembers | undefined {
  const { pool, store, folderId, members } = parts;
  if (!pool.members) return undefined;
  const { path: at, sizeBytes, modifiedAtMs } = file;
  const inside = file.inside ?? {
    file: new FileMembers({
      ...{ store, folderId, path: at, sizeBytes },
      isForced: members.isForced ?? false,
      isEmpty: members.isEmpty(at),
      onRemoved: (count) => members.onRemoved?.(count),
    }),
    depth: 0,
  };
  return new ContainerMembers({
    ...inside,
    ...{ path: at, modifiedAtMs, turns: members.turns, folder: pool.members.newFolder() },
    actions: memberActions(parts, inside),
    begin: async () => {
      // Half of its members may be of today and half of yesterday: it must not pass for the one that was read then.
      if (documentId !== undefined) await store.distrust(documentId);
    },
  });
}

function memberActions(
  parts: ReadingParts,
  { file, depth }: NonNullable<FileToRead['inside']>,
): MemberActions {
  const { store, members } = parts;
  return {
    read: async ({ documentId, ...member }) => {
      members.onReading?.(member);
      const known = documentId === undefined ? undefined : { documentId };
      const reading = await readDocument(parts, { ...member, inside: { file, depth: depth + 1 } }, known);
      members.onRead?.(member, reading);
    },
    fail: async (member, failure) => {
      members.onReading?.(member);
      members.onRead?.(member, await rememberFailure(parts, member, failure));
    },
    keep: async (member, { documentId, isFailed, isTouched }) => {
      if (isTouched) await store.touchDocument(documentId, stampOf(member));
      members.onKept?.(isFailed ? { read: 0, failed: 1 } : { read: 1, failed: 0 });
    },
    keepBelow: (counts) => members.onKept?.(counts),
  };
}

type WrittenReply = Exclude<IndexReply, { type: 'unchanged' }>;

async function writeShort({ writes }: ReadingParts, file: FileStamp, reply: WrittenReply): Promise<Reading> {
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
  /** Path of the file that holds it, for a document inside another. */
  container?: string | undefined;
  signal?: AbortSignal | undefined;
  similarity?: Similarity;
  /** Makes its vectors. */
  embedder?: PassageEmbedder | undefined;
}

/**
 * Reads one file again, whether or not it changed, with all that is inside it, or one document inside a file; returns its
 * document. Errors: DOCUMENT_NOT_FOUND when the file is gone, DOCUMENT_UNREADABLE when the document is no longer in it.
 */
export async function readOne(options: ReadOneOptions): Promise<number> {
  const { store, pool, folder, similarity, embedder } = options;
  const signal = options.signal ?? new AbortController().signal;
  const writes = new DocumentWrites({ store, folderId: folder.id, embedder, signal });
  const members = { turns: new Turns(), isForced: true, isEmpty: () => false };
  const parts = {
    ...{ store, pool, writes, members, folderId: folder.id, signal },
    ...(similarity ? { similarity } : {}),
  };
  const { written } = await readDocument(parts, await fileOf(parts, options));
  await writes.drain();
  const outcome = await written;
  // Without a known hash nothing is ever found unchanged.
  if (outcome.type === 'unchanged') throw new Error('A document that was to be read was compared instead.');
  return outcome.documentId;
}

async function fileOf(parts: ReadingParts, options: ReadOneOptions): Promise<FileToRead> {
  const { folder, container } = options;
  const absolutePath = path.join(folder.path, container ?? options.path);
  const { size: sizeBytes, mtimeMs } = await statFile(absolutePath);
  const modifiedAtMs = Math.trunc(mtimeMs);
  const file = { path: options.path, absolutePath, sizeBytes, modifiedAtMs };
  const { store, pool } = parts;
  if (container === undefined || !pool.members) return file;
  const chain = memberChain(options.path, container);
  const row = await store.documentByPath(options.path);
  const expected = {
    contentHash: row && (await store.contentHash(row.id)),
    modifiedAtMs: row?.modifiedAtMs ?? modifiedAtMs,
  };
  const opened = await pool.members.open(
    { path: absolutePath, sizeBytes, modifiedAtMs: mtimeMs },
    chain,
    expected,
  );
  const inside = new FileMembers({
    ...{ store, folderId: folder.id, path: container, sizeBytes, isForced: true, isEmpty: false },
    onRemoved: () => undefined,
  });
  return {
    ...{ path: options.path, container, sizeBytes: opened.sizeBytes, modifiedAtMs: expected.modifiedAtMs },
    ...{ absolutePath: opened.path, name: lastName(options.path) },
    inside: { file: inside, depth: chain.length },
  };
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

function stampOf({ path: relative, sizeBytes, modifiedAtMs, container }: FileStamp): FileStamp {
  const isArchived = isArchivedPath(asFolders(relative));
  return {
    ...{ path: relative, sizeBytes, modifiedAtMs, isArchived },
    ...(container === undefined ? {} : { container }),
  };
}

function nameOf(file: FileToRead): string {
  return file.name ?? path.basename(file.absolutePath);
}

/** Reasons that lie outside of the content. */
function passes({ reason }: DocumentFailure): boolean {
  return reason === 'gone' || reason === 'unreadable';
}

function tooLarge(file: FileStamp): DocumentFailure {
  const gigabytes = limits.maxFileBytes / 1024 ** 3;
  return {
    reason: 'too-large',
    message: `The file was not read: ${lastName(file.path)}: it is larger than ${gigabytes} GB; split it.`,
  };
}
