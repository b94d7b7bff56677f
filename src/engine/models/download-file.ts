/** How does one file come from a host: taken up where it broke off, counted, and compared with the promised hash? */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../api/errors.ts';
import { connectionFailure, drop, type HttpClient, HttpFailure, type HttpResponse } from './http-client.ts';
import type { HubFile } from './hub-listing.ts';

export interface FileRequest {
  client: HttpClient;
  /** Name of the model, for messages. */
  name: string;
  url: URL;
  file: HubFile;
  /** Absolute path that the file gets when it is whole; until then it stands beside it with ".part". */
  target: string;
  signal: AbortSignal;
  /** Bytes that are there now, of this file. */
  onBytes(bytes: number): void;
}

/** Hashes of what is there so far. */
class Hashes {
  private readonly sha256: Hash = createHash('sha256');
  private readonly git: Hash | undefined;
  bytes = 0;

  constructor(file: HubFile) {
    if (file.gitSha1 !== undefined) this.git = createHash('sha1').update(`blob ${file.sizeBytes}\0`);
  }

  add(piece: Buffer): void {
    this.sha256.update(piece);
    this.git?.update(piece);
    this.bytes += piece.length;
  }

  /** The SHA-256; undefined when what was promised is something else. */
  finish(file: HubFile): string | undefined {
    const sha256 = this.sha256.digest('hex');
    const isWrong =
      (file.sha256 !== undefined && sha256 !== file.sha256) ||
      (file.gitSha1 !== undefined && this.git?.digest('hex') !== file.gitSha1);
    return isWrong ? undefined : sha256;
  }
}

/** A file that stands there whole is compared and left alone. */
async function existing(request: FileRequest): Promise<string | undefined> {
  const { file, target, onBytes, signal } = request;
  const size = (await stat(target).catch(() => undefined))?.size;
  if (size === undefined) return undefined;
  if (size === file.sizeBytes) {
    const hashes = await hashPart(target, file, signal);
    const sha256 = hashes.finish(file);
    if (sha256 !== undefined) {
      onBytes(size);
      return sha256;
    }
  }
  await rm(target);
  return undefined;
}

async function hashPart(part: string, file: HubFile, signal: AbortSignal): Promise<Hashes> {
  const hashes = new Hashes(file);
  for await (const piece of createReadStream(part, { highWaterMark: 1024 * 1024, signal })) {
    hashes.add(piece as Buffer);
  }
  return hashes;
}

/**
 * Loads a file to its end. A break is mended by going on from there; a file that is wrong is removed.
 * @returns its SHA-256, in hexadecimal
 * @throws AppError DOWNLOAD_FAILED, or the reason of `signal`; what came stays as ".part", unless it was wrong
 */
export async function downloadFile(request: FileRequest): Promise<string> {
  const { client, target, signal } = request;
  await mkdir(path.dirname(target), { recursive: true });
  const whole = await existing(request);
  if (whole !== undefined) return whole;
  for (let attempt = 1; ; ) {
    const before = await partSize(target);
    try {
      return await takeUp(request);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HttpFailure) || !error.mayPass) throw error;
      attempt = (await partSize(target)) > before ? 1 : attempt + 1;
      if (attempt > client.limits.maxAttempts) throw error;
      await client.pause(attempt, error.waitMs, signal);
    }
  }
}

const partSize = async (target: string): Promise<number> =>
  (await stat(`${target}.part`).catch(() => undefined))?.size ?? 0;

