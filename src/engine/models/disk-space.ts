/** Is there room on the disk for what is about to be written? */
import { mkdir, statfs } from 'node:fs/promises';
import { AppError } from '../../api/errors.ts';
import { download } from '../config.ts';
import { bytesInWords } from './bytes-in-words.ts';

/**
 * Makes the folder and compares its disk's free space with what is needed and a reserve.
 * @throws AppError DOWNLOAD_FAILED with the numbers
 */
export async function checkFreeDisk(folder: string, neededBytes: number, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (neededBytes + download.reserveDiskBytes <= free) return;
  throw new AppError(
    'DOWNLOAD_FAILED',
    `No room on the disk: ${name}: it needs ${bytesInWords(neededBytes)} in ${folder}, ${bytesInWords(free)} are free and ${bytesInWords(download.reserveDiskBytes)} must stay: free some space.`,
  );
}
