/** Which files does a tar hold? Read as it streams by, so that its size doesn't matter. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import iconv from 'iconv-lite';
import { type Entry, extract, type Headers } from 'tar-stream';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { detectEncoding } from '../text/detect-encoding.ts';
import {
  type ArchiveEntry,
  archiveFailure,
  entryFailure,
  type ReadArchive,
  UnpackedBytes,
} from './archive-entry.ts';

export const readTar: ReadArchive = (file, signal) =>
  readTarStream(createReadStream(file.path), file, signal);

/** The entries of a tar in a stream, which is ended when the reading is. */
export async function* readTarStream(
  bytes: Readable,
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  // Names as bytes, one character each: their encoding is told nowhere.
  const tar = extract({ filenameEncoding: 'latin1', allowUnknownFormat: true });
  pipeline(bytes, tar).catch(() => undefined);
  const entries = tar[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await entries.next().catch((cause) => {
        if (cause instanceof ParseFailure) throw cause;
        throw archiveFailure('damaged', file, 'it breaks off; get an intact copy', cause);
      });
      if (next.done) return;
      const pieces = new EntryPieces(next.value, file.sizeBytes);
      const { header } = next.value;
      if (header.type === 'file' || header.type === 'contiguous-file') {
        const modifiedAtMs = header.mtime?.getTime();
        yield {
          name: pieces.name,
          ...(modifiedAtMs === undefined ? {} : { modifiedAtMs }),
          content: () => pieces.content(),
        };
      }
      await pieces.skip();
    }
  } finally {
    tar.destroy();
    bytes.destroy();
  }
}

/** The bytes of one entry, which have to pass by before the next one comes. */
class EntryPieces {
  readonly name: string;
  readonly #iterator: AsyncIterator<Buffer>;
  readonly #unpacked: UnpackedBytes;

  constructor(entry: Entry, archiveBytes: number) {
    this.name = nameOf(entry.header);
    this.#iterator = entry[Symbol.asyncIterator]();
    this.#unpacked = new UnpackedBytes(this.name, archiveBytes);
  }

  /** Whoever stops in the middle leaves the rest to be skipped: ending the entry would end the archive. */
  async *content(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = await this.#iterator.next().catch((cause) => {
        if (cause instanceof ParseFailure) throw cause;
        throw entryFailure('damaged', this.name, 'its archive breaks off; get an intact copy', cause);
      });
      if (next.done) return;
      this.#unpacked.add(next.value.length);
      yield next.value;
    }
  }

  async skip(): Promise<void> {
    // A tar that broke off says so when its next entry is asked for.
    while (!(await this.#iterator.next().catch(() => ({ done: true }))).done);
  }
}

function nameOf(header: Headers & { pax?: { path?: string } | null }): string {
  if (header.pax?.path !== undefined) return header.name;
  const bytes = Buffer.from(header.name, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const encoding = detectEncoding(bytes)?.encoding ?? 'latin1';
  return iconv.encodingExists(encoding) ? iconv.decode(bytes, encoding) : header.name;
}
