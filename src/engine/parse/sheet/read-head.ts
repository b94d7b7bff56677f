/** With which bytes does a file begin? */
import { open } from 'node:fs/promises';
import type { SourceFile } from '../../document.ts';

/** The first bytes as Latin-1. */
export async function readHead({ path, bytes }: SourceFile, count: number): Promise<string> {
  if (bytes) return Buffer.from(bytes.subarray(0, count)).toString('latin1');
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}
