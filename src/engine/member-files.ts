/** Where are the bytes of a document that stands inside another? In a file of its own: while it is read, and while it is open. */
import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { lastName } from '../api/member-path.ts';
import { members as limits, PARSER_VERSION } from './config.ts';
import type { SourceFile } from './document.ts';

/** A file that holds others. */
export interface OuterFile {
  /** Absolute path. */
  path: string;
  sizeBytes: number;
  modifiedAtMs: number;
}

/** What the library knows of a member. */
export interface ExpectedMember {
  contentHash: string | undefined;
  modifiedAtMs: number;
}

/** Writes one member of a file to a new file. Throws ParseFailure. */
type Unpack = (file: SourceFile, member: string, target: string) => Promise<{ contentHash: string }>;

/** Longest name of an unpacked file, in characters; file systems allow 255 bytes. */
const MAX_NAME_LENGTH = 50;

/** Unpacked members below one folder. Hold one per library: what an earlier one left is removed. */
export class MemberFiles {
  readonly #opened: string;
  readonly #scratch: string;
  readonly #unpack: Unpack;
  readonly #swept: Promise<void>;
  readonly #underWay = new Map<string, Promise<string>>();
  #containers = 0;

  constructor(folder: string, unpack: Unpack) {
    this.#opened = path.join(folder, 'opened');
    this.#scratch = path.join(folder, `reading-${randomUUID()}`);
    this.#unpack = unpack;
    this.#swept = sweep(folder, [path.basename(this.#opened), path.basename(this.#scratch)]);
  }

  /** Path of a folder for the members of one container, not made yet; whoever asked removes it. */
  newFolder(): string {
    this.#containers += 1;
    return path.join(this.#scratch, String(this.#containers));
  }

  /**
   * The file of a member, unpacked anew unless it still is there. Its time is the library's where the content is too. Throws
   * ParseFailure.
   * @param chain names from the outer file inwards, see memberChain
   */
  async open(outer: OuterFile, chain: readonly string[], expected: ExpectedMember): Promise<OuterFile> {
    const found = await this.#file(outer, chain, expected);
    const { size, mtimeMs } = await stat(found);
    return { path: found, sizeBytes: size, modifiedAtMs: Math.round(mtimeMs) };
  }

  async close(): Promise<void> {
    await this.#swept;
    await rm(this.#scratch, { recursive: true, force: true }).catch(() => undefined);
  }

  async #file(outer: OuterFile, chain: readonly string[], expected?: ExpectedMember): Promise<string> {
    if (chain.length === 0) return outer.path;
    const stamp = [outer.path, outer.sizeBytes, outer.modifiedAtMs, PARSER_VERSION, ...chain].join('\0');
    const key = createHash('sha256').update(stamp).digest('hex').slice(0, 40);
    const running = this.#underWay.get(key);
    if (running) return running;
    const finding = this.#findOrUnpack(key, outer, chain, expected).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, finding);
    return finding;
  }

  async #findOrUnpack(
    key: string,
    outer: OuterFile,
    chain: readonly string[],
    expected: ExpectedMember | undefined,
  ): Promise<string> {
    const folder = path.join(this.#opened, key);
    const name = fileName(chain.at(-1)!);
    const target = path.join(folder, name);
    if (await stat(target).catch(() => undefined)) {
      const now = new Date();
      // What was used last stays longest.
      await utimes(folder, now, now).catch(() => undefined);
      return target;
    }
    const container = await this.#file(outer, chain.slice(0, -1));
    // Made aside and renamed, so that nobody meets half a file.
    const draft = `${folder}.${randomUUID()}`;
    await mkdir(draft, { recursive: true });
    try {
      await this.#unpackInto(path.join(draft, name), container, chain.at(-1)!, expected);
      await rename(draft, folder);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      // Somebody else was faster.
      if (!(await stat(target).catch(() => undefined))) throw error;
    }
    await this.#makeRoom();
    return target;
  }

  async #unpackInto(
    target: string,
    container: string,
    member: string,
    expected: ExpectedMember | undefined,
  ): Promise<void> {
    const { size } = await stat(container);
    const file = { path: container, name: path.basename(container), sizeBytes: size };
    const { contentHash } = await this.#unpack(file, member, target);
    if (expected && contentHash === expected.contentHash) {
      const seconds = expected.modifiedAtMs / 1000;
      await utimes(target, seconds, seconds);
    }
    // A change would be lost: what is shown is a copy.
    await chmod(target, 0o444);
  }

  /** Removes what was unused for longest, but for what is in use now. */
  async #makeRoom(): Promise<void> {
    const names = await readdir(this.#opened).catch(() => []);
    const kept = await Promise.all(
      names.filter((name) => !name.includes('.')).map((name) => this.#kept(name)),
    );
    let bytes = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const byUse = kept.sort((a, b) => a.usedAtMs - b.usedAtMs).slice(0, -limits.maxDepth);
    for (const { folder, sizeBytes } of byUse) {
      if (bytes <= limits.maxOpenedBytes) return;
      await removeFolder(folder);
      bytes -= sizeBytes;
    }
  }

  async #kept(name: string): Promise<{ folder: string; sizeBytes: number; usedAtMs: number }> {
    const folder = path.join(this.#opened, name);
    const [usedAtMs, inside] = await Promise.all([
      stat(folder).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
      readdir(folder).catch(() => []),
    ]);
    const sizes = await Promise.all(
      inside.map((file) =>
        stat(path.join(folder, file)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return { folder, sizeBytes: sizes.reduce((sum, size) => sum + size, 0), usedAtMs };
  }
}

/** Removes what runs that ended in a crash left behind, and half of what was being opened. */
async function sweep(folder: string, kept: string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (!kept.includes(name)) await removeFolder(path.join(folder, name));
  const opened = path.join(folder, kept[0]!);
  for (const name of await readdir(opened).catch(() => [])) {
    // A draft has a second part in its name; one of this very moment has a run of its own.
    if (name.includes('.') && (await isOld(path.join(opened, name))))
      await removeFolder(path.join(opened, name));
  }
}

async function isOld(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > 60_000;
}

async function removeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    // Windows removes nothing that may not be written.
    await chmod(path.join(folder, name), 0o666).catch(() => undefined);
  }
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

/** A name that every file system takes, with the member's own ending. */
function fileName(member: string): string {
  const own = lastName(member)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
    .replace(/[<>:"/\\|?*\u0000-\u001f]/gu, '_')
    .replace(/[. ]+$/u, '')
    .toWellFormed();
  const { name, ext } = path.parse(own === '' ? 'document' : own);
  const base = Array.from(name).slice(0, MAX_NAME_LENGTH).join('');
  // Names of devices on Windows.
  const isDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/iu.test(base);
  return `${isDevice ? '_' : ''}${base}${ext.slice(0, 12)}`;
}
