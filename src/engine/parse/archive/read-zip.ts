/** Which files does a zip archive hold, under which names? */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import iconv from 'iconv-lite';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import { zip as limits } from '../../config.ts';
import { detectEncoding } from '../text/detect-encoding.ts';
import {
  type ArchiveEntry,
  archiveFailure,
  entryFailure,
  needsPassword,
  type ReadArchive,
  UnpackedBytes,
} from './archive-entry.ts';

/** Bit of the general purpose flags that says that the name is UTF-8. */
const UTF8_FLAG = 0x800;
/** Info-ZIP's extra field with the name in UTF-8. */
const UNICODE_PATH = 0x7075;
/** Upper byte of versionMadeBy for Unix, where attributes hold the file's mode. */
const UNIX = 3;
const TYPE_MASK = 0o170000;
const REGULAR_FILE = 0o100000;

/** Sizes are judged file by file: one that lies does not take the others with it. */
const opening = { decodeStrings: false, autoClose: false, validateEntrySizes: false };

/** Names written in no encoding that the archive tells are read in the one that all of them together look like. */
export const readZip: ReadArchive = async function* (file, signal) {
  const zip = await openPromise(file.path, opening).catch((cause) => {
    throw archiveFailure('damaged', file, 'it is cut or damaged; get an intact copy', cause);
  });
  try {
    if (zip.entryCount > limits.maxEntries) {
      throw archiveFailure('too-large', file, `it holds over ${limits.maxEntries} files; unpack it`);
    }
    const { entries, fault } = await listEntries(zip);
    const encoding = encodingOfNames(entries);
    for (const entry of entries) {
      signal.throwIfAborted();
      const name = nameOf(entry, encoding);
      if (isFile(entry, name)) yield toArchiveEntry(zip, entry, name, signal);
    }
    if (fault !== undefined)
      throw archiveFailure('damaged', file, 'its list of files is broken; get an intact copy', fault);
  } finally {
    zip.close();
  }
};

async function listEntries(zip: ZipFile): Promise<{ entries: Entry[]; fault: unknown }> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return { entries, fault: undefined };
  } catch (fault) {
    return { entries, fault };
  }
}

function isFile(entry: Entry, name: string): boolean {
  if (name.endsWith('/') || name.endsWith('\\')) return false;
  if (entry.versionMadeBy >> 8 !== UNIX) return true;
  const type = (entry.externalFileAttributes >>> 16) & TYPE_MASK;
  return type === 0 || type === REGULAR_FILE;
}

function toArchiveEntry(zip: ZipFile, entry: Entry, name: string, signal: AbortSignal): ArchiveEntry {
  const modifiedAtMs = entry.getLastModDate().getTime();
  return {
    name,
    ...(modifiedAtMs > 0 ? { modifiedAtMs } : {}),
    content: () => unpack(zip, entry, name, signal),
  };
}

async function* unpack(
  zip: ZipFile,
  entry: Entry,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw needsPassword(name);
  const isStored = entry.compressionMethod === 0;
  if (!isStored && entry.compressionMethod !== 8) {
    throw entryFailure('unsupported', name, 'it is packed in a way that is not supported; pack it anew');
  }
  const toDamaged = (cause: unknown): never => {
    throw entryFailure('damaged', name, 'its packed bytes are damaged; get an intact copy', cause);
  };
  const stream = await (isStored ? zip.openReadStreamPromise(entry) : inflate(zip, entry)).catch(toDamaged);
  const unpacked = new UnpackedBytes(name, entry.compressedSize);
  const iterator = stream.iterator({ destroyOnReturn: true });
  let bytes = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await iterator.next().catch(toDamaged);
      if (next.done) break;
      const piece = next.value as Buffer;
      bytes += piece.length;
      unpacked.add(piece.length);
      yield piece;
    }
  } finally {
    stream.destroy();
  }
  if (bytes !== entry.uncompressedSize) toDamaged(new Error(`${bytes} bytes, not ${entry.uncompressedSize}`));
}

/** In larger pieces than the library's own 16 KiB: each costs a turn through the thread pool. */
async function inflate(zip: ZipFile, entry: Entry): Promise<Readable> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const unpacked = createInflateRaw({ chunkSize: limits.pieceBytes });
  packed.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => packed.destroy());
  return packed.pipe(unpacked);
}

/** The encoding of names that say nothing of theirs; undefined where all of them do, or are plain. */
function encodingOfNames(entries: Entry[]): string | undefined {
  const names = entries.filter((entry) => !tellsEncoding(entry) && !isUtf8(entry.fileNameRaw));
  if (names.length === 0) return undefined;
  const line = Buffer.from('\n');
  const sample = Buffer.concat(names.flatMap((entry) => [entry.fileNameRaw, line])).subarray(0, 64 * 1024);
  return detectEncoding(sample)?.encoding;
}

function nameOf(entry: Entry, encoding: string | undefined): string {
  if (!tellsEncoding(entry)) {
    if (isUtf8(entry.fileNameRaw)) return entry.fileNameRaw.toString('utf8');
    if (encoding !== undefined && iconv.encodingExists(encoding))
      return iconv.decode(entry.fileNameRaw, encoding);
  }
  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
}

function tellsEncoding(entry: Entry): boolean {
  return (
    (entry.generalPurposeBitFlag & UTF8_FLAG) !== 0 || entry.extraFields.some(({ id }) => id === UNICODE_PATH)
  );
}
