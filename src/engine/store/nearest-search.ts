/** What do the nearest-neighbour files say to a question? */
import type { Database } from 'better-sqlite3';
import type { Index } from 'usearch';
import { readMeta } from './meta.ts';
import { createIndex } from './nearest-file.ts';
import { filePath, readMark } from './nearest-mark.ts';

interface Opened {
  /** Undefined: there is none, search is exact. */
  file: NearestFile | undefined;
  version: number;
}

/** A file that is open, by memory mapping. */
export interface NearestFile {
  index: Index;
  /** Vectors in it. */
  count: number;
  /** Last of vector_additions that is in it. */
  upTo: number;
}

/** The files that one reader has open. */
export class NearestFiles {
  private readonly db: Database;
  private readonly libraryPath: string;
  private readonly version: Int32Array;
  private readonly opened = new Map<number, Opened>();

  /** @param version see NearestKeeperOptions */
  constructor(db: Database, libraryPath: string, version: Int32Array) {
    this.db = db;
    this.libraryPath = libraryPath;
    this.version = version;
  }

  of(fingerprint: { id: number; name: string; dimensions: number }): NearestFile | undefined {
    const version = Atomics.load(this.version, 0);
    if (version === 0) return undefined;
    const known = this.opened.get(fingerprint.id);
    if (known?.version === version) return known.file;
    const file = this.open(fingerprint);
    this.opened.set(fingerprint.id, { file, version });
    return file;
  }

  private open({
    id,
    name,
    dimensions,
  }: {
    id: number;
    name: string;
    dimensions: number;
  }): NearestFile | undefined {
    const identity = readMeta(this.db, 'identity');
    const mark = readMark(this.libraryPath, id, { identity, fingerprint: name, dimensions });
    if (mark === undefined) return undefined;
    const index = createIndex(dimensions);
    try {
      index.view(filePath(this.libraryPath, mark));
    } catch {
      // The file is derived and its hash was right; where it can't be mapped (memory, file system), search is exact.
      return undefined;
    }
    return index.size() === mark.count ? { index, count: mark.count, upTo: mark.upTo } : undefined;
  }
}
