/** Which models stand in an archive from another machine? Read with limits; nothing is unpacked that no manifest names. */
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { AppError } from '../../api/errors.ts';
import { archive as limits, models } from '../config.ts';
import { readManifest } from './manifest.ts';
import type { Incoming } from './place-model.ts';

const SYMBOLIC_LINK = 0o120000;
const FILE_TYPE_MASK = 0o170000;

/** Models of an archive, and what closes it. */
export interface OpenArchive {
  models: Incoming[];
  close(): void;
}

const isLink = (entry: Entry): boolean =>
  ((entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK) === SYMBOLIC_LINK;

/**
 * Lists an archive that was made by an export: a folder for each model, with its manifest.json.
 * @throws AppError MODEL_INVALID when it is no such archive, breaks a limit, or has entries that lead out of it
 */
export async function readArchive(file: string, signal: AbortSignal): Promise<OpenArchive> {
  const invalid = (why: string, cause?: unknown): AppError =>
    new AppError(
      'MODEL_INVALID',
      `Import failed: ${file}: ${why}: use an archive made by Lectern’s export of models.`,
      { cause },
    );
  // The library refuses names with "..", drives and leading slashes by itself.
  const zip = await openPromise(file, { autoClose: false, strictFileNames: true }).catch((cause: unknown) => {
    throw invalid('it is no whole zip archive', cause);
  });
  try {
    const entries = await listEntries(zip, invalid, signal);
    const manifests = [...entries.keys()].filter((name) => /^[^/]+\/manifest\.json$/.test(name));
    if (manifests.length === 0) throw invalid('it holds no model');
    if (manifests.length > limits.maxModels) throw invalid(`it holds ${manifests.length} models`);
    const found: Incoming[] = [];
    for (const name of manifests) found.push(await readModel(zip, entries, name, file, invalid));
    return { models: found, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

type Invalid = (why: string, cause?: unknown) => AppError;

async function listEntries(zip: ZipFile, invalid: Invalid, signal: AbortSignal): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.maxEntries) throw invalid(`it has ${zip.entryCount} entries`);
  const entries = new Map<string, Entry>();
  const names = new Set<string>();
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      const name = entry.fileName;
      if (name.endsWith('/')) continue;
      if (entry.isEncrypted()) throw invalid(`its entry "${name}" is encrypted`);
      if (isLink(entry)) throw invalid(`its entry "${name}" is a link`);
      if (names.has(name.toLowerCase())) throw invalid(`its entry "${name}" stands in it twice`);
      names.add(name.toLowerCase());
      entries.set(name, entry);
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    const line = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw invalid(`its directory can’t be used (${line})`, cause);
  }
  return entries;
}

async function readModel(
  zip: ZipFile,
  entries: Map<string, Entry>,
  name: string,
  file: string,
  invalid: Invalid,
): Promise<Incoming> {
  const folder = name.slice(0, name.indexOf('/'));
  const where = `${file} » ${name}`;
  const manifest = readManifest(await readJson(zip, entries.get(name)!, where, invalid), where);
  for (const expected of manifest.files) {
    const entry = entries.get(`${folder}/${expected.path}`);
    if (!entry) throw invalid(`"${expected.path}" of ${manifest.name} is missing`);
    if (entry.uncompressedSize !== expected.sizeBytes)
      throw invalid(
        `"${expected.path}" of ${manifest.name} has ${entry.uncompressedSize} bytes instead of ${expected.sizeBytes}`,
      );
  }
  const open = async (relative: string): Promise<Readable> =>
    zip.openReadStreamPromise(entries.get(`${folder}/${relative}`)!).catch((cause: unknown) => {
      throw invalid(`"${relative}" of ${manifest.name} can’t be read`, cause);
    });
  return { manifest, hasPromise: true, open };
}

async function readJson(zip: ZipFile, entry: Entry, where: string, invalid: Invalid): Promise<unknown> {
  if (entry.uncompressedSize > models.maxManifestBytes)
    throw invalid(`${where} has ${entry.uncompressedSize} bytes`);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      bytes += (piece as Buffer).length;
      if (bytes > models.maxManifestBytes) break;
      pieces.push(piece as Buffer);
    }
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (cause) {
    throw invalid(`${where} can’t be read`, cause);
  }
}
