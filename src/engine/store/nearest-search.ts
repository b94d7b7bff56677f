/** Which nearest-neighbour files does a reader have open? */
import type { Database, Statement } from 'better-sqlite3';
import { nearest as limits } from '../config.ts';
import { readMeta } from './meta.ts';
import { NearestGraph } from './nearest-graph.ts';
import { filePath, type NearestMark, readMark } from './nearest-mark.ts';
import { PackedVectors, type VectorRow } from './nearest-packed.ts';

interface Fingerprint {
  id: number;
  name: string;
  dimensions: number;
}

interface Opened {
  /** Undefined: there is none, search is exact. */
  file: NearestFile | undefined;
  version: number;
}

/** A file that is open. A graph is mapped and stays as it was built; packed vectors are in memory and take in what is added. */
export type NearestFile = {
  /** Last of vector_additions that is in it. */
  upTo: number;
  /** Vectors in the file itself. */
  count: number;
} & ({ form: 'graph'; vectors: NearestGraph } | { form: 'packed'; vectors: PackedVectors });

/** Vectors of a fingerprint, in the order in which they were added. */
const addedRowsSql = `SELECT v.id & 1099511627775 AS chunkId, v.vector
  FROM vector_additions a JOIN vectors v ON v.id = a.vector_id
  WHERE a.id > ? AND a.vector_id BETWEEN (? << 40) AND (? << 40) + 1099511627775 ORDER BY a.id`;

/** The files that one reader has open. */
export class NearestFiles {
  private readonly db: Database;
  private readonly libraryPath: string;
  private readonly version: Int32Array;
  private readonly lastAddition: Statement<[], number>;
  private readonly addedRows: Statement<[number, number, number], VectorRow>;
  private readonly opened = new Map<number, Opened>();

  /** @param version see NearestKeeperOptions */
  constructor(db: Database, libraryPath: string, version: Int32Array) {
    this.db = db;
    this.libraryPath = libraryPath;
    this.version = version;
    this.lastAddition = db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM vector_additions').pluck();
    this.addedRows = db.prepare(addedRowsSql);
  }

  /** Undefined where there is none, or where it lacks so many vectors that comparing all takes no longer. */
  of(fingerprint: Fingerprint): NearestFile | undefined {
    const file = this.current(fingerprint);
    if (file === undefined) return undefined;
    const last = this.lastAddition.get()!;
    if (last - file.upTo > limits.leastAdded + file.count * limits.maxAddedShare) return undefined;
    if (file.form === 'packed' && last > file.upTo) {
      file.vectors.replace(this.addedRows.iterate(file.upTo, fingerprint.id, fingerprint.id));
      file.upTo = last;
    }
    return file;
  }

  private current(fingerprint: Fingerprint): NearestFile | undefined {
    const version = Atomics.load(this.version, 0);
    if (version === 0) return undefined;
    const known = this.opened.get(fingerprint.id);
    if (known?.version === version) return known.file;
    // Before the next one is read: two of them need not be in memory.
    this.opened.delete(fingerprint.id);
    const file = this.open(fingerprint);
    this.opened.set(fingerprint.id, { file, version });
    return file;
  }

  private open({ id, name, dimensions }: Fingerprint): NearestFile | undefined {
    const identity = readMeta(this.db, 'identity');
    const mark = readMark(this.libraryPath, id, { identity, fingerprint: name, dimensions });
    if (mark === undefined) return undefined;
    try {
      return openFile(filePath(this.libraryPath, mark), mark);
    } catch {
      // The file is derived and its hash was right; where it can't be read (memory, file system), search is exact.
      return undefined;
    }
  }
}

function openFile(path: string, { form, dimensions, count, upTo }: NearestMark): NearestFile | undefined {
  if (form === 'packed') {
    const vectors = PackedVectors.read(path, dimensions, count);
    return vectors && { form, vectors, count, upTo };
  }
  const vectors = NearestGraph.view(path, dimensions);
  return vectors.count === count ? { form, vectors, count, upTo } : undefined;
}
