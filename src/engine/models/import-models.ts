/** How does a model come from a stick: out of a folder, a .gguf file, or an archive from another machine? */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../api/errors.ts';
import { confinedFile } from './check-model.ts';
import { checkFreeDisk } from './disk-space.ts';
import { readGgufHeader } from './gguf-header.ts';
import { type InstalledModel, listModels } from './list-models.ts';
import type { Manifest } from './manifest.ts';
import { type Incoming, placeModel } from './place-model.ts';
import { readArchive } from './read-archive.ts';
import { recogniseGguf } from './recognise.ts';

export interface ImportRequest {
  /** Absolute path of a folder, a .gguf file or an archive. */
  source: string;
  /** Folder of models that it goes to. */
  folder: string;
  /** Identifiers that are taken. */
  installed: Set<string>;
  /** Says why a model can't run on this machine. Throws AppError. */
  checkFit(incoming: Incoming): Promise<void>;
  signal: AbortSignal;
}

export interface Imported {
  /** Identifiers of models that were installed now. */
  imported: string[];
  /** Of those that were installed before; they were left as they are. */
  known: string[];
}

/**
 * Checks every model of the source and then copies those that are new.
 * @throws AppError MODEL_INVALID with the reason, BAD_REQUEST when nothing in it is new; the reason of `signal`
 */
export async function importModels(request: ImportRequest): Promise<Imported> {
  const { source, folder, installed, signal } = request;
  const opened = await openSource(source, signal);
  try {
    const fresh = opened.models.filter(({ manifest }) => !installed.has(manifest.id));
    const known = opened.models.map(({ manifest }) => manifest.id).filter((id) => installed.has(id));
    if (fresh.length === 0) {
      throw new AppError(
        'BAD_REQUEST',
        `Import failed: ${source}: ${known.map((id) => `"${id}"`).join(', ')} is installed already: remove it first to import it anew.`,
      );
    }
    for (const incoming of fresh) await request.checkFit(incoming);
    const bytes = fresh
      .flatMap(({ manifest }) => manifest.files)
      .reduce((sum, file) => sum + file.sizeBytes, 0);
    await checkFreeDisk(folder, bytes, path.basename(source));
    for (const incoming of fresh) await placeModel(incoming, folder, signal);
    return { imported: fresh.map(({ manifest }) => manifest.id), known };
  } finally {
    opened.close();
  }
}

interface Source {
  models: Incoming[];
  close(): void;
}

async function openSource(source: string, signal: AbortSignal): Promise<Source> {
  const stats = await stat(source).catch((cause: unknown) => {
    throw new AppError(
      'BAD_REQUEST',
      `Import failed: ${source}: it is not there or can’t be read; check the path.`,
      {
        cause,
      },
    );
  });
  if (stats.isDirectory()) return openFolder(source);
  if (!stats.isFile()) throw unknownKind(source);
  const magic = await readMagic(source);
  if (magic === 'GGUF') return openGguf(source);
  if (magic.startsWith('PK')) return readArchive(source, signal);
  throw unknownKind(source);
}

function unknownKind(source: string): AppError {
  return new AppError(
    'MODEL_INVALID',
    `Import failed: ${source}: it is neither a folder of a model, nor a GGUF file, nor an archive of models: choose another.`,
  );
}

async function readMagic(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}

async function openGguf(source: string): Promise<Source> {
  const folder = path.dirname(source);
  const manifest = await recogniseGguf(folder, path.basename(source));
  if (manifest === undefined) {
    throw new AppError(
      'MODEL_INVALID',
      `Import failed: ${source}: it is a later part of a model in several files: choose its first part.`,
    );
  }
  return fromFolder(folder, manifest, false);
}

/** A folder of one model; else one that holds several, such as the models folder of another machine. */
async function openFolder(source: string): Promise<Source> {
  const [itself] = await listModels([path.dirname(source)], path.basename(source));
  if (itself?.manifest) return fromFolder(itself.folder, itself.manifest, itself.hasPromise);
  const inside = (await listModels([source])).filter(
    (model): model is InstalledModel & { manifest: Manifest } => model.manifest !== undefined,
  );
  if (inside.length === 0) {
    throw new AppError(
      'MODEL_INVALID',
      itself?.info.message ?? `Import failed: ${source}: it is empty: choose another folder.`,
    );
  }
  const sources = inside.map(({ folder, manifest, hasPromise }) => fromFolder(folder, manifest, hasPromise));
  return { models: (await Promise.all(sources)).flatMap((one) => one.models), close: () => {} };
}

async function fromFolder(
  folder: string,
  manifest: Incoming['manifest'],
  hasPromise: boolean,
): Promise<Source> {
  const openFile = async (relative: string) =>
    createReadStream(confinedFile(folder, relative, manifest.name), { highWaterMark: 1024 * 1024 });
  const header =
    manifest.kind === 'generator'
      ? { header: await readGgufHeader(confinedFile(folder, manifest.model, manifest.name)) }
      : {};
  return { models: [{ manifest, hasPromise, open: openFile, ...header }], close: () => {} };
}
