/** Which files does an archive of 7-Zip or RAR hold? Read by libarchive, in memory of its own that holds the archive whole. */
import { open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { archives as limits } from '../../config.ts';
import type { SourceFile } from '../../document.ts';
import {
  type ArchiveEntry,
  archiveFailure,
  entryFailure,
  needsPassword,
  type ReadArchive,
  UnpackedBytes,
} from './archive-entry.ts';

const REGULAR_FILE = 0o100000;
const EMPTY_BYTES = 32;
/** What libarchive can't make out is passed over so often in a row; it tells the end and a fault alike. */
const MAX_FAULTS = 16;

/** What libarchive compiled to WebAssembly offers; pointers and sizes are numbers. */
interface Module {
  cwrap(
    name: string,
    result: 'number' | 'string' | null,
    parameters: ('number' | 'string')[],
  ): (...values: unknown[]) => never;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  HEAPU8: Uint8Array;
}

type Load = (options: {
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
  print(): void;
  printErr(): void;
  preRun: [];
  postRun: [];
}) => Promise<Module>;

let compiled: Promise<{ load: Load; wasm: WebAssembly.Module }> | undefined;

export const readWholeArchive: ReadArchive = async function* (file, signal) {
  if (file.sizeBytes > limits.maxWholeBytes) {
    const megabytes = Math.round(limits.maxWholeBytes / 1024 ** 2);
    throw archiveFailure('too-large', file, `it has more than ${megabytes} MB; unpack it or pack it as zip`);
  }
  const library = new Libarchive(await loadModule());
  await library.open(file);
  let faults = 0;
  let hasEntries = false;
  for (;;) {
    signal.throwIfAborted();
    const entry = library.next();
    const fault = library.fault();
    if (entry === undefined) {
      // One that is cut in its first part looks like one that is empty, which has a head of 32 bytes and no more.
      if (fault === '' && !hasEntries && file.sizeBytes > EMPTY_BYTES) {
        throw archiveFailure('damaged', file, 'it is cut or damaged; get an intact copy');
      }
      if (fault === '') return;
      if (isAboutPassword(fault))
        throw archiveFailure('encrypted', file, 'it needs a password; save a copy without one');
      faults += 1;
      if (faults >= MAX_FAULTS)
        throw archiveFailure('damaged', file, `a part of it can't be read (${fault}); get an intact copy`);
      continue;
    }
    faults = 0;
    hasEntries = true;
    if (library.isFile(entry)) yield toArchiveEntry(library, entry, file, signal);
  }
};

function toArchiveEntry(
  library: Libarchive,
  entry: number,
  file: SourceFile,
  signal: AbortSignal,
): ArchiveEntry {
  const name = library.name(entry);
  const isEncrypted = library.isEncrypted(entry);
  const sizeBytes = library.sizeBytes(entry);
  return {
    name,
    async *content() {
      if (isEncrypted) throw needsPassword(name);
      const unpacked = new UnpackedBytes(name, file.sizeBytes);
      let left = sizeBytes;
      while (left > 0) {
        signal.throwIfAborted();
        const length = Math.min(left, limits.pieceBytes);
        const piece = library.read(length);
        if (typeof piece === 'string') {
          if (isAboutPassword(piece)) throw needsPassword(name);
          throw entryFailure(
            'damaged',
            name,
            'its packed bytes are damaged; get an intact copy',
            new Error(piece),
          );
        }
        left -= length;
        unpacked.add(length);
        yield piece;
      }
    },
  };
}

const isAboutPassword = (fault: string): boolean => /encrypt|password|passphrase/iu.test(fault);

/** One open archive. Its memory goes with it. */
class Libarchive {
  readonly #module: Module;
  readonly #call: ReturnType<typeof calls>;
  #archive = 0;

  constructor(module: Module) {
    this.#module = module;
    this.#call = calls(module);
  }

  /** Takes the file into libarchive's memory. */
  async open(file: SourceFile): Promise<void> {
    const at = this.#module._malloc(file.sizeBytes);
    if (at === 0) throw archiveFailure('out-of-memory', file, 'it needs more memory than allowed; unpack it');
    const handle = await open(file.path, 'r');
    let length = 0;
    try {
      while (length < file.sizeBytes) {
        const piece = Math.min(limits.pieceBytes, file.sizeBytes - length);
        const { bytesRead } = await handle.read(this.#module.HEAPU8, at + length, piece, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
    } finally {
      await handle.close();
    }
    // Without a locale names are ASCII.
    this.#archive = this.#call.open(at, length, null, 'en_US.UTF-8');
    if (this.#archive === 0)
      throw archiveFailure('damaged', file, 'it is cut or damaged; get an intact copy');
  }

  /** The next entry; undefined at the end, and where there is a fault. */
  next(): number | undefined {
    const entry: number = this.#call.next(this.#archive);
    return entry === 0 ? undefined : entry;
  }

  fault(): string {
    return this.#call.fault(this.#archive) ?? '';
  }

  isFile(entry: number): boolean {
    return (this.#call.type(entry) & 0o170000) === REGULAR_FILE;
  }

  name(entry: number): string {
    return this.#call.name(entry) ?? '';
  }

  isEncrypted(entry: number): boolean {
    return this.#call.encrypted(entry) !== 0;
  }

  sizeBytes(entry: number): number {
    return (this.#call.size(entry) as number) >>> 0;
  }

  /** The next bytes of the entry at hand, or what went wrong. */
  read(length: number): Uint8Array | string {
    const at: number = this.#call.read(this.#archive, length);
    if (at <= 0) return this.fault();
    const piece = this.#module.HEAPU8.slice(at, at + length);
    this.#module._free(at);
    return piece;
  }
}

function calls(module: Module) {
  return {
    open: module.cwrap('archive_open', 'number', ['number', 'number', 'string', 'string']) as (
      ...values: unknown[]
    ) => number,
    next: module.cwrap('get_next_entry', 'number', ['number']) as (archive: number) => number,
    read: module.cwrap('get_filedata', 'number', ['number', 'number']) as (
      archive: number,
      length: number,
    ) => number,
    fault: module.cwrap('archive_error_string', 'string', ['number']) as (archive: number) => string | null,
    encrypted: module.cwrap('archive_entry_is_encrypted', 'number', ['number']) as (entry: number) => number,
    type: module.cwrap('archive_entry_filetype', 'number', ['number']) as (entry: number) => number,
    name: module.cwrap('archive_entry_pathname', 'string', ['number']) as (entry: number) => string | null,
    size: module.cwrap('archive_entry_size', 'number', ['number']) as (entry: number) => number,
  };
}

/** A fresh one for each archive: what a broken one left in its memory harms no other. */
async function loadModule(): Promise<Module> {
  compiled ??= compile();
  const { load, wasm } = await compiled;
  return load({
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
    print: () => undefined,
    printErr: () => undefined,
    preRun: [],
    postRun: [],
  });
}

async function compile(): Promise<{ load: Load; wasm: WebAssembly.Module }> {
  const require = createRequire(import.meta.url);
  const wasm = await WebAssembly.compile(
    await readFile(require.resolve('libarchive.js/src/webworker/wasm-gen/libarchive.wasm')),
  );
  // The package's own entry wants a worker of its own; what is in it is a plain module.
  const { default: load } = require('libarchive.js/src/webworker/wasm-gen/libarchive.js') as {
    default: Load;
  };
  return { load, wasm };
}
