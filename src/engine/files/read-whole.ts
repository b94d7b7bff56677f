/** What does a small file hold? Read at once, so that hashing, recognising and parsing it open it no more. */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** All bytes of a file with their SHA-256 in hexadecimal digits; undefined when there are more than `maxBytes`. Throws what the file system throws. */
export function readWhole(
  filePath: string,
  maxBytes: number,
): { bytes: Uint8Array; contentHash: string } | undefined {
  // Waiting for the thread pool four times costs ten times as much as reading, and a parse worker has nothing else to do.
  // Not to wait for ever where a pipe took the file's place; Windows has no such flag.
  const file = openSync(filePath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(file);
    if (size > maxBytes) return undefined;
    // One more than its size: a file that grew meanwhile is read the other way.
    const buffer = Buffer.allocUnsafe(size + 1);
    let length = 0;
    for (;;) {
      const bytesRead = readSync(file, buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
      if (length > size) return undefined;
    }
    const bytes = buffer.subarray(0, length);
    return { bytes, contentHash: hash('sha256', bytes, 'hex') };
  } finally {
    closeSync(file);
  }
}
