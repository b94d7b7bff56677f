import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hashFile } from '../../../src/engine/files/hash-file.ts';

it('hashes a file that is larger than one piece', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'lectern-hash-'));
  const file = path.join(folder, 'a.bin');
  const content = Buffer.alloc(1_500_000, 'lectern');
  await writeFile(file, content);
  expect(await hashFile(file)).toBe(createHash('sha256').update(content).digest('hex'));
  await expect(hashFile(path.join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  await rm(folder, { recursive: true });
});
