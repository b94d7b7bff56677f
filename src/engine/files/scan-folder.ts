/** Which files are there? */
import { type Dirent, type Stats, stat } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError, type ReasonCode } from '../../api/errors.ts';
import type { ExclusionReason } from '../../api/ledger.ts';
import { files as defaults } from '../config.ts';
import { type IgnoreRules, isIgnored, withFolderRules } from './ignore-rules.ts';
import { decodeName } from './names.ts';
import { readAhead } from './read-ahead.ts';
import { isSkippedFile, isSkippedFolder, skippedFile, skippedFolder } from './skipped-names.ts';

/** A file that may be read. */
export interface ScannedFile {
  type: 'file';
  /** Relative to the root, "/" between parts. */
  path: string;
  absolutePath: string;
  sizeBytes: number;
  /** Whole milliseconds since 1970. */
  modifiedAtMs: number;
}

/** A file or folder that can't be read, and why. */
export interface ScanProblem {
  type: 'problem';
  /** Relative to the root; a folder ends in "/". Bytes of a name that are no UTF-8 stand as "\xE9". */
  path: string;
  sizeBytes: number;
  modifiedAtMs: number;
  reason: ReasonCode;
  message: string;
  /** What stands at or below this path was not seen and so is not known to be gone; absent for a single file. '' is the root. */
  unseen?: string;
}

/** A file or folder that is left out; nothing is looked at inside. */
export interface ScanExclusion {
  type: 'excluded';
  /** Relative to the root; a folder ends in "/". */
  path: string;
  reason: ExclusionReason;
}

export type ScanEvent = ScannedFile | ScanProblem | ScanExclusion;

export interface ScanOptions {
  signal?: AbortSignal;
  limits?: { maxDepth?: number; maxFiles?: number };
}

/** A folder still to be walked. */
interface Visit {
  /** As the system takes it; bytes where a name above is no UTF-8. */
  at: string | Buffer;
  relative: string;
  depth: number;
  rules: IgnoreRules | undefined;
  /** Real path of the linked folder that this one was reached through, if any. */
  link?: string;
}

interface Entry {
  raw: Buffer;
  /** Readable form of the name. */
  name: string;
  isValid: boolean;
  kind: 'file' | 'folder' | 'link';
}

/**
 * Every file below a folder, in batches: hidden and system entries and what ignore files exclude are left out; links are followed
 * only to places inside the folder that the walk itself doesn't reach. Throws FOLDER_NOT_FOUND when the folder itself
 * can't be read; anything below it becomes a problem, never an error.
 */
export async function* scanFolder(root: string, options: ScanOptions = {}): AsyncGenerator<ScanEvent[]> {
  const walk = new Walk(await openRoot(root), options);
  for await (const batch of readAhead(walk.run(), defaults.scanAhead)) {
    options.signal?.throwIfAborted();
    yield batch;
  }
}

async function openRoot(root: string): Promise<string> {
  try {
    const real = await realpath(root);
    await readdir(real);
    return real;
  } catch (cause) {
    throw new AppError(
      'FOLDER_NOT_FOUND',
      `Scanning failed: ${root}: the folder can't be reached; connect its drive or check its name and permissions.`,
      { cause },
    );
  }
}

class Walk {
  readonly #root: string;
  readonly #signal: AbortSignal | undefined;
  readonly #maxDepth: number;
  readonly #maxFiles: number;
  readonly #followed = new Set<string>();
  #found = 0;

  constructor(root: string, options: ScanOptions) {
    this.#root = root;
    this.#signal = options.signal;
    this.#maxDepth = options.limits?.maxDepth ?? defaults.maxDepth;
    this.#maxFiles = options.limits?.maxFiles ?? defaults.maxFiles;
  }

