/** How is a nearest-neighbour file written, and is it whole? */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Index, MetricKind, ScalarKind } from 'usearch';
import { nearest as limits } from '../config.ts';
import { filePath, markPath, NEAREST_FORMAT, type NearestMark } from './nearest-mark.ts';

/** An empty index, as every file is built: cosine over half-precision vectors. */
export function createIndex(dimensions: number): Index {
  return new Index({
    dimensions,
    metric: MetricKind.Cos,
    quantization: ScalarKind.F16,
    connectivity: limits.connectivity,
    expansion_add: limits.expansionAdd,
    expansion_search: limits.expansionSearch,
    multi: false,
  });
}

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

/** Saves an index under a new name, then points the mark at it; a crash in between leaves the one before. */
export async function publish(
  libraryPath: string,
  fingerprintId: number,
  index: Index,
  built: Pick<NearestMark, 'identity' | 'fingerprint' | 'dimensions' | 'upTo'>,
): Promise<void> {
  const file = `${path.basename(libraryPath)}.nearest-${fingerprintId}-${Date.now().toString(36)}.usearch`;
  const saved = filePath(libraryPath, { file });
  index.save(saved);
  const made: NearestMark = {
    ...{ format: NEAREST_FORMAT as typeof NEAREST_FORMAT, ...built, count: index.size(), file },
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
