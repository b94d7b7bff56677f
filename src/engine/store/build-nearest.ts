/** How does a library's nearest-neighbour file come to agree with its vectors? */
import type { Database } from 'better-sqlite3';
import { nearest as limits } from '../config.ts';
import { readMeta } from './meta.ts';
import { dropNearest, isWhole, publish, type Saved } from './nearest-file.ts';
import { NearestGraph } from './nearest-graph.ts';
import { filePath, markedFingerprints, type NearestMark, readMark } from './nearest-mark.ts';
import { PackedVectors, type VectorRow } from './nearest-packed.ts';

/** When a file is due; see config. */
export type NearestSizes = Record<'leastVectors' | 'leastAdded' | 'maxPackedBytes', number>;

/** What was found and done. */
export interface NearestOutcome {
  /** Readers should look again. */
  hasChanged: boolean;
  /** More is due at once: a long extension is done in steps. */
  isUnfinished: boolean;
  /** Additions below this number are of no use any more. */
  forgetBelow: number;
}

interface Fingerprint {
  id: number;
  name: string;
  dimensions: number;
}

/** Looks every fingerprint over; builds, extends or drops its file where that is due. Reads in short transactions only. */
export async function refreshNearest(
  db: Database,
  libraryPath: string,
  { isFirst, sizes = limits, signal }: { isFirst: boolean; sizes?: NearestSizes; signal?: AbortSignal },
): Promise<NearestOutcome> {
  const fingerprints = db.prepare<[], Fingerprint>('SELECT id, name, dimensions FROM fingerprints').all();
  const gone = markedFingerprints(libraryPath).filter((id) => fingerprints.every((one) => one.id !== id));
  for (const id of gone) dropNearest(libraryPath, id);
  let hasChanged = isFirst;
  let isUnfinished = false;
  const kept: number[] = [];
  for (const fingerprint of fingerprints) {
    signal?.throwIfAborted();
    const builder = new NearestBuilder(db, libraryPath, fingerprint, sizes);
    const outcome = await builder.refresh(isFirst, signal);
    hasChanged ||= outcome.hasChanged;
    isUnfinished ||= outcome.isUnfinished;
    kept.push(outcome.upTo);
  }
  return { hasChanged, isUnfinished, forgetBelow: Math.min(...kept, lastAddition(db)) };
}

const lastAddition = (db: Database): number =>
  db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM vector_additions').pluck().get()!;

/** One fingerprint's file. */
class NearestBuilder {
  private readonly db: Database;
  private readonly libraryPath: string;
  private readonly fingerprint: Fingerprint;
  private readonly identity: number;
  private readonly sizes: NearestSizes;

  constructor(db: Database, libraryPath: string, fingerprint: Fingerprint, sizes: NearestSizes) {
    this.sizes = sizes;
    this.db = db;
    this.libraryPath = libraryPath;
    this.fingerprint = fingerprint;
    this.identity = readMeta(db, 'identity');
  }

  async refresh(
    isFirst: boolean,
    signal?: AbortSignal,
  ): Promise<{ hasChanged: boolean; isUnfinished: boolean; upTo: number }> {
    const { id } = this.fingerprint;
    const last = lastAddition(this.db);
    let known = this.readMark();
    // A file from the future of this library: a copy of the library was put back.
    if (known && (known.upTo > last || (isFirst && !(await isWhole(this.libraryPath, known))))) {
      dropNearest(this.libraryPath, id);
      known = undefined;
    }
    const due = this.judge(known, last);
    if (due === 'nothing') return { hasChanged: false, isUnfinished: false, upTo: known?.upTo ?? last };
    if (due === 'drop') {
      dropNearest(this.libraryPath, id);
      return { hasChanged: true, isUnfinished: false, upTo: last };
    }
    const upTo =
      due === 'extend' && known
        ? await this.extend(known, last, signal)
        : await this.build(due === 'graph' ? 'graph' : 'packed', last, signal);
    return { hasChanged: true, isUnfinished: upTo < last, upTo };
  }

  private readMark(): NearestMark | undefined {
    const { id, name, dimensions } = this.fingerprint;
    return readMark(this.libraryPath, id, { identity: this.identity, fingerprint: name, dimensions });
  }

  /** 'packed' and 'graph': such a file is to be built. */
  private judge(
    known: NearestMark | undefined,
    last: number,
  ): 'nothing' | 'drop' | 'extend' | NearestMark['form'] {
    const chunks = this.db
      .prepare<[], number>('SELECT ifnull(sum(chunk_count), 0) FROM documents')
      .pluck()
      .get()!;
    const share = (chunks * this.fingerprint.dimensions) / this.sizes.maxPackedBytes;
    if (known === undefined) {
      const isDue = chunks >= this.sizes.leastVectors && this.hasVectors();
      return isDue ? (share > 1 ? 'graph' : 'packed') : 'nothing';
    }
    if (chunks < this.sizes.leastVectors / 2) return 'drop';
    // A graph is kept until the library is much smaller: it took long to build.
    const form = share > (known.form === 'graph' ? limits.graphShare : 1) ? 'graph' : 'packed';
    if (form !== known.form || known.count > chunks * (1 + limits.goneShare)) return form;
    const added = last - known.upTo;
    const addedShare = form === 'graph' ? limits.addedShare : limits.packedAddedShare;
    return added > Math.max(this.sizes.leastAdded, known.count * addedShare) ? 'extend' : 'nothing';
  }

