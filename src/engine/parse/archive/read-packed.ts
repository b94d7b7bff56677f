/** What is in a file packed by a program that packs one stream: a tar, or a single file? */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import bunzip2 from 'unbzip2-stream';
import { zip as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { type ArchiveEntry, archiveFailure, entryFailure, UnpackedBytes } from './archive-entry.ts';
import { isTar, type Packing } from './archive-format.ts';
import { readTarStream } from './read-tar.ts';

/** A CommonJS module of a form that a plain import does not see through. */
const { XzReadableStream } = createRequire(import.meta.url)(
  'xz-decompress',
) as typeof import('xz-decompress');

/** Bytes that tell a tar. */
const HEAD_BYTES = 512;
/** Where a gzip's name begins when there is one, and the flags that say so. */
const GZIP_HEADER_BYTES = 10;
const GZIP_HAS_NAME = 8;
const GZIP_HAS_EXTRA = 4;

/** A packed tar gives its entries, anything else itself. */
export async function* readPacked(
  packing: Packing,
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const head = await firstBytes(unpack(packing, file), file);
  if (isTar(head)) {
    yield* readTarStream(unpack(packing, file), file, signal);
    return;
  }
  const name = (packing === 'gzip' ? await gzipName(file.path) : undefined) ?? nameWithin(file.name, packing);
  yield { name, content: () => pieces(unpack(packing, file), name, file, signal) };
}

/** The unpacked bytes; ends with an error when they are more than an archive can have. */
function unpack(packing: Packing, file: SourceFile): Readable {
  const packed = createReadStream(file.path, { highWaterMark: limits.pieceBytes });
  const unpacked = new UnpackedBytes(file.name, file.sizeBytes, limits.maxTotalBytes);
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      try {
        unpacked.add(piece.length);
        done(null, piece);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const opened = decompress(packing, packed);
  packed.on('error', (error) => opened.destroy(error));
  opened.on('error', (error) => counted.destroy(error));
  counted.on('close', () => {
    opened.destroy();
    packed.destroy();
  });
  return opened.pipe(counted);
}

function decompress(packing: Packing, packed: Readable): Readable {
  switch (packing) {
    case 'gzip':
      return packed.pipe(createGunzip({ chunkSize: limits.pieceBytes }));
    case 'zstd':
      return packed.pipe(createZstdDecompress({ chunkSize: limits.pieceBytes }));
    case 'bzip2':
      return new Readable().wrap(packed.pipe(bunzip2()));
    case 'xz':
      return Readable.fromWeb(
        new XzReadableStream(
          Readable.toWeb(packed) as globalThis.ReadableStream<Uint8Array>,
        ) as ReadableStream,
      );
  }
}

async function firstBytes(bytes: Readable, file: SourceFile): Promise<Uint8Array> {
  const found: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of bytes) {
      found.push(piece as Buffer);
      length += (piece as Buffer).length;
      if (length >= HEAD_BYTES) break;
    }
  } catch (cause) {
    if (length === 0)
      throw archiveFailure('damaged', file, 'it is cut or damaged; get an intact copy', cause);
  }
  return Buffer.concat(found);
}

async function* pieces(
  bytes: Readable,
  name: string,
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const unpacked = new UnpackedBytes(name, file.sizeBytes);
  const iterator = bytes.iterator({ destroyOnReturn: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await iterator.next().catch((cause) => {
        if (cause instanceof ParseFailure) throw cause;
        throw entryFailure('damaged', name, 'its packed bytes are damaged; get an intact copy', cause);
      });
      if (next.done) return;
      unpacked.add((next.value as Buffer).length);
      yield next.value as Buffer;
    }
  } finally {
    bytes.destroy();
  }
}

/** The name that gzip wrote down, in Latin-1 by RFC 1952, in UTF-8 by everybody. */
async function gzipName(at: string): Promise<string | undefined> {
  const handle = await open(at, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    const flags = buffer[3]!;
    if ((flags & GZIP_HAS_NAME) === 0) return undefined;
    const extra = (flags & GZIP_HAS_EXTRA) === 0 ? 0 : 2 + buffer.readUInt16LE(GZIP_HEADER_BYTES);
    const start = GZIP_HEADER_BYTES + extra;
    const end = buffer.subarray(0, bytesRead).indexOf(0, start);
    const name = end > start ? path.posix.basename(buffer.toString('utf8', start, end)) : '';
    return name === '' ? undefined : name;
  } finally {
    await handle.close();
  }
}

/** The packed file's own name without the packer's ending. */
function nameWithin(name: string, packing: Packing): string {
  const endings: Record<Packing, RegExp> = {
    gzip: /\.gz$/iu,
    bzip2: /\.bz2?$/iu,
    xz: /\.xz$/iu,
    zstd: /\.zst$/iu,
  };
  const within = name.replace(endings[packing], '');
  return within === '' ? name : within;
}