  async *run(): AsyncGenerator<ScanEvent[]> {
    const stack: Visit[] = [{ at: this.#root, relative: '', depth: 0, rules: undefined }];
    for (let visit = stack.pop(); visit; visit = stack.pop()) {
      this.#signal?.throwIfAborted();
      if (visit.depth > this.#maxDepth) {
        yield [tooDeep(visit.relative, this.#maxDepth)];
        continue;
      }
      let entries: Entry[];
      try {
        entries = await readFolder(visit.at);
      } catch (error) {
        const problem = folderProblem(visit.relative, error);
        if (problem) yield [problem];
        continue;
      }
      yield* this.#folder(visit, entries, stack);
      if (this.#found >= this.#maxFiles && stack.length > 0) {
        yield [tooMany(this.#maxFiles)];
        return;
      }
    }
  }

  async *#folder(visit: Visit, entries: Entry[], stack: Visit[]): AsyncGenerator<ScanEvent[]> {
    const rules =
      typeof visit.at === 'string'
        ? await withFolderRules(
            visit.rules,
            visit.at,
            visit.relative,
            entries.map((entry) => entry.name),
          )
        : visit.rules;
    const inside = { ...visit, rules };
    const folders: Visit[] = [];
    const found: Entry[] = [];
    const excluded: ScanExclusion[] = [];
    for (const entry of entries) {
      const relative = joinRelative(visit.relative, entry.name);
      const reason = leftOut(entry, rules, relative);
      if (reason !== undefined) {
        excluded.push({
          type: 'excluded',
          path: entry.kind === 'folder' ? `${relative}/` : relative,
          reason,
        });
      } else if (entry.kind === 'folder') {
        const folder = this.#below(inside, entry, relative);
        if (folder) folders.push(folder);
      } else if (entry.kind === 'file') {
        found.push(entry);
      } else {
        const target = await this.#followLink(inside, entry, relative);
        if (target === 'file') found.push(entry);
        else if (target === 'elsewhere') excluded.push({ type: 'excluded', path: relative, reason: 'link' });
        else if (target) folders.push(target);
      }
    }
    // With the files: a batch of its own for each folder shows in the time of a re-scan (5 % at one in six left out).
    if (excluded.length > 0 && found.length === 0) yield excluded;
    yield* this.#files(visit, found, excluded);
    // Last in, first out: pushed backwards so that folders are walked in the order of their names.
    for (const folder of folders.reverse()) stack.push(folder);
  }

  async *#files(visit: Visit, entries: Entry[], excluded: ScanExclusion[]): AsyncGenerator<ScanEvent[]> {
    for (let from = 0; from < entries.length; from += defaults.statBatch) {
      this.#signal?.throwIfAborted();
      const batch = entries.slice(from, from + defaults.statBatch);
      const stats = await Promise.all(batch.map((entry) => statOf(joinPath(visit.at, entry))));
      const events: ScanEvent[] = from === 0 ? excluded : [];
      for (const [index, entry] of batch.entries()) {
        const event = fileEvent(visit, entry, stats[index]!);
        if (!event) continue;
        if (this.#found >= this.#maxFiles) {
          yield [...events, tooMany(this.#maxFiles)];
          return;
        }
        this.#found += 1;
        events.push(event);
      }
      yield events;
    }
  }

  #below(parent: Visit, entry: Entry, relative: string): Visit | undefined {
    const link = parent.link === undefined ? undefined : path.join(parent.link, entry.name);
    if (link !== undefined) {
      if (this.#followed.has(link)) return undefined;
      this.#followed.add(link);
    }
    return {
      at: joinPath(parent.at, entry),
      relative,
      depth: parent.depth + 1,
      rules: parent.rules,
      ...(link === undefined ? {} : { link }),
    };
  }

  /** What a link leads to, when it stays inside the folder; undefined where the walk reaches that without the link. */
  async #followLink(
    parent: Visit,
    entry: Entry,
    relative: string,
  ): Promise<'file' | 'elsewhere' | Visit | undefined> {
    const at = joinPath(parent.at, entry);
    // A link with a name that is no UTF-8, or one that leads nowhere, is left alone like a link to elsewhere.
    if (typeof at !== 'string') return 'elsewhere';
    const real = await realpath(at).catch(() => undefined);
    if (real === undefined) return 'elsewhere';
    if (this.#followed.has(real)) return undefined;
    const inside = path.relative(this.#root, real);
    if (inside === '') return undefined;
    if (inside.startsWith('..') || path.isAbsolute(inside)) return 'elsewhere';
    const target = await statOf(real);
    if (!isStats(target)) return undefined;
    const parts = inside.split(path.sep);
    const last = target.isDirectory() ? parts : parts.slice(0, -1);
    // A place that the walk reaches by itself would be read twice.
    const isHidden = last.some(isSkippedFolder) || (target.isFile() && isSkippedFile(parts.at(-1)!));
    if (!isHidden) return undefined;
    this.#followed.add(real);
    if (target.isFile()) return 'file';
    if (!target.isDirectory()) return undefined;
    return { at, relative, depth: parent.depth + 1, rules: parent.rules, link: real };
  }
}

function leftOut(
  { kind, name }: Entry,
  rules: IgnoreRules | undefined,
  relative: string,
): ExclusionReason | undefined {
  const isFolder = kind === 'folder';
  const byName = isFolder ? skippedFolder(name) : skippedFile(name);
  return byName ?? (isIgnored(rules, relative, isFolder) ? 'ignored' : undefined);
}

/** Entries in the order of their names, so that every scan goes the same way. Names are taken as bytes: not all are UTF-8. */
async function readFolder(at: string | Buffer): Promise<Entry[]> {
  const found = await readdir(at, { withFileTypes: true, encoding: 'buffer' });
  const entries: Entry[] = [];
  for (const item of found) {
    const kind = kindOf(item);
    // Pipes, sockets and devices are no documents, and opening one may block for ever.
    if (kind) entries.push({ raw: item.name, ...decodeName(item.name), kind });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function kindOf(item: Dirent<Buffer>): Entry['kind'] | undefined {
  if (item.isFile()) return 'file';
  if (item.isDirectory()) return 'folder';
  return item.isSymbolicLink() ? 'link' : undefined;
}

/** The callback form costs half of the promise form, which counts with one call per unchanged file. */
function statOf(at: string | Buffer): Promise<Stats | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    stat(at, (error, stats) => resolve(error ?? stats));
  });
}

function isStats(value: Stats | Error): value is Stats {
  return !(value instanceof Error);
}

function fileEvent(visit: Visit, entry: Entry, stats: Stats | NodeJS.ErrnoException): ScanEvent | undefined {
  const relative = joinRelative(visit.relative, entry.name);
  if (!isStats(stats)) {
    // Gone between listing and asking: as if it had never been there.
    if (stats.code === 'ENOENT') return undefined;
    return {
      type: 'problem',
      path: relative,
      sizeBytes: 0,
      modifiedAtMs: 0,
      reason: 'unreadable',
      message: `Scanning failed: ${relative}: the system refuses access (${stats.code}); check its permissions.`,
    };
  }
  if (!stats.isFile()) return undefined;
  const stamp = { path: relative, sizeBytes: stats.size, modifiedAtMs: Math.trunc(stats.mtimeMs) };
  if (typeof visit.at !== 'string' || !entry.isValid) {
    return {
      type: 'problem',
      ...stamp,
      reason: 'bad-name',
      message: `Reading failed: ${relative}: a name in its path is not valid UTF-8; rename it.`,
    };
  }
  return { type: 'file', ...stamp, absolutePath: path.join(visit.at, entry.name) };
}

function folderProblem(relative: string, error: unknown): ScanProblem | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  // Removed, or replaced by a file, since its parent was listed.
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  return problemOf(
    relative,
    'unreadable',
    `Scanning failed: ${relative}/: the system refuses to list the folder (${code}); check its permissions.`,
  );
}

function tooDeep(relative: string, maxDepth: number): ScanProblem {
  return problemOf(
    relative,
    'too-large',
    `Scanning failed: ${relative}/: it lies more than ${maxDepth} folders deep; add it as a folder of its own.`,
  );
}

function tooMany(maxFiles: number): ScanProblem {
  return problemOf(
    '',
    'too-large',
    `Scanning failed: the folder: it holds more than ${maxFiles} files; add its parts as folders of their own.`,
  );
}

function problemOf(relative: string, reason: ReasonCode, message: string): ScanProblem {
  return {
    type: 'problem',
    path: `${relative === '' ? '.' : relative}/`,
    sizeBytes: 0,
    modifiedAtMs: 0,
    reason,
    message,
    unseen: relative,
  };
}

function joinRelative(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}

function joinPath(parent: string | Buffer, entry: Entry): string | Buffer {
  if (typeof parent === 'string' && entry.isValid) return path.join(parent, entry.name);
  return Buffer.concat([Buffer.from(parent), Buffer.from(path.sep), entry.raw]);
}
