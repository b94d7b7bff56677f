/** Is this still the same content? */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { files as limits } from '../config.ts';

/** SHA-256 of a file's bytes as 64 hexadecimal digits, read in pieces. Throws what the file system throws (ENOENT, EACCES …). */
export async function hashFile(filePath: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(filePath, 'r');
  try {
    const { size } = await file.stat();
    // As large as the file needs: a full piece for each of ten thousand notes costs more in garbage than in hashing.
    const piece = Buffer.allocUnsafe(Math.min(limits.hashPieceBytes, Math.max(size, 1)));
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
