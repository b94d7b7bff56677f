/** Where does a download stand until it is whole, may it begin, and what does it leave when it stops? */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../api/errors.ts';
import { download as limits } from '../config.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** Folder of an unfinished download; names with a dot are no models. */
export const unfinishedFolder = (folder: string, id: string): string => path.join(folder, `.download-${id}`);

/** Commit that the files of an unfinished download belong to. */
export const revisionNote = '.revision';

/** Throws unless a model of this name may be put there. */
export function refuseInstalled(folder: string, entry: CatalogueEntry): void {
  if (!existsSync(path.join(folder, entry.id, 'manifest.json'))) return;
  throw new AppError(
    'BAD_REQUEST',
    `Download was not started: ${entry.name}: it is installed already: remove it first to load it anew.`,
  );
}

/** Bytes of a model's files that a stopped download left, to go on from. Where there are none, its folder goes too. */
export async function keptBytes(unfinished: string): Promise<number> {
  const names = await readdir(unfinished, { recursive: true }).catch(() => []);
  let bytes = 0;
  for (const name of names.filter((one) => one !== revisionNote && !one.endsWith('.etag'))) {
    const stats = await stat(path.join(unfinished, name)).catch(() => undefined);
    if (stats?.isFile()) bytes += stats.size;
  }
  if (bytes === 0) await rm(unfinished, { recursive: true, force: true });
  return bytes;
}

const claimFile = (folder: string, id: string): string => path.join(folder, `.download-${id}.pid`);

/** Number of another running process that loads this model into this folder; undefined when there is none. */
export function otherLoader(folder: string, id: string): number | undefined {
  const file = claimFile(folder, id);
  const stats = statSync(file, { throwIfNoEntry: false });
  // After a crash the number may belong to any other program.
  if (stats === undefined || Date.now() - stats.mtimeMs > limits.leftoverMs) return undefined;
  const pid = Number(readFileSync(file, 'utf8'));
  return pid !== process.pid && isRunning(pid) ? pid : undefined;
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Two processes must not write one file, and no library holds them apart.
 * @returns what ends the claim
 * @throws AppError DOWNLOAD_FAILED while another process loads this model
 */
export function claim(folder: string, { id, name }: Pick<CatalogueEntry, 'id' | 'name'>): () => void {
  const other = otherLoader(folder, id);
  if (other !== undefined) {
    throw new AppError(
      'DOWNLOAD_FAILED',
      `Download was not started: ${name}: another Lectern (process ${other}) loads it already: wait for it, or stop it there.`,
    );
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(claimFile(folder, id), String(process.pid));
  return () => rmSync(claimFile(folder, id), { force: true });
}
