/** How do a model's files get into the models folder: copied piece by piece, compared, and put into place in one step? */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../api/errors.ts';
import { checkReferences } from './check-model.ts';
import { type GgufHeader, readGgufHeader } from './gguf-header.ts';
import type { Manifest } from './manifest.ts';

/** A model that stands somewhere else, and how its files are read. */
export interface Incoming {
  manifest: Manifest;
  /** False: its manifest has no hashes; those that are found now go into it. */
  hasPromise: boolean;
  open(relative: string): Promise<Readable>;
  /** Of a language model, where it was read without copying. */
  header?: GgufHeader;
}

/** Copies one file, counting and hashing; more bytes than promised end it. */
async function copyFile(
  from: Readable,
  target: string,
  expected: { path: string; sizeBytes: number },
  invalid: (why: string) => AppError,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  await mkdir(path.dirname(target), { recursive: true });
  await pipeline(
    from,
    async function* count(pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        bytes += piece.length;
        if (bytes > expected.sizeBytes)
          throw invalid(`"${expected.path}" has more than the ${expected.sizeBytes} bytes that it promises`);
        hash.update(piece);
        yield piece;
      }
    },
    createWriteStream(target, { flags: 'wx', highWaterMark: 1024 * 1024 }),
    { signal },
  );
  if (bytes !== expected.sizeBytes)
    throw invalid(`"${expected.path}" has ${bytes} bytes instead of ${expected.sizeBytes}`);
  return hash.digest('hex');
}

/**
 * Puts a model into `folder` under its identifier. Nothing is left behind when it fails.
 * @returns absolute path of its folder
 * @throws AppError MODEL_INVALID naming the first file that is wrong, BAD_REQUEST when the place is taken; the reason of `signal`
 */
export async function placeModel(incoming: Incoming, folder: string, signal: AbortSignal): Promise<string> {
  const { manifest, hasPromise } = incoming;
  const target = path.join(folder, manifest.id);
  const invalid = (why: string) =>
    new AppError(
      'MODEL_INVALID',
      `Import failed: ${manifest.name}: ${why}: copy the model again from where it came.`,
    );
  if (existsSync(target)) {
    throw new AppError(
      'BAD_REQUEST',
      `Import failed: ${manifest.name}: ${target} stands there already: remove that model first.`,
    );
  }
  const unfinished = path.join(folder, `.import-${manifest.id}-${randomUUID().slice(0, 8)}`);
  try {
    const files: Manifest['files'] = [];
    for (const expected of manifest.files) {
      const from = await incoming.open(expected.path);
      const sha256 = await copyFile(from, path.join(unfinished, expected.path), expected, invalid, signal);
      if (hasPromise && sha256 !== expected.sha256)
        throw invalid(`"${expected.path}" was altered, its SHA-256 is ${sha256}`);
      files.push({ ...expected, sha256 });
    }
    const placed: Manifest = { ...manifest, files, ...(hasPromise ? {} : { hashes: 'own' }) };
    await checkReferences(unfinished, placed);
    if (placed.kind === 'generator') await readGgufHeader(path.join(unfinished, placed.model));
    await writeFile(path.join(unfinished, 'manifest.json'), `${JSON.stringify(placed, null, 2)}\n`);
    await rename(unfinished, target);
    return target;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}
