/** How do models travel to a machine without a network: in one archive, with their manifests and hashes? */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { AppError } from '../../api/errors.ts';
import { confinedFile, hashFile } from './check-model.ts';
import { checkFreeDisk } from './disk-space.ts';
import type { Manifest } from './manifest.ts';

/** A model as it stands on this machine. */
export interface Outgoing {
  folder: string;
  manifest: Manifest;
  /** False: its manifest has no hashes, so they are taken before. */
  hasPromise: boolean;
}

/**
 * Writes models into one archive: stored, not packed, since weights don't shrink. A half archive is never left.
 * @param target absolute path of the archive, which must not exist
 * @throws AppError MODEL_INVALID for a file that is not as its manifest promises, BAD_REQUEST when the target can't be written;
 * the reason of `signal`
 */
export async function exportModels(
  models: Outgoing[],
  target: string,
  signal: AbortSignal,
): Promise<{ sizeBytes: number }> {
  const refused = (why: string, cause?: unknown) =>
    new AppError('BAD_REQUEST', `Export failed: ${target}: ${why}.`, { cause });
  if (existsSync(target)) throw refused('it exists already; choose another name');
  const folder = path.dirname(target);
  if (!existsSync(folder)) throw refused('its folder is not there; make it first');
  const bytes = models
    .flatMap(({ manifest }) => manifest.files)
    .reduce((sum, file) => sum + file.sizeBytes, 0);
  await checkFreeDisk(folder, bytes, path.basename(target));
  const unfinished = `${target}.${randomUUID().slice(0, 8)}.part`;
  try {
    await writeArchive(models, unfinished, signal);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw refused(error instanceof Error ? error.message : String(error), error);
  }
  return { sizeBytes: (await stat(target)).size };
}

async function writeArchive(models: Outgoing[], file: string, signal: AbortSignal): Promise<void> {
  const zip = new ZipFile();
  const stopped = new AbortController();
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    stopped.abort();
  };
  zip.on('error', fail);
  const writing = pipeline(zip.outputStream, createWriteStream(file, { flags: 'wx' }), {
    signal: AbortSignal.any([signal, stopped.signal]),
  });
  writing.catch(() => {});
  try {
    for (const model of models) await addModel(zip, model, fail, signal);
    zip.end();
    await writing;
  } catch (error) {
    stopped.abort();
    await writing.catch(() => {});
    throw failure ?? error;
  }
}

async function addModel(
  zip: ZipFile,
  model: Outgoing,
  fail: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const { folder, hasPromise } = model;
  const manifest = hasPromise ? model.manifest : await withOwnHashes(model, signal);
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), `${manifest.id}/manifest.json`, {
    compress: false,
  });
  for (const expected of manifest.files) {
    const file = confinedFile(folder, expected.path, manifest.name);
    const options = { compress: false, size: expected.sizeBytes };
    zip.addReadStreamLazy(`${manifest.id}/${expected.path}`, options, (give) => {
      const checked = new HashCheck(expected, manifest.name);
      pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), checked, { signal }).catch(fail);
      give(null, checked);
    });
  }
}

async function withOwnHashes({ folder, manifest }: Outgoing, signal: AbortSignal): Promise<Manifest> {
  const files: Manifest['files'] = [];
  for (const file of manifest.files) {
    const sha256 = await hashFile(confinedFile(folder, file.path, manifest.name), signal);
    files.push({ ...file, sha256 });
  }
  return { ...manifest, files, hashes: 'own' };
}

/** Passes a file on and ends in an error when it was not what its manifest promises. */
class HashCheck extends Transform {
  private readonly hash = createHash('sha256');
  private readonly expected: Manifest['files'][number];
  private readonly modelName: string;

  constructor(expected: Manifest['files'][number], modelName: string) {
    super();
    this.expected = expected;
    this.modelName = modelName;
  }

  override _transform(
    piece: Buffer,
    _encoding: string,
    done: (error: Error | null, piece?: Buffer) => void,
  ): void {
    this.hash.update(piece);
    done(null, piece);
  }

  override _flush(done: (error?: Error) => void): void {
    const isSame = this.hash.digest('hex') === this.expected.sha256;
    if (isSame) done();
    else done(this.altered());
  }

  private altered(): AppError {
    return new AppError(
      'MODEL_INVALID',
      `Export failed: ${this.modelName}: "${this.expected.path}" was altered: install the model again.`,
    );
  }
}
