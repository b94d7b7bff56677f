/** Which commit and which files does a model hub have, how large are they, and which hashes does it promise? */
import { z } from 'zod';
import { AppError } from '../../api/errors.ts';
import { download as limits, models } from '../config.ts';
import type { CatalogueEntry, WantedFile } from './catalogue.ts';
import { connectionFailure, type HttpClient, HttpFailure } from './http-client.ts';
import { isConfined } from './manifest.ts';

/** A file as the hub promises it: large ones by SHA-256, small ones by the hash of their git object. */
export interface HubFile {
  /** Relative to the repository, and to the model's folder later. */
  path: string;
  role: WantedFile['role'];
  sizeBytes: number;
  sha256?: string;
  /** SHA-1 over "blob", size and content, as git has it. */
  gitSha1?: string;
}

export interface HubModel {
  revision: string;
  files: HubFile[];
}

/** The part of a hub's description that is needed; as of the API of huggingface.co with `blobs=true`. */
const description = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z
    .array(
      z.object({
        rfilename: z.string().max(1000),
        size: z.number().int().min(0).optional(),
        blobId: z
          .string()
          .regex(/^[0-9a-f]{40}$/)
          .optional(),
        lfs: z
          .object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().min(0) })
          .nullish(),
      }),
    )
    .max(limits.maxListedFiles),
});

type Sibling = z.output<typeof description>['siblings'][number];

/** Where a hub answers. */
export interface Hub {
  /** Such as https://huggingface.co; always without a slash at its end. */
  origin: string;
}

export const fileAddress = (hub: Hub, entry: CatalogueEntry, revision: string, path: string): URL =>
  new URL(
    `${hub.origin}/${entry.repository}/resolve/${revision}/${path.split('/').map(encodeURIComponent).join('/')}`,
  );

/**
 * Asks the hub for a model of the catalogue.
 * @throws AppError DOWNLOAD_FAILED when it does not answer, has another commit or other files than the catalogue promises
 */
export async function readListing(
  client: HttpClient,
  hub: Hub,
  entry: CatalogueEntry,
  signal: AbortSignal,
): Promise<HubModel> {
  const url = new URL(
    `${hub.origin}/api/models/${entry.repository}/revision/${entry.revision ?? 'main'}?blobs=true`,
  );
  const text = await client.withRetries(signal, () => readText(client, entry.name, url, signal));
  const failed = (why: string): AppError =>
    new AppError('DOWNLOAD_FAILED', `Download failed: ${entry.name}: ${url.host} ${why}.`);
  const parsed = description.safeParse(parseJson(text));
  if (!parsed.success) throw failed('answered with something else than a list of files: try again later');
  const { sha, siblings } = parsed.data;
  if (entry.revision !== undefined && sha !== entry.revision)
    throw failed(
      `has the commit ${sha.slice(0, 7)} instead of ${entry.revision.slice(0, 7)}: try again later`,
    );
  const files = chooseFiles(entry, siblings, failed);
  comparePromises(entry, files, failed);
  return { revision: sha, files };
}

async function readText(client: HttpClient, name: string, url: URL, signal: AbortSignal): Promise<string> {
  const { body } = await client.get(name, url, { accept: 'application/json' }, signal);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      length += (piece as Buffer).length;
      if (length > limits.maxListingBytes) {
        throw new HttpFailure(`Download failed: ${name}: ${url.host} sent a list of files without end.`, {
          mayPass: false,
        });
      }
      pieces.push(piece as Buffer);
    }
  } catch (cause) {
    if (cause instanceof HttpFailure) throw cause;
    signal.throwIfAborted();
    throw connectionFailure(name, url.host, cause);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** "*" stands for any part of a name. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^/]*')}$`, 'i');
}

const partMark = /-(\d{5})-of-(\d{5})\.gguf$/i;

/** Of several finds for one file: a model in parts is taken whole, else the shortest name, which has no further mark. */
function narrow(found: Sibling[]): Sibling[] {
  const single = found.filter((sibling) => !partMark.test(sibling.rfilename));
  if (single.length > 0) {
    return [single.reduce((a, b) => (b.rfilename.length < a.rfilename.length ? b : a))];
  }
  return found.toSorted((a, b) => (a.rfilename < b.rfilename ? -1 : 1));
}

function findWanted(wanted: WantedFile, siblings: Sibling[]): Sibling[] {
  for (const pattern of wanted.anyOf) {
    const expression = toExpression(pattern);
    const found = siblings.filter((sibling) => expression.test(sibling.rfilename));
    if (found.length > 0) return wanted.role === 'data' ? found : narrow(found);
  }
  return [];
}

function chooseFiles(
  entry: CatalogueEntry,
  siblings: Sibling[],
  failed: (why: string) => AppError,
): HubFile[] {
  const files = entry.files.flatMap((wanted) => {
    const found = findWanted(wanted, siblings);
    if (found.length === 0 && !wanted.isOptional)
      throw failed(`has no file "${wanted.anyOf[0]}" in ${entry.repository}: choose another model`);
    return found.map((sibling) => toHubFile(sibling, wanted.role, failed));
  });
  const parts = files.map((file) => partMark.exec(file.path)).filter((match) => match !== null);
  if (parts.length > 0 && parts.length !== Number(parts[0]![2]))
    throw failed(`has ${parts.length} of ${Number(parts[0]![2])} parts of it: choose another model`);
  if (files.length > models.maxFiles) throw failed(`has ${files.length} files for it, which is too many`);
  return files;
}

function toHubFile(sibling: Sibling, role: WantedFile['role'], failed: (why: string) => AppError): HubFile {
  const { rfilename: path, lfs, blobId } = sibling;
  const sizeBytes = lfs?.size ?? sibling.size;
  if (!isConfined(path)) throw failed('names a file that would lie outside its folder');
  if (sizeBytes === undefined || sizeBytes < 1 || sizeBytes > models.maxFileBytes)
    throw failed(`promises no sensible size for "${path}"`);
  if (!lfs && blobId === undefined)
    throw failed(`promises no hash for "${path}", so it could not be checked`);
  return { path, role, sizeBytes, ...(lfs ? { sha256: lfs.sha256 } : { gitSha1: blobId }) };
}

/** Sizes and hashes of the catalogue are older than the host's and must be the same. */
function comparePromises(entry: CatalogueEntry, files: HubFile[], failed: (why: string) => AppError): void {
  for (const promised of entry.verified ?? []) {
    const file = files.find((candidate) => candidate.path === promised.path);
    const isSame =
      file?.sizeBytes === promised.sizeBytes && (file.sha256 ?? promised.sha256) === promised.sha256;
    if (!file || !isSame) throw failed(`has another "${promised.path}" than this version of Lectern knows`);
    file.sha256 = promised.sha256;
  }
}