  /** Counts no further than it must: counting reads the vectors. */
  private hasVectors(): boolean {
    const { id } = this.fingerprint;
    const count = this.db
      .prepare<[number, number, number], number>(
        'SELECT count(*) FROM (SELECT 1 FROM vectors WHERE id BETWEEN (? << 40) AND (? << 40) + 1099511627775 LIMIT ?)',
      )
      .pluck()
      .get(id, id, this.sizes.leastVectors)!;
    return count >= this.sizes.leastVectors;
  }

  /** All anew. Returns the last addition that is in it, at least `last`. */
  private async build(form: NearestMark['form'], last: number, signal?: AbortSignal): Promise<number> {
    const { dimensions } = this.fingerprint;
    const vectors = form === 'graph' ? NearestGraph.create(dimensions) : PackedVectors.create(dimensions);
    for await (const page of atEase(this.allPages(), signal)) vectors.add(page);
    // Vectors that came meanwhile were met above, or lie before the place that had been read.
    const upTo = lastAddition(this.db);
    for await (const page of atEase(this.addedPages(last, upTo), signal)) vectors.replace(page);
    await this.publish(form, vectors, upTo);
    return upTo;
  }

  /** Returns the last addition that is in it. */
  private async extend(known: NearestMark, last: number, signal?: AbortSignal): Promise<number> {
    return known.form === 'graph'
      ? ((await this.extendGraph(known, last, signal)) ?? this.build('graph', last, signal))
      : ((await this.extendPacked(known, last, signal)) ?? this.build('packed', last, signal));
  }

  private async extendPacked(
    known: NearestMark,
    last: number,
    signal?: AbortSignal,
  ): Promise<number | undefined> {
    const { dimensions } = this.fingerprint;
    const vectors = PackedVectors.read(filePath(this.libraryPath, known), dimensions, known.count);
    if (vectors === undefined) return undefined;
    for await (const page of atEase(this.addedPages(known.upTo, last), signal)) vectors.replace(page);
    await this.publish('packed', vectors, last);
    return last;
  }

  /** Undefined where so many vectors would be replaced that the graph would suffer. */
  private async extendGraph(
    known: NearestMark,
    last: number,
    signal?: AbortSignal,
  ): Promise<number | undefined> {
    const graph = NearestGraph.load(filePath(this.libraryPath, known), this.fingerprint.dimensions);
    const upTo = Math.min(last, known.upTo + limits.maxExtended);
    let replaced = 0;
    for await (const page of atEase(this.addedPages(known.upTo, upTo), signal)) {
      replaced += graph.replace(page);
      if (replaced > limits.leastAdded && replaced > known.count * limits.maxReplacedShare) return undefined;
    }
    await this.publish('graph', graph, upTo);
    return upTo;
  }

  private publish(form: NearestMark['form'], vectors: Saved, upTo: number): Promise<void> {
    const { id, name, dimensions } = this.fingerprint;
    const built = { identity: this.identity, fingerprint: name, form, dimensions, upTo };
    return publish(this.libraryPath, id, vectors, built);
  }

  private *allPages(): Generator<VectorRow[]> {
    const { id } = this.fingerprint;
    const next = this.db.prepare<[number, number, number, number], VectorRow>(
      `SELECT id & 1099511627775 AS chunkId, vector FROM vectors
         WHERE id > (? << 40) + ? AND id <= (? << 40) + 1099511627775 ORDER BY id LIMIT ?`,
    );
    let after = 0;
    for (;;) {
      const page = next.all(id, after, id, limits.pageVectors);
      if (page.length === 0) return;
      after = page.at(-1)!.chunkId;
      yield page;
    }
  }

  private *addedPages(from: number, last: number): Generator<VectorRow[]> {
    const { id } = this.fingerprint;
    const next = this.db.prepare<[number, number, number, number], VectorRow>(
      `SELECT v.id & 1099511627775 AS chunkId, v.vector FROM vector_additions a JOIN vectors v ON v.id = a.vector_id
       WHERE a.id > ? AND a.id <= ? AND a.vector_id BETWEEN (? << 40) AND (? << 40) + 1099511627775`,
    );
    for (let after = from; after < last; after += limits.pageVectors) {
      const page = next.all(after, Math.min(last, after + limits.pageVectors), id, id);
      if (page.length > 0) yield page;
    }
  }
}

/** Between two pages others have their turn, and whoever closes the library is heard. */
async function* atEase(pages: Iterable<VectorRow[]>, signal?: AbortSignal): AsyncGenerator<VectorRow[]> {
  for (const page of pages) {
    yield page;
    await new Promise((resolve) => setTimeout(resolve, limits.restMs));
    signal?.throwIfAborted();
  }
}
