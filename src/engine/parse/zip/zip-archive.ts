/** What stands in this zip archive, read safely: within limits, with no entry leading out of it? */
import { open as openFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from 'yauzl';
import { zip as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';

const OLE_MAGIC = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
/** Name of the stream that holds an encrypted office file inside an OLE container. */
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');
const SCAN_BYTES = 1024 * 1024;

/** One open archive; holds a file descriptor until `close`. Part names are compared without case, as OPC asks. */
export class ZipArchive {
  readonly #zip: ZipFile;
  readonly #entries: Map<string, Entry>;
  readonly #file: SourceFile;
  #bytesRead = 0;

  private constructor(zip: ZipFile, entries: Map<string, Entry>, file: SourceFile) {
    this.#zip = zip;
    this.#entries = entries;
    this.#file = file;
  }

  /** Lists an archive. Throws ParseFailure: empty, encrypted (an OLE container around it), unsupported, damaged, too-large. */
  static async open(file: SourceFile): Promise<ZipArchive> {
    if (file.sizeBytes === 0) throw failure('empty', file, 'the file has no bytes: nothing to read');
    await refuseContainer(file);
    const zip = await openPromise(file.path, { decodeStrings: false, autoClose: false }).then(
      (opened) => opened,
      (cause) => {
        throw failure(
          'damaged',
          file,
          'not a whole zip archive: open it in its program and save it again',
          cause,
        );
      },
    );
    if (zip.entryCount > limits.maxEntries) {
      zip.close();
      throw failure('too-large', file, `over ${limits.maxEntries} entries in one archive: split it`);
    }
    const entries = await listEntries(zip).then(
      (listed) => listed,
      (cause) => {
        zip.close();
        throw failure('damaged', file, "the archive's directory is broken: save the file again", cause);
      },
    );
    return new ZipArchive(zip, entries, file);
  }

  /** Names of all entries that may be read, as written. */
  names(): string[] {
    return [...this.#entries.values()].map(nameOf);
  }

  has(name: string): boolean {
    return this.#entries.has(toKey(name));
  }

  /** Unpacked bytes of an entry, piece by piece; nothing for an absent one. Throws ParseFailure: damaged, too-large, encrypted. */
  async *read(name: string, signal: AbortSignal): AsyncGenerator<Buffer, void> {
    const entry = this.#entries.get(toKey(name));
    if (!entry) return;
    if (entry.isEncrypted())
      throw failure('encrypted', this.#file, 'the archive asks for a password: save it without one');
    const toDamaged = (cause: unknown): never => {
      throw failure('damaged', this.#file, `its part ${name} can't be unpacked: save the file again`, cause);
    };
    const stream = await this.#unpack(entry).then((opened) => opened, toDamaged);
    const iterator = stream.iterator({ destroyOnReturn: true });
    let bytes = 0;
    try {
      while (true) {
        signal.throwIfAborted();
        const next = await iterator.next().then((result) => result, toDamaged);
        if (next.done) return;
        const piece = next.value as Buffer;
        bytes += piece.length;
        this.#bytesRead += piece.length;
        if (this.#isTooLarge(bytes, entry)) throw this.#tooLarge(name);
        yield piece;
      }
    } finally {
      stream.destroy();
    }
  }

  /** The whole of a small entry; undefined when absent. Throws as `read`, and too-large above `maxBytes`. */
  async readWhole(name: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | undefined> {
    if (!this.has(name)) return undefined;
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of this.read(name, signal)) {
      bytes += piece.length;
      if (bytes > maxBytes) {
        throw failure(
          'too-large',
          this.#file,
          `its part ${name} has more than ${maxBytes} bytes: split the file`,
        );
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  close(): void {
    this.#zip.close();
  }

  /** In larger pieces than the library's own 16 KiB: each costs a turn through the thread pool. */
  async #unpack(entry: Entry): Promise<Readable> {
    if (entry.compressionMethod !== 8) return this.#zip.openReadStreamPromise(entry);
    const packed = await this.#zip.openReadStreamPromise(entry, { decodeFileData: false });
    const unpacked = createInflateRaw({ chunkSize: limits.pieceBytes });
    packed.on('error', (error) => unpacked.destroy(error));
    unpacked.on('close', () => packed.destroy());
    return packed.pipe(unpacked);
  }

  #tooLarge(name: string): ParseFailure {
    return failure(
      'too-large',
      this.#file,
      `its part ${name} unpacks to more than the limit: split the file`,
    );
  }

  #isTooLarge(bytes: number, entry: Entry): boolean {
    if (bytes > limits.maxEntryBytes || this.#bytesRead > limits.maxTotalBytes) return true;
    return bytes > limits.ratioFromBytes && bytes > limits.maxRatio * Math.max(entry.compressedSize, 1);
  }
}

function toKey(name: string): string {
  return name.toLowerCase();
}

/** Entries by lower-case name; folders and names that lead out of the archive are left out, the first of doubles wins. */
async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    if (name === '' || name.endsWith('/') || name.length > limits.maxNameLength) continue;
    if (validateFileName(name) !== null) continue;
    const key = toKey(name);
    if (!entries.has(key)) entries.set(key, entry);
  }
  return entries;
}

/** Decoded by the entry's own flag, with "/" between folders. */
function nameOf(entry: Entry): string {
  return getFileNameLowLevel(
    entry.generalPurposeBitFlag,
    entry.fileNameRaw,
    entry.extraFields,
    false,
  ).replace(/^\/+/, '');
}

/** Office encrypts a file by wrapping it into an OLE container; older formats are such containers too. */
async function refuseContainer(file: SourceFile): Promise<void> {
  const handle = await openFile(file.path, 'r');
  try {
    const head = Buffer.alloc(OLE_MAGIC.length);
    await handle.read(head, 0, head.length, 0);
    if (!head.equals(OLE_MAGIC)) return;
    const buffer = Buffer.alloc(SCAN_BYTES + ENCRYPTED_STREAM.length);
    const end = Math.min(file.sizeBytes, limits.maxContainerScanBytes);
    for (let position = 0; position < end; position += SCAN_BYTES) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (buffer.subarray(0, bytesRead).includes(ENCRYPTED_STREAM)) {
        throw failure('encrypted', file, 'a password is needed: save a copy without one');
      }
    }
    throw failure(
      'unsupported',
      file,
      'an office file of the older binary kind: save it in the current format',
    );
  } finally {
    await handle.close();
  }
}

function failure(
  reason: ConstructorParameters<typeof ParseFailure>[0],
  file: SourceFile,
  what: string,
  cause?: unknown,
): ParseFailure {
  return new ParseFailure(
    reason,
    `Reading failed: ${file.name}: ${what}`,
    cause === undefined ? {} : { cause },
  );
}
