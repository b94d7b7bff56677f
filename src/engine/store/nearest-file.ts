/** How is a nearest-neighbour file written, and is it whole? */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { nearest as limits } from '../config.ts';
import { filePath, markPath, NEAREST_FORMAT, type NearestMark } from './nearest-mark.ts';

/** True when every byte is as it was written: the package trusts what it maps. */
export async function isWhole(libraryPath: string, known: NearestMark): Promise<boolean> {
  const file = filePath(libraryPath, known);
  return existsSync(file) && (await hashFile(file)) === known.sha256;
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: limits.hashPieceBytes }), hash);
  return hash.digest('hex');
}

/** What a file is written from. */
export interface Saved {
  readonly count: number;
  save(path: string): void;
}

/** Saves vectors under a new name, then points the mark at it; a crash in between leaves the one before. */
export async function publish(
  libraryPath: string,
  fingerprintId: number,
  vectors: Saved,
  built: Pick<NearestMark, 'identity' | 'fingerprint' | 'form' | 'dimensions' | 'upTo'>,
): Promise<void> {
  const file = `${path.basename(libraryPath)}.nearest-${fingerprintId}-${Date.now().toString(36)}.${built.form}`;
  const saved = filePath(libraryPath, { file });
  vectors.save(saved);
  const made: NearestMark = {
    ...{ format: NEAREST_FORMAT as typeof NEAREST_FORMAT, ...built, count: vectors.count, file },
    sha256: await hashFile(saved),
  };
  const target = markPath(libraryPath, fingerprintId);
  writeFileSync(`${target}.new`, JSON.stringify(made));
  renameSync(`${target}.new`, target);
  sweepFiles(libraryPath, fingerprintId, file);
}

/** Drops the mark, so that nobody opens the file any more. */
export function dropNearest(libraryPath: string, fingerprintId: number): void {
  rmSync(markPath(libraryPath, fingerprintId), { force: true });
  sweepFiles(libraryPath, fingerprintId, undefined);
}

function sweepFiles(libraryPath: string, fingerprintId: number, kept: string | undefined): void {
  const start = `${path.basename(libraryPath)}.nearest-${fingerprintId}-`;
  const folder = path.dirname(libraryPath);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || name === kept) continue;
    try {
      rmSync(path.join(folder, name), { force: true });
    } catch {
      // A file that a reader still maps can't be removed on Windows; the next sweep will.
    }
  }
}