/** One connection's worth, from where the part ends. */
async function takeUp(request: FileRequest): Promise<string> {
  const { file, target, signal, onBytes } = request;
  const [part, mark] = [`${target}.part`, `${target}.etag`];
  let hashes = new Hashes(file);
  const size = await partSize(target);
  if (size > 0 && size < file.sizeBytes) hashes = await hashPart(part, file, signal);
  else if (size >= file.sizeBytes) await rm(part, { force: true });
  const etag = hashes.bytes > 0 ? await readFile(mark, 'utf8').catch(() => '') : '';
  const response = await ask(request, hashes.bytes, etag);
  if (response.status !== 206) hashes = new Hashes(file);
  await writeFile(mark, response.headers.get('etag') ?? '');
  const handle = await open(part, hashes.bytes > 0 ? 'a' : 'w');
  try {
    onBytes(hashes.bytes);
    await receive(request, response, handle, hashes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return finish(request, hashes);
}

async function ask(request: FileRequest, from: number, etag: string): Promise<HttpResponse> {
  const { client, url, file, signal, name } = request;
  const what = `${name} (${file.path})`;
  // Only bytes of the very same file may be joined; a host that cannot tell starts anew.
  const isJoinable = from > 0 && etag !== '' && !etag.startsWith('W/');
  const headers = isJoinable ? { range: `bytes=${from}-`, 'if-range': etag } : {};
  const response = await client.get(what, url, headers as Record<string, string>, signal);
  const fault = faultOf(request, response, isJoinable ? from : 0);
  if (fault === undefined) return response;
  drop(response);
  throw new HttpFailure(`Download failed: ${what}: ${response.url.host} ${fault}.`, { mayPass: false });
}

/** Why an answer can't be the file, seen from its head. */
function faultOf({ file }: FileRequest, response: HttpResponse, from: number): string | undefined {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/html') && !/\.html?$/i.test(file.path))
    return 'sent a web page instead of the file: a sign-in page of your network may stand in between';
  if (headers.has('content-encoding') && headers.get('content-encoding') !== 'identity')
    return 'sent the file compressed, so it can’t be compared: check the proxy';
  const length = headers.get('content-length');
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
    const isFitting =
      Number(start) === from && from > 0 && (total === '*' || Number(total) === file.sizeBytes);
    return isFitting ? undefined : 'sent another part than the one that was asked for: try again later';
  }
  if (length !== null && Number(length) !== file.sizeBytes)
    return `has ${length} bytes instead of the ${file.sizeBytes} that it promised: try again later`;
  return undefined;
}

async function receive(
  request: FileRequest,
  response: HttpResponse,
  handle: FileHandle,
  hashes: Hashes,
): Promise<void> {
  const { file, name, signal, onBytes } = request;
  const what = `${name} (${file.path})`;
  const { body, url } = response;
  const pieces = body[Symbol.asyncIterator]();
  while (true) {
    const next = await pieces.next().catch((cause: unknown) => {
      signal.throwIfAborted();
      throw connectionFailure(what, url.host, cause);
    });
    if (next.done) break;
    const piece = next.value as Buffer;
    if (hashes.bytes + piece.length > file.sizeBytes) {
      drop(response);
      await removePart(request);
      throw wrong(request, `sent more than the ${file.sizeBytes} bytes that it promised`);
    }
    await writeWhole(handle, piece, name);
    hashes.add(piece);
    onBytes(hashes.bytes);
  }
  if (hashes.bytes < file.sizeBytes) {
    throw new HttpFailure(
      `Download failed: ${what}: ${url.host} stopped after ${hashes.bytes} of ${file.sizeBytes} bytes: try again.`,
      { mayPass: true },
    );
  }
}

async function writeWhole(handle: FileHandle, piece: Buffer, name: string): Promise<void> {
  let written = 0;
  while (written < piece.length) {
    const { bytesWritten } = await handle.write(piece, written).catch((cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'ENOSPC' ? 'the disk is full: free some space' : `${cause.message}: check the disk`;
      throw new AppError('DOWNLOAD_FAILED', `Download failed: ${name}: ${why} and go on.`, { cause });
    });
    written += bytesWritten;
  }
}

async function finish(request: FileRequest, hashes: Hashes): Promise<string> {
  const { file, target } = request;
  const sha256 = hashes.finish(file);
  if (sha256 === undefined) {
    await removePart(request);
    throw wrong(request, 'sent other bytes than it promised');
  }
  await rename(`${target}.part`, target);
  await rm(`${target}.etag`, { force: true });
  return sha256;
}

async function removePart({ target }: FileRequest): Promise<void> {
  await rm(`${target}.part`, { force: true });
  await rm(`${target}.etag`, { force: true });
}

function wrong({ name, file, url }: FileRequest, why: string): AppError {
  return new AppError(
    'DOWNLOAD_FAILED',
    `Download failed: ${name} (${file.path}): ${url.host} ${why}: the file was removed; try again, or import the model by hand.`,
  );
}
