/** How does a model of the catalogue come onto this machine: whole and checked, or not at all? */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CatalogueEntry } from './catalogue.ts';
import { checkReferences } from './check-model.ts';
import { checkFreeDisk } from './disk-space.ts';
import { downloadFile } from './download-file.ts';
import { readGgufHeader } from './gguf-header.ts';
import type { HttpClient } from './http-client.ts';
import { fileAddress, type Hub, type HubFile, type HubModel, readListing } from './hub-listing.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { claim, keptBytes, revisionNote, unfinishedFolder } from './unfinished.ts';

export type DownloadPhase = 'resolving' | 'downloading' | 'checking';

export interface DownloadRequest {
  client: HttpClient;
  hub: Hub;
  entry: CatalogueEntry;
  /** Folder of models that it goes to. */
  folder: string;
  signal: AbortSignal;
  onPhase(phase: DownloadPhase): void;
  onListing(listing: HubModel): void;
  /** Bytes of all files that are there now. */
  onBytes(bytes: number): void;
  /** It failed or was stopped: bytes of all files that stay, to go on from. */
  onKept(bytes: number): void;
}

/** What was loaded before belongs to one commit; after another one it is worth nothing. */
async function prepareFolder(unfinished: string, listing: HubModel): Promise<void> {
  const note = path.join(unfinished, revisionNote);
  const before = await readFile(note, 'utf8').catch(() => undefined);
  if (before !== listing.revision) await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(note, listing.revision);
}

async function bytesThere(unfinished: string, files: HubFile[]): Promise<number> {
  let bytes = 0;
  for (const { path: relative } of files) {
    const target = path.join(unfinished, relative);
    const found = [target, `${target}.part`].map((file) => stat(file).catch(() => undefined));
    bytes += (await Promise.all(found)).reduce((sum, stats) => sum + (stats?.size ?? 0), 0);
  }
  return bytes;
}

/**
 * Loads every file of a model, checks the whole and puts it into place in one step.
 * @returns absolute path of the model's folder
 * @throws AppError DOWNLOAD_FAILED or MODEL_INVALID; the reason of `signal`. What was loaded and is not wrong stays, to go on from.
 */
export async function downloadModel(request: DownloadRequest): Promise<string> {
  const { entry, folder } = request;
  const release = claim(folder, entry);
  const unfinished = unfinishedFolder(folder, entry.id);
  try {
    return await loadWhole(request, unfinished);
  } catch (error) {
    request.onKept(await keptBytes(unfinished));
    throw error;
  } finally {
    release();
  }
}

async function loadWhole(request: DownloadRequest, unfinished: string): Promise<string> {
  const { client, hub, entry, folder, signal } = request;
  const target = path.join(folder, entry.id);
  // 1. what the host has
  request.onPhase('resolving');
  const listing = await readListing(client, hub, entry, signal);
  request.onListing(listing);
  // 2. room for it
  await prepareFolder(unfinished, listing);
  const total = listing.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  await checkFreeDisk(folder, total - (await bytesThere(unfinished, listing.files)), entry.name);
  // 3. its files
  request.onPhase('downloading');
  const hashes = new Map<string, string>();
  let finishedBytes = 0;
  for (const file of listing.files) {
    const sha256 = await downloadFile({
      ...{ client, file, signal, name: entry.name },
      url: fileAddress(hub, entry, listing.revision, file.path),
      target: path.join(unfinished, file.path),
      onBytes: (bytes) => request.onBytes(finishedBytes + bytes),
    });
    hashes.set(file.path, sha256);
    finishedBytes += file.sizeBytes;
  }
  // 4. the whole
  request.onPhase('checking');
  const manifest = makeManifest(entry, listing, hashes);
  await checkWhole(unfinished, manifest);
  signal.throwIfAborted();
  // 5. into place
  await writeFile(path.join(unfinished, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await rm(path.join(unfinished, revisionNote));
  if (existsSync(target)) await rm(target, { recursive: true });
  await rename(unfinished, target);
  return target;
}

/** Files that are as promised and yet no model that runs are removed: loading them again would bring the same. */
async function checkWhole(unfinished: string, manifest: Manifest): Promise<void> {
  try {
    await checkReferences(unfinished, manifest);
    if (manifest.kind === 'generator') await readGgufHeader(path.join(unfinished, manifest.model));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** The catalogue's facts with the host's sizes and the hashes that were compared. */
export function makeManifest(
  entry: CatalogueEntry,
  listing: HubModel,
  hashes: Map<string, string>,
): Manifest {
  const { id, kind, name, licence, languages, order, host, repository } = entry;
  const of = (role: HubFile['role']) => listing.files.find((file) => file.role === role)?.path;
  const shared = {
    ...{ id, kind, name, licence, languages, order },
    source: { host, repository, revision: listing.revision },
    files: listing.files.map((file) => ({
      path: file.path,
      sha256: hashes.get(file.path),
      sizeBytes: file.sizeBytes,
    })),
    model: of('model'),
  };
  if (entry.kind === 'generator') return readManifest(shared, `${repository} on ${host}`);
  const { maxTokens, output } = entry;
  const encoder = {
    ...shared,
    maxTokens,
    tokenizer: of('tokenizer'),
    tokenizerConfig: of('tokenizer-config'),
    ...(output === undefined ? {} : { output }),
  };
  if (entry.kind === 'reranker') return readManifest(encoder, `${repository} on ${host}`);
  const { pooling, queryPrefix, passagePrefix, dimensions } = entry;
  return readManifest(
    { ...encoder, pooling, queryPrefix, passagePrefix, dimensions },
    `${repository} on ${host}`,
  );
}
