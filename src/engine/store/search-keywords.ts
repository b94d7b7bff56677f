/** Which chunks hold the words of a question? */
import type { Database, Statement } from 'better-sqlite3';
import type { Scope } from '../../api/types.ts';
import { store as limits, retrieve } from '../config.ts';
import { k1, quote, readTerm, type Term } from './keyword-terms.ts';
import { rescore } from './rescore.ts';
import type { ScopeExtent, Scopes } from './scope-extent.ts';
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
/** The keyword half of search over one reading connection. */
export class KeywordSearch {
  private readonly db: Database;
  private readonly scopes: Scopes;
  private readonly frequencies: TermFrequencies;
  private readonly ranked: Statement<[string, string, number, number], Row>;
  private readonly unranked: Statement<[string, number, number], Row>;

  constructor(db: Database, scopes: Scopes) {
    this.db = db;
    this.scopes = scopes;
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
    const extent = this.scopes.extent(scope);
    if (present.length === 0 || limit < 1 || extent.chunks === 0) return { candidates: [], ...known };
    const count = affordable(present);
    const common = present.slice(count);
    const depth = common.length === 0 ? limit : Math.max(limit, limits.rescoreDepth);
    const found = count === 0 ? [] : this.rank(present.slice(0, count), extent, depth);
    if (common.length === 0) return { candidates: found, ...known };
    // The rarer words may all lie outside the scope: then the commoner ones fill up, so that the list is never falsely empty.
    const filled = found.length >= depth ? found : this.fill(found, common, extent, depth);
    const candidates = rescore(this.db, filled, common).sort(byScore).slice(0, limit);
    return { candidates, ...known };
  }

  /** See StoreReader.phraseCandidates. In the text first; titles and headings, which every passage below them carries, fill up. */
  phrases(words: string[], scope: Scope | undefined, limit: number): Candidate[] {
    const extent = this.scopes.extent(scope);
    if (words.length === 0 || limit < 1 || extent.chunks === 0) return [];
    const phrase = quote(words.join(' '));
    const { firstChunkId: first, lastChunkId: last } = extent;
    const inText = this.take(this.unranked.iterate(`words : ${phrase}`, first, last), extent, limit);
    if (inText.length >= limit) return inText;
    const held = new Set(inText.map(({ chunkId }) => chunkId));
    const above = this.unranked.iterate(`{title headings} : ${phrase}`, first, last);
    return [...inText, ...this.take(above, extent, limit - inText.length, held)];
  }

  private rank(terms: Term[], extent: ScopeExtent, limit: number): Candidate[] {
    const match = terms.map((term) => term.finding).join(' OR ');
    const { title, headings, stems } = retrieve.columnWeights;
    const bm25 = `bm25(${title}, ${headings}, 0, ${stems})`;
    return this.take(
      this.ranked.iterate(match, bm25, extent.firstChunkId, extent.lastChunkId),
      extent,
      limit,
    );
  }

  /**
   * The first `limit` rows whose document is in scope and that are not held. Ranked rows come best first and the loop goes on
   * until it has enough, so a filter after the ranking can't empty the list.
   */
  private take(
    rows: Iterable<Row>,
    extent: ScopeExtent,
    limit: number,
    held: ReadonlySet<number> = new Set(),
  ): Candidate[] {
    const candidates: Candidate[] = [];
    if (limit < 1) return candidates;
    for (const row of rows) {
      const documentId = held.has(row.id) ? undefined : extent.documentOf(row.id);
      if (documentId === undefined) continue;
      candidates.push({ chunkId: row.id, documentId, score: -row.rank });
      if (candidates.length >= limit) break;
    }
    return candidates;
  }

  /**
   * Adds chunks that hold common words only, the rarest of them first. They are looked for unranked, because FTS5's BM25 reads
   * each word's whole list before its first row: inside the scope's own runs of chunks, or in one go where that reads less.
   */
  private fill(found: Candidate[], common: Term[], extent: ScopeExtent, depth: number): Candidate[] {
    const filled = [...found];
    const held = new Set(found.map((candidate) => candidate.chunkId));
    for (const term of common) {
      const missing = depth - filled.length;
      if (missing < 1) break;
      const more = this.take(this.finding(term, extent), extent, missing, held);
      for (const candidate of more) held.add(candidate.chunkId);
      filled.push(...more);
    }
    return filled;
  }

  private *finding(term: Term, extent: ScopeExtent): Generator<Row> {
    const around = [{ first: extent.firstChunkId, last: extent.lastChunkId }];
    const runs = extent.share > 0.5 ? around : extent.runs();
    const isDear = runs.length * limits.postingsPerQuery > term.frequency;
    for (const { first, last } of isDear ? around : runs)
      yield* this.unranked.iterate(term.finding, first, last);
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
