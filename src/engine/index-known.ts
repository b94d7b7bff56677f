/** What does the library hold of a folder already, and does a file have to be read again? */
import type { ReasonCode } from '../api/errors.ts';
import type { DocumentState } from '../api/types.ts';
import { files as limits, PARSER_VERSION } from './config.ts';
import type { FileStamp, StoreApi } from './store/types.ts';

/** As little as comparing needs: a million of these stand in memory at once. */
interface Known {
  documentId: number;
  sizeBytes: number;
  modifiedAtMs: number;
  state: DocumentState;
  hasHash: boolean;
  isCurrentParser: boolean;
}

/** unchanged, failed: nothing to do. read: new, or of an older parser. check: the stamp changed, perhaps the content didn't. */
export type Comparison =
  | { type: 'unchanged' | 'failed' | 'read' }
  | { type: 'check'; documentId: number; contentHash: string };

/** Reasons that lie outside the file's content and may be over by now. */
const passingReasons = new Set<ReasonCode | undefined>(['unreadable', 'gone', undefined]);

/** The documents of a folder that the scan did not meet yet, by path. */
export class KnownFiles {
  readonly #store: StoreApi;
  readonly #byPath = new Map<string, Known>();

  constructor(store: StoreApi) {
    this.#store = store;
  }

  get size(): number {
    return this.#byPath.size;
  }

  async load(folderId: number, signal: AbortSignal): Promise<void> {
    let afterId = 0;
    for (;;) {
      signal.throwIfAborted();
      const page = await this.#store.knownFiles(folderId, afterId, limits.knownPage);
      for (const file of page) {
        this.#byPath.set(file.path, {
          documentId: file.documentId,
          sizeBytes: file.sizeBytes,
          modifiedAtMs: file.modifiedAtMs,
          state: file.state,
          hasHash: file.contentHash !== undefined,
          isCurrentParser: file.parserVersion === PARSER_VERSION,
        });
        afterId = Math.max(afterId, file.documentId);
      }
      if (page.length < limits.knownPage) return;
    }
  }

  /** Compares a file with what is known at its path, and takes that off the list. */
  compare(file: FileStamp, force: boolean): Comparison | Promise<Comparison> {
    const known = this.#byPath.get(file.path);
    this.#byPath.delete(file.path);
    if (!known || force || !known.isCurrentParser) return { type: 'read' };
    if (known.sizeBytes === file.sizeBytes && known.modifiedAtMs === file.modifiedAtMs) {
      if (known.state !== 'failed') return { type: 'unchanged' };
      return this.#mayPass(known).then((mayPass) => ({ type: mayPass ? 'read' : 'failed' }));
    }
    return known.hasHash ? this.#check(known.documentId) : { type: 'read' };
  }

  async #check(documentId: number): Promise<Comparison> {
    const contentHash = await this.#store.contentHash(documentId);
    return contentHash === undefined ? { type: 'read' } : { type: 'check', documentId, contentHash };
  }

  /** The failure of a file that can't be read at all: remembered already, or new. */
  isRememberedFailure(file: FileStamp): boolean {
    const known = this.#byPath.get(file.path);
    this.#byPath.delete(file.path);
    return (
      known?.state === 'failed' &&
      known.sizeBytes === file.sizeBytes &&
      known.modifiedAtMs === file.modifiedAtMs
    );
  }

  /** Documents that the scan did not meet, but for those at or below paths that it could not see. */
  gone(unseen: readonly string[]): number[] {
    const ids: number[] = [];
    for (const [path, known] of this.#byPath) {
      if (!unseen.some((prefix) => isAtOrBelow(path, prefix))) ids.push(known.documentId);
    }
    return ids;
  }

  async #mayPass(known: Known): Promise<boolean> {
    if (known.hasHash) return false;
    return passingReasons.has((await this.#store.document(known.documentId))?.reason);
  }
}

function isAtOrBelow(path: string, prefix: string): boolean {
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
}
