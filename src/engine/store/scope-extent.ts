/** How much does a scope cover, and is a chunk in it? */
import type { Database, Statement } from 'better-sqlite3';
import type { Scope } from '../../api/types.ts';
import { store as limits } from '../config.ts';
import { FoldedPaths } from './folded-paths.ts';
import { readMeta } from './meta.ts';
import { type ScopeCondition, scopeCondition } from './scope.ts';

/** Chunks that follow each other, first and last identifier. */
export interface Run {
  first: number;
  last: number;
}

interface DocumentRun extends Run {
  document: number;
  count: number;
}

export const inScopeSql = (condition: string): string =>
  `SELECT c.document_id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.id = ? AND ${condition}`;

export const documentRunsSql = (condition: string): string =>
  `SELECT d.id AS document, d.first_chunk_id AS first, d.last_chunk_id AS last, d.chunk_count AS count
   FROM documents d WHERE ${condition} AND d.chunk_count > 0`;

/** The scopes of one reading connection; those of the present generation are remembered, since a question asks several times. */
export class Scopes {
  private readonly db: Database;
  private readonly paths: FoldedPaths;
  private readonly known = new Map<string, ScopeExtent>();
  private generation = -1;

  constructor(db: Database) {
    this.db = db;
    this.paths = new FoldedPaths(db);
  }

  extent(scope: Scope | undefined): ScopeExtent {
    const generation = readMeta(this.db, 'generation');
    if (generation !== this.generation) this.known.clear();
    this.generation = generation;
    const key = JSON.stringify(scope ?? {});
    let extent = this.known.get(key);
    if (extent === undefined) {
      if (this.known.size >= limits.rememberedScopes) this.known.clear();
      extent = new ScopeExtent(this.db, scopeCondition(this.db, scope, this.paths));
      this.known.set(key, extent);
    }
    return extent;
  }
}

/** What a scope amounts to in one generation of the library. */
export class ScopeExtent implements ScopeCondition {
  readonly sql: string;
  readonly values: (string | number)[];
  /** Chunks of its documents. */
  readonly chunks: number;
  /** Its chunks' identifiers lie in this range; others may, too. */
  readonly firstChunkId: number;
  readonly lastChunkId: number;
  private readonly db: Database;
  private readonly lookUp: Statement<(number | string)[], number>;
  private lookUps = 0;
  private members: ScopeMembers | undefined;

  constructor(db: Database, { sql, values }: ScopeCondition) {
    this.db = db;
    this.sql = sql;
    this.values = values;
    const extent = db
      .prepare<(string | number)[], { chunks: number; first: number; last: number }>(
        `SELECT ifnull(sum(d.chunk_count), 0) AS chunks, ifnull(min(d.first_chunk_id), 0) AS first,
                ifnull(max(d.last_chunk_id), 0) AS last
         FROM documents d WHERE ${sql} AND d.chunk_count > 0`,
      )
      .get(...values)!;
    this.chunks = extent.chunks;
    this.firstChunkId = extent.first;
    this.lastChunkId = extent.last;
    this.lookUp = db.prepare<(number | string)[], number>(inScopeSql(sql)).pluck();
  }

  /** Share of the chunks in its range that are its own, above 0 to 1; 1 for an empty scope. */
  get share(): number {
    return this.chunks === 0 ? 1 : this.chunks / (this.lastChunkId - this.firstChunkId + 1);
  }

  /**
   * The document of a chunk in scope. The first chunks are looked up one by one, which is all that a wide scope ever needs;
   * then the scope's documents are read.
   */
  documentOf(chunkId: number): number | undefined {
    if (this.members === undefined) {
      this.lookUps++;
      if (this.lookUps <= limits.scopeLookUps) return this.lookUp.get(chunkId, ...this.values);
    }
    return this.allMembers().documentOf(chunkId);
  }

  /** Its chunks as runs. */
  runs(): Run[] {
    return this.allMembers().runs;
  }

  private allMembers(): ScopeMembers {
    this.members ??= new ScopeMembers(this.db, this);
    return this.members;
  }
}

/** The chunks of a scope, in memory: two numbers for each document, more only where documents were written side by side. */
class ScopeMembers {
  /** Ascending, without overlap; runs of several documents that follow each other are one. */
  readonly runs: Run[] = [];
  private readonly firsts: number[] = [];
  private readonly lasts: number[] = [];
  private readonly documents: number[] = [];

  constructor(db: Database, condition: ScopeCondition) {
    const read = db
      .prepare<(string | number)[], DocumentRun>(documentRunsSql(condition.sql))
      .all(...condition.values);
    const chunksOf = db.prepare<[number], number>('SELECT id FROM chunks WHERE document_id = ?').pluck();
    const whole = read.flatMap((run) =>
      run.last - run.first + 1 === run.count
        ? [run]
        : chunksOf.all(run.document).map((id) => ({ ...run, first: id, last: id })),
    );
    for (const { document, first, last } of whole.sort((one, two) => one.first - two.first)) {
      this.firsts.push(first);
      this.lasts.push(last);
      this.documents.push(document);
      const before = this.runs.at(-1);
      if (before !== undefined && first === before.last + 1) before.last = last;
      else this.runs.push({ first, last });
    }
  }

  documentOf(chunkId: number): number | undefined {
    let low = 0;
    let high = this.firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lasts[middle]! < chunkId) low = middle + 1;
      else high = middle;
    }
    const isHeld = low < this.firsts.length && this.firsts[low]! <= chunkId;
    return isHeld ? this.documents[low] : undefined;
  }
}
