/** Which chunks hold the words of a question? */
import type { Database, Statement } from 'better-sqlite3';
import type { Scope } from '../../api/types.ts';
import { store as limits, retrieve } from '../config.ts';
import { createStemmer } from '../language/stem.ts';
import { k1, quote, readTerm, type Term } from './keyword-terms.ts';
import { rescore } from './rescore.ts';
import { readRuns, type ScopeExtent, scopeExtent } from './scope.ts';
import { TermFrequencies } from './term-frequencies.ts';
import type { Candidate, KeywordCandidates, KeywordQuery } from './types.ts';

interface Row {
  id: number;
  rank: number;
}

/** Best first. Plans of these are asserted in tests. */
export const rankedSql = `SELECT rowid AS id, rank FROM chunk_terms
  WHERE chunk_terms MATCH ? AND rank MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rank`;
export const unrankedSql = `SELECT rowid AS id, 0 AS rank FROM chunk_terms
  WHERE chunk_terms MATCH ? AND rowid BETWEEN ? AND ?`;
export const inScopeSql = (condition: string): string =>
  `SELECT c.document_id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.id = ? AND ${condition}`;

export const scopeChunksSql = (condition: string): string =>
  `SELECT c.id, c.document_id AS document FROM documents d JOIN chunks c ON c.document_id = d.id WHERE ${condition}`;

/** The keyword half of search over one reading connection. */
export class KeywordSearch {
  private readonly db: Database;
  private readonly frequencies: TermFrequencies;
  private readonly stemmer = createStemmer();
  private readonly ranked: Statement<[string, string, number, number], Row>;
  private readonly unranked: Statement<[string, number, number], Row>;

  constructor(db: Database) {
    this.db = db;
    this.frequencies = new TermFrequencies(db);
    this.ranked = db.prepare(rankedSql);
    this.unranked = db.prepare(unrankedSql);
  }

  /** See StoreReader.keywordCandidates. */
  candidates(query: KeywordQuery, scope: Scope | undefined, limit: number): KeywordCandidates {
    this.frequencies.refresh();
    const read = query.terms.slice(0, limits.maxQueryTerms).map((term) => readTerm(term, this.frequencies));
    const terms = read.filter((term) => term !== undefined);
    const known = {
      coverageScale: terms.reduce((sum, term) => sum + term.idf * (k1 + 1), 0),
      frequencies: query.terms.map((_, index) => read[index]?.frequency ?? 0),
      total: this.frequencies.size,
    };
    const present = terms
      .filter((term) => term.frequency > 0)
      .sort((one, two) => one.frequency - two.frequency);
    const extent = scopeExtent(this.db, scope);
    if (present.length === 0 || limit < 1 || extent.chunks === 0) return { candidates: [], ...known };
    const count = affordable(present);
    const common = present.slice(count);
    const depth = common.length === 0 ? limit : Math.max(limit, limits.rescoreDepth);
    const found = count === 0 ? [] : this.rank(present.slice(0, count), extent, depth);
    if (common.length === 0) return { candidates: found, ...known };
    // The rarer words may all lie outside the scope: then the commoner ones fill up, so that the list is never falsely empty.
    const filled = found.length >= depth ? found : this.fill(found, common, extent, depth);
    const candidates = rescore(this.db, filled, common, this.stemmer).sort(byScore).slice(0, limit);
    return { candidates, ...known };
  }

  /** See StoreReader.phraseCandidates. */
  phrases(words: string[], scope: Scope | undefined, limit: number): Candidate[] {
    const extent = scopeExtent(this.db, scope);
    if (words.length === 0 || limit < 1 || extent.chunks === 0) return [];
    const match = `words : ${quote(words.join(' '))}`;
    return this.take(this.unranked.iterate(match, extent.firstChunkId, extent.lastChunkId), extent, limit);
  }

  private rank(terms: Term[], extent: ScopeExtent, limit: number): Candidate[] {
    const match = terms.map((term) => term.ranking).join(' OR ');
    const { title, headings, words, stems } = retrieve.columnWeights;
    const bm25 = `bm25(${title}, ${headings}, ${words}, ${stems})`;
    return this.take(
      this.ranked.iterate(match, bm25, extent.firstChunkId, extent.lastChunkId),
      extent,
      limit,
    );
  }

  /**
   * The first `limit` rows whose document is in scope. Ranked rows come best first and the loop goes on until it has enough, so
   * a filter after the ranking can't empty the list, and only the rows looked at cost a look-up.
   */
  private take(rows: Iterable<Row>, extent: ScopeExtent, limit: number): Candidate[] {
    const documentOf = this.membership(extent);
    const candidates: Candidate[] = [];
    for (const row of rows) {
      const documentId = documentOf(row.id);
      if (documentId === undefined) continue;
      candidates.push({ chunkId: row.id, documentId, score: -row.rank });
      if (candidates.length >= limit) break;
    }
    return candidates;
  }

  /** The document of a chunk in scope. A narrow scope is read once: most rows lie outside it, and each would cost a look-up. */
  private membership(extent: ScopeExtent): (chunkId: number) => number | undefined {
    if (extent.chunks > limits.narrowScopeChunks) {
      const inScope = this.db.prepare<(string | number)[], number>(inScopeSql(extent.sql)).pluck();
      return (chunkId) => inScope.get(chunkId, ...extent.values);
    }
    const documents = new Map<number, number>();
    const all = this.db.prepare<(string | number)[], { id: number; document: number }>(
      scopeChunksSql(extent.sql),
    );
    for (const { id, document } of all.iterate(...extent.values)) documents.set(id, document);
    return (chunkId) => documents.get(chunkId);
  }

  /**
   * Adds chunks that hold common words only, those with the weightiest words first. They are looked for unranked inside the
   * scope's own runs of chunks, because FTS5's BM25 reads each word's whole list before its first row.
   */
  private fill(found: Candidate[], common: Term[], extent: ScopeExtent, depth: number): Candidate[] {
    const held = new Set(found.map((candidate) => candidate.chunkId));
    const weights = new Map<number, number>();
    let budget = limits.maxPostings;
    const runs = readRuns(this.db, extent);
    for (const term of common) {
      for (const run of runs) {
        for (const { id } of this.unranked.iterate(term.finding, run.first, run.last)) {
          if (budget-- <= 0) break;
          if (!held.has(id)) weights.set(id, (weights.get(id) ?? 0) + term.idf);
        }
        if (budget <= 0) break;
      }
    }
    const rows = [...weights].sort((one, two) => two[1] - one[1] || one[0] - two[0]);
    const more = this.take(
      rows.map(([id]) => ({ id, rank: 0 })),
      extent,
      depth - found.length,
    );
    return [...found, ...more];
  }
}

const byScore = (one: Candidate, two: Candidate): number =>
  two.score - one.score || one.chunkId - two.chunkId;

/** How many of the terms, rarest first, BM25 can afford; none when even the rarest stands nearly everywhere. */
function affordable(terms: Term[]): number {
  let sum = 0;
  const over = terms.findIndex((term) => {
    sum += term.frequency;
    return sum > limits.maxPostings;
  });
  if (over !== 0) return over < 0 ? terms.length : over;
  return terms[0]!.frequency > limits.maxPostings * 3 ? 0 : 1;
}
