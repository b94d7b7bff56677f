/** Are a model's files the ones that its manifest promises, and do they stay in its folder? */
import { createHash } from 'node:crypto';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../api/errors.ts';
import { isConfined, type Manifest } from './manifest.ts';
import { readOnnxReferences } from './onnx-references.ts';

function invalid(name: string, why: string): AppError {
  return new AppError('MODEL_INVALID', `Model can’t be used: ${name}: ${why}: install the model again.`);
}

/** SHA-256 of a file in hexadecimal, read in pieces. */
export async function hashFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash, { signal });
  return hash.digest('hex');
}

/**
 * Absolute path of a model's file, after following links.
 * @throws AppError MODEL_INVALID when it is absent, no plain file, or outside its folder
 */
export function confinedFile(folder: string, relative: string, name: string): string {
  if (!isConfined(relative)) throw invalid(name, `"${relative}" points outside its folder`);
  const file = path.join(folder, relative);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw invalid(name, `"${relative}" is missing`);
  if (!stats.isFile()) throw invalid(name, `"${relative}" is not a file`);
  const inside = path.relative(realpathSync(folder), realpathSync(file));
  if (inside.startsWith('..') || path.isAbsolute(inside)) {
    throw invalid(name, `"${relative}" is a link that leads outside its folder`);
  }
  return file;
}

/**
 * Compares presence, place and size of every file; cheap enough for every start.
 * @returns bytes of all files together
 * @throws AppError MODEL_INVALID naming the first file that is wrong
 */
export function checkSizes(folder: string, manifest: Manifest): number {
  let total = 0;
  for (const expected of manifest.files) {
    const { size } = statSync(confinedFile(folder, expected.path, manifest.name));
    if (size !== expected.sizeBytes) {
      throw invalid(manifest.name, `"${expected.path}" has ${size} bytes instead of ${expected.sizeBytes}`);
    }
    total += size;
  }
  return total;
}

/** Refuses an ONNX file that would read data outside the manifest's files. */
export async function checkReferences(folder: string, manifest: Manifest): Promise<void> {
  const listed = new Set(manifest.files.map((file) => file.path));
  // The graph may bear any name: what is loaded counts.
  const isGraph = (name: string) =>
    /\.onnx$/i.test(name) || (manifest.kind !== 'generator' && name === manifest.model);
  for (const file of manifest.files.filter((candidate) => isGraph(candidate.path))) {
    for (const reference of await readOnnxReferences(confinedFile(folder, file.path, manifest.name))) {
      const target = path.posix.join(path.posix.dirname(file.path), reference);
      if (!isConfined(reference) || !listed.has(target)) {
        throw invalid(
          manifest.name,
          `"${file.path}" reads from "${reference}", which is not among its files`,
        );
      }
    }
  }
}

/**
 * The whole check: sizes, references and SHA-256 of every file.
 * @throws AppError MODEL_INVALID naming the first file that is wrong
 */
export async function checkModel(folder: string, manifest: Manifest, signal?: AbortSignal): Promise<void> {
  checkSizes(folder, manifest);
  for (const expected of manifest.files) {
    const found = await hashFile(confinedFile(folder, expected.path, manifest.name), signal);
    if (found !== expected.sha256) {
      throw invalid(manifest.name, `"${expected.path}" was altered, its SHA-256 is ${found}`);
    }
  }
  await checkReferences(folder, manifest);
}
