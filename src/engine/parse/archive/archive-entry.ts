/** What do readers of archives have in common? */
import type { ReasonCode } from '../../../api/errors.ts';
import { zip as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';

/** A file in an archive; folders, links and devices are left out by their readers. */
export interface ArchiveEntry {
  /** As written in the archive, decoded; see MemberNames. */
  name: string;
  modifiedAtMs?: number;
  /** Read at most once, before the next entry is asked for. Throws ParseFailure. */
  content(): AsyncIterable<Uint8Array>;
}

/** Entries in the archive's order; what it can't list any further is thrown as a ParseFailure. */
export type ReadArchive = (file: SourceFile, signal: AbortSignal) => AsyncGenerator<ArchiveEntry>;

export function archiveFailure(
  reason: ReasonCode,
  file: SourceFile,
  what: string,
  cause?: unknown,
): ParseFailure {
  return new ParseFailure(
    reason,
    `The archive could not be read: ${file.name}: ${what}.`,
    cause === undefined ? {} : { cause },
  );
}

export function entryFailure(reason: ReasonCode, name: string, what: string, cause?: unknown): ParseFailure {
  return new ParseFailure(
    reason,
    `The document could not be unpacked: ${name}: ${what}.`,
    cause === undefined ? {} : { cause },
  );
}

export const needsPassword = (name: string): ParseFailure =>
  entryFailure('encrypted', name, 'it needs a password; save a copy without one');

/** Adds up what an entry unpacks to and throws ParseFailure when that is more than a document can have. */
export class UnpackedBytes {
  readonly #name: string;
  readonly #packedBytes: number;
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param packedBytes what the entry takes in its archive; where that is unknown, the archive's size */
  constructor(name: string, packedBytes: number, maxBytes: number = limits.maxEntryBytes) {
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#packedBytes = Math.max(1, packedBytes);
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    const isBomb = this.#bytes > limits.ratioFromBytes && this.#bytes > limits.maxRatio * this.#packedBytes;
    if (!isBomb && this.#bytes <= this.#maxBytes) return;
    throw entryFailure(
      'too-large',
      this.#name,
      'it unpacks to more than the limit; unpack it and add it as a file',
    );
  }
}
