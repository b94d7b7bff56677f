/** What does the library hold of the documents inside a file, and how much may the file hold? */

import { isInDocument, memberPath } from '../api/member-path.ts';
import { files, members as limits } from './config.ts';
import type { KnownFile, MemberCount, StoreApi } from './store/types.ts';

const GIB = 1024 ** 3;

export interface FileMembersOptions {
  store: StoreApi;
  folderId: number;
  /** The file's path in its folder. */
  path: string;
  sizeBytes: number;
  /** Members are read again though they are the same. */
  isForced: boolean;
  /** The library is known to hold none of them. */
  isEmpty: boolean;
  onRemoved(count: number): void;
}

/** Members that were not met yet. */
interface NotMet {
  byPath: Map<string, KnownFile>;
  /** Paths of these and of those that were met since, in the order of their code units. */
  sorted: string[];
}

/** All that is inside one file on disk, however deep. */
export class FileMembers {
  readonly #options: FileMembersOptions;
  readonly path: string;
  readonly isForced: boolean;
  #loaded: Promise<NotMet> | undefined;
  #count = 0;
  #bytes = 0;

  constructor(options: FileMembersOptions) {
    this.#options = options;
    this.path = options.path;
    this.isForced = options.isForced;
  }

  /** A member was unpacked. */
  count(bytes: number): void {
    this.#count += 1;
    this.#bytes += bytes;
  }

  /** Bytes that the next member may have. */
  maxMemberBytes(): number {
    return Math.max(0, Math.min(limits.maxMemberBytes, this.#maxBytes() - this.#bytes));
  }

  /** Why no further member is read, once there are too many. */
  refusal(): string | undefined {
    if (this.#count >= limits.maxMembers) {
      return `Only a part was read: ${this.path}: it holds more than ${limits.maxMembers} documents; unpack it or split it.`;
    }
    if (this.#bytes < this.#maxBytes()) return undefined;
    const gigabytes = (this.#bytes / GIB).toFixed(1);
    return `Only a part was read: ${this.path}: it unpacks to more than ${gigabytes} GB; unpack it and add what is in it.`;
  }

  /** What is known at a path, taken off the list of what was not met. */
  async meet(path: string): Promise<KnownFile | undefined> {
    const { byPath } = await this.#load();
    const found = byPath.get(path);
    byPath.delete(path);
    return found;
  }

  /** A container is the same: so is all that is in it. */
  async meetBelow(container: string): Promise<Omit<MemberCount, 'container'>> {
    const counts = { read: 0, failed: 0 };
    for (const { state } of await this.#takeBelow(container))
      counts[state === 'failed' ? 'failed' : 'read'] += 1;
    return counts;
  }

  /** Forgets what was not met inside a container. */
  async removeBelow(container: string): Promise<void> {
    const { store, onRemoved } = this.#options;
    const gone = await this.#takeBelow(container);
    for (let from = 0; from < gone.length; from += files.removeBatch) {
      const batch = gone.slice(from, from + files.removeBatch);
      await store.removeDocuments(batch.map(({ documentId }) => documentId));
      onRemoved(batch.length);
    }
  }

  #maxBytes(): number {
    return Math.min(
      limits.maxTotalBytes,
      Math.max(limits.ratioFromBytes, limits.maxRatio * this.#options.sizeBytes),
    );
  }

  /** Takes off the list what was not met inside a container. */
  async #takeBelow(container: string): Promise<KnownFile[]> {
    const { byPath, sorted } = await this.#load();
    const taken: KnownFile[] = [];
    for (let at = firstInside(sorted, container); isInDocument(sorted[at] ?? '', container); at += 1) {
      const known = byPath.get(sorted[at]!);
      if (known) taken.push(known);
      byPath.delete(sorted[at]!);
    }
    return taken;
  }

  #load(): Promise<NotMet> {
    this.#loaded ??= this.#readKnown();
    return this.#loaded;
  }

  async #readKnown(): Promise<NotMet> {
    const { store, folderId, isEmpty } = this.#options;
    const byPath = new Map<string, KnownFile>();
    for (let afterId = 0; !isEmpty; ) {
      const page = await store.knownMembers(folderId, this.path, afterId, limits.page);
      for (const file of page) byPath.set(file.path, file);
      if (page.length < limits.page) break;
      afterId = page.at(-1)!.documentId;
    }
    return { byPath, sorted: [...byPath.keys()].sort() };
  }
}

/** Index of the first path inside a container; a mailbox may hold a hundred thousand containers. */
function firstInside(sorted: string[], container: string): number {
  const sought = memberPath(container, '');
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < sought) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One after the other, at each depth. */
export class Turns {
  readonly #last: Promise<void>[] = [];

  /** Waits for its turn and returns what ends it. */
  async enter(depth: number): Promise<() => void> {
    const before = this.#last[depth];
    const own = Promise.withResolvers<void>();
    this.#last[depth] = own.promise;
    await before;
    return own.resolve;
  }
}

/** Why the members of a container at a depth are left alone, if they are. */
export function refusedByDepth(depth: number, name: string): string | undefined {
  if (depth < limits.maxDepth) return undefined;
  return `What is inside was not read: ${name}: it stands in ${depth} others; unpack it.`;
}

/** How many documents each file of a folder holds; as many entries as there are such files. */
export async function loadMemberCounts(
  store: StoreApi,
  folderId: number,
  signal: AbortSignal,
): Promise<Map<string, MemberCount>> {
  const counts = new Map<string, MemberCount>();
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const page = await store.memberCounts(folderId, after, limits.page);
    for (const count of page) counts.set(count.container, count);
    if (page.length < limits.page) return counts;
    after = page.at(-1)!.container;
  }
}
