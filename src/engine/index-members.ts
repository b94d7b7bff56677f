/** How do the documents inside a document get into the library? They are read like files, while their container still hands them out. */
import { rm, unlink } from 'node:fs/promises';
import { lastName, memberPath } from '../api/member-path.ts';
import { members as limits, PARSER_VERSION, parse } from './config.ts';
import { type FileMembers, refusedByDepth, type Turns } from './index-file-members.ts';
import type { HandedMember, MemberSettings } from './index-messages.ts';
import type { DocumentFailure, FileStamp } from './store/types.ts';

/** A document inside another, as it is to be read. */
export interface MemberFile extends FileStamp {
  /** Where its bytes are for the moment. */
  absolutePath: string;
  /** Last part of its name. */
  name: string;
  /** Document at its path that it replaces. */
  documentId?: number;
}

/** What becomes of each member. */
export interface MemberActions {
  read(file: MemberFile): Promise<void>;
  fail(file: FileStamp, failure: DocumentFailure): Promise<void>;
  /** Its content is the stored one. */
  keep(file: FileStamp, known: { documentId: number; isFailed: boolean; isTouched: boolean }): Promise<void>;
  /** Nested members that stay with their container. */
  keepBelow(counts: { read: number; failed: number }): void;
}

export interface ContainerOptions {
  /** All that is in the file on disk. */
  file: FileMembers;
  turns: Turns;
  /** The container's own path in the library, and its time, which members without one have. */
  path: string;
  modifiedAtMs: number;
  /** Containers around it. */
  depth: number;
  /** Folder that its members are written to. */
  folder: string;
  actions: MemberActions;
  /** Called before the first member is written. */
  begin(): Promise<void>;
}

type Handed = Extract<HandedMember, { path: string }>;

/** The members of one container, from its worker to the library. Only so many of them stand on disk at a time. */
export class ContainerMembers {
  readonly #options: ContainerOptions;
  readonly #waiting: HandedMember[] = [];
  /** Hash of each member that came, by name; empty where it has none. */
  #met = new Map<string, string>();
  #metBefore = new Map<string, string>();
  #waitingBytes = 0;
  #isClosed = false;
  #failure: { error: unknown } | undefined;
  #work: Promise<void> | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(options: ContainerOptions) {
    this.#options = options;
  }

  /** True once a member came. */
  get hasMembers(): boolean {
    return this.#work !== undefined;
  }

  /** What its worker is told. */
  settings(): MemberSettings {
    const { file, folder, depth, path } = this.#options;
    const refused = refusedByDepth(depth, lastName(path));
    return { folder, maxBytes: file.maxMemberBytes(), ...(refused === undefined ? {} : { refused }) };
  }

  /** Takes a member, later when too many wait; answers why there must be no more. */
  take(member: HandedMember): string | undefined | Promise<string | undefined> {
    const { file } = this.#options;
    const hash = 'path' in member ? member.contentHash : '';
    const isRepeated = this.#met.has(member.name) || this.#metBefore.get(member.name) === hash;
    this.#met.set(member.name, hash);
    if (isRepeated) return removeFile(member);
    const sizeBytes = 'path' in member ? member.sizeBytes : 0;
    file.count(sizeBytes);
    this.#waiting.push(member);
    this.#waitingBytes += sizeBytes;
    this.#work ??= this.#run();
    this.#wake();
    return this.#isFull() || this.#failure ? this.#whenRoom() : file.refusal();
  }

  /** Its worker died, and another one hands out all of them again. */
  restart(): void {
    this.#metBefore = this.#met;
    this.#met = new Map();
  }

  /**
   * Waits until all that was handed over is written or about to be, in front of whatever is written from now on, and removes
   * what is no longer there, unless the container could not be read to its end for reasons that lie outside of it.
   */
  async finish(isWhole: boolean): Promise<void> {
    const { file, path } = this.#options;
    await this.#close();
    if (this.#failure) throw this.#failure.error;
    if (isWhole) await file.removeBelow(path);
  }

  /** Gives up what was not read. */
  async abandon(): Promise<void> {
    this.#failure ??= { error: undefined };
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    if (!this.#work) return;
    await this.#work;
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  /** One container of each depth after the other: their workers stand still meanwhile, and each needs memory. */
  async #run(): Promise<void> {
    const { turns, depth, begin } = this.#options;
    const leave = await turns.enter(depth);
    try {
      await begin();
      await Promise.all(Array.from({ length: parse.workers }, () => this.#readAll()));
    } catch (error) {
      this.#failure ??= { error };
      this.#wake();
    } finally {
      leave();
    }
  }

  async #readAll(): Promise<void> {
    for (;;) {
      if (this.#failure) return;
      const member = this.#waiting.shift();
      if (member) await this.#readOne(member);
      else if (this.#isClosed) return;
      else await this.#changed.promise;
    }
  }

  async #readOne(member: HandedMember): Promise<void> {
    try {
      await this.#read(member);
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      if ('path' in member) {
        this.#waitingBytes -= member.sizeBytes;
        await removeFile(member);
      }
      this.#wake();
    }
  }

  async #read(member: HandedMember): Promise<void> {
    const { file, path, modifiedAtMs, actions } = this.#options;
    const stamp: FileStamp = {
      path: memberPath(path, member.name),
      sizeBytes: 'path' in member ? member.sizeBytes : 0,
      modifiedAtMs: Math.trunc(member.modifiedAtMs ?? modifiedAtMs),
      container: file.path,
    };
    const known = await file.meet(stamp.path);
    const isTouched = known?.sizeBytes !== stamp.sizeBytes || known.modifiedAtMs !== stamp.modifiedAtMs;
    if ('failure' in member) {
      const { reason, message } = member.failure;
      if (known?.state === 'failed' && known.contentHash === undefined && !isTouched) {
        return actions.keep(stamp, { documentId: known.documentId, isFailed: true, isTouched });
      }
      return actions.fail(stamp, { reason, message });
    }
    if (known && !file.isForced && isSame(known, member)) {
      actions.keepBelow(await file.meetBelow(stamp.path));
      return actions.keep(stamp, {
        documentId: known.documentId,
        isFailed: known.state === 'failed',
        isTouched,
      });
    }
    return actions.read({
      ...stamp,
      absolutePath: member.path,
      name: lastName(member.name),
      ...(known ? { documentId: known.documentId } : {}),
    });
  }

  #isFull(): boolean {
    return this.#waiting.length >= limits.maxWaiting || this.#waitingBytes >= limits.maxWaitingBytes;
  }

  async #whenRoom(): Promise<string | undefined> {
    while (this.#isFull() && !this.#failure) await this.#changed.promise;
    if (this.#failure) throw this.#failure.error;
    return this.#options.file.refusal();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

async function removeFile(member: HandedMember): Promise<undefined> {
  if ('path' in member) await unlink(member.path).catch(() => undefined);
}

function isSame(known: { contentHash?: string; parserVersion: number }, member: Handed): boolean {
  return known.contentHash === member.contentHash && known.parserVersion === PARSER_VERSION;
}
