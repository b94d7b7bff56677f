/** How does a parse worker hand on the documents inside the one it reads? Each as a file of its own, one after the other. */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentWarning } from '../api/types.ts';
import { type Member, ParseFailure } from './document.ts';
import { isSkippedFile, isSkippedFolder } from './files/skipped-names.ts';
import type { EngineChannel } from './index-channel.ts';
import { toParseFailure } from './index-failures.ts';
import type { HandedMember, MemberSettings } from './index-messages.ts';

/** Hands on the members of one document. */
export class MemberSender {
  readonly #channel: EngineChannel;
  readonly #settings: MemberSettings | undefined;
  /** A worker that takes over from one that died writes other files. */
  readonly #own = randomUUID().slice(0, 8);
  #sent = 0;
  #isOver = false;
  /** Members that came, whether or not they were sent. */
  count = 0;

  constructor(channel: EngineChannel, settings: MemberSettings | undefined) {
    this.#channel = channel;
    this.#settings = settings;
  }

  /** Returns a warning when no further member is wanted. Throws when the file can't be written. */
  async send(member: Member): Promise<DocumentWarning | undefined> {
    this.count += 1;
    if (!this.#settings || this.#isOver || isSkipped(member.name)) return undefined;
    const { folder, maxBytes } = this.#settings;
    if (this.#settings.refused !== undefined) return this.#end(this.#settings.refused);
    const { name, modifiedAtMs } = member;
    const target = path.join(folder, `${this.#own}-${this.#sent++}`);
    if (this.#sent === 1) await mkdir(folder, { recursive: true });
    const refused = await this.#channel.member({
      name,
      ...(modifiedAtMs === undefined ? {} : { modifiedAtMs }),
      ...(await written(member, target, maxBytes)),
    });
    return refused === undefined ? undefined : this.#end(refused);
  }

  #end(message: string): DocumentWarning {
    this.#isOver = true;
    return { code: 'too-large', message };
  }
}

type Written = Pick<Extract<HandedMember, { path: string }>, 'path' | 'sizeBytes' | 'contentHash'>;

async function written(
  member: Member,
  target: string,
  maxBytes: number,
): Promise<Written | Pick<Extract<HandedMember, { failure: unknown }>, 'failure'>> {
  try {
    return { path: target, ...(await writeMember(member, target, maxBytes)) };
  } catch (error) {
    if (error instanceof ScratchError) throw error.cause;
    await rm(target, { force: true });
    const { reason, message } = toParseFailure(member.name, error);
    return { failure: { reason, message } };
  }
}

/** The file could not be written, which is no fault of what was to be written. */
class ScratchError extends Error {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super('Writing a member failed.');
    this.cause = cause;
  }
}

/** Writes a member's bytes to a new file. Throws what its content throws, and ParseFailure 'too-large'. */
export async function writeMember(
  member: Member,
  target: string,
  maxBytes: number,
): Promise<{ sizeBytes: number; contentHash: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  // A worker has nothing else to do, and the thread pool costs several times as much as writing a mail.
  const file = orRefuse(() => openSync(target, 'wx'));
  try {
    for await (const piece of member.content()) {
      sizeBytes += piece.byteLength;
      if (sizeBytes > maxBytes) throw tooLarge(member.name, maxBytes);
      hash.update(piece);
      for (let at = 0; at < piece.byteLength; ) at += orRefuse(() => writeSync(file, piece, at));
    }
  } finally {
    closeSync(file);
  }
  return { sizeBytes, contentHash: hash.digest('hex') };
}

function orRefuse<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw new ScratchError(cause);
  }
}

function tooLarge(name: string, maxBytes: number): ParseFailure {
  const megabytes = Math.round(maxBytes / 1024 ** 2);
  return new ParseFailure(
    'too-large',
    `The document was not read: ${name}: it unpacks to more than ${megabytes} MB; unpack it and add it as a file.`,
  );
}

/** Hidden and system names are left alone, as in folders. */
function isSkipped(name: string): boolean {
  const folders = name.split('/');
  const last = folders.pop() ?? name;
  return folders.some(isSkippedFolder) || isSkippedFile(last);
}
