/** In how many chunks does a word stand? */
import type { Database, Statement } from 'better-sqlite3';
import { store as limits } from '../config.ts';
import { readMeta } from './meta.ts';

interface Known {
  count: number;
  /** Chunks in the library when it was counted. */
  outOf: number;
}

/** A word counted in this many chunks is not counted again at once: that takes time in proportion to the count. */
const frequent = 500;
/** Share by which the library may change before frequent words are counted again. */
const tolerance = 0.05;

/**
 * Frequencies of terms, remembered by generation. FTS5 counts by reading a word's whole list (5 ms for the commonest of 200,000
 * chunks), so a frequent word is counted again only after the library has changed by a twentieth.
 */
export class TermFrequencies {
  private readonly db: Database;
  private readonly count: Statement<[string], number>;
  private readonly total: Statement<[], number>;
  private readonly known = new Map<string, Known>();
  private generation = -1;
  private chunks = 0;

  constructor(db: Database) {
    this.db = db;
    this.count = db.prepare<[string], number>('SELECT doc FROM chunk_vocabulary WHERE term = ?').pluck();
    this.total = db.prepare<[], number>('SELECT ifnull(sum(chunk_count), 0) FROM documents').pluck();
  }

  /** Notices a new generation; call before reading frequencies for a question. */
  refresh(): void {
    const generation = readMeta(this.db, 'generation');
    if (generation === this.generation) return;
    this.generation = generation;
    this.chunks = this.total.get() ?? 0;
    for (const [term, known] of this.known) {
      const isClose = Math.abs(known.outOf - this.chunks) <= tolerance * known.outOf;
      if (known.count < frequent || !isClose) this.known.delete(term);
    }
  }

  /** Chunks in the library. */
  get size(): number {
    return this.chunks;
  }

  of(term: string): number {
    const known = this.known.get(term);
    if (known !== undefined) return known.count;
    const count = this.count.get(term) ?? 0;
    if (this.known.size >= limits.frequencyCacheTerms) this.known.clear();
    this.known.set(term, { count, outOf: this.chunks });
    return count;
  }
}
