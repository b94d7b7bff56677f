/** Which chunks hold the words of a question? */
import type { Database, Statement } from 'better-sqlite3';
import type { Scope } from '../../api/types.ts';
import { store as limits, retrieve } from '../config.ts';
import { type ScopeExtent, scopeExtent } from './scope.ts';
import { TermFrequencies } from './term-frequencies.ts';
import type { Candidate, KeywordCandidates, KeywordQuery } from './types.ts';

/** Constant of FTS5's BM25, which can't be set. */
const k1 = 1.2;

/** One word of the question as FTS5 is asked for it. */
interface Term {
  /** FTS5 expression. */
  match: string;
  /** Chunks that hold it, nearly. */
  frequency: number;
  idf: number;
}

interface Ranked {
  id: number;
  rank: number;
}

/** The keyword half of search over one reading connection. */
export class KeywordSearch {
  private readonly db: Database;
  private readonly frequencies: TermFrequencies;
  private readonly ranked: Statement<[string, string, number, number], Ranked>;
  private readonly unranked: Statement<[string, number, number], Ranked>;

  constructor(db: Database) {
    this.db = db;
    this.frequencies = new TermFrequencies(db);
    this.ranked = db.prepare(rankedSql);
    this.unranked = db.prepare(unrankedSql);
  }

  /** See StoreReader.keywordCandidates. */
  candidates(query: KeywordQuery, scope: Scope | undefined, limit: number): KeywordCandidates {
    this.frequencies.refresh();
    const read = query.terms.map((term) => this.readTerm(term));
    const terms = read.flat();
    const coverageScale = terms.reduce((sum, term) => sum + term.idf * (k1 + 1), 0);
    const frequencies = read.map(([term]) => term?.frequency ?? 0);
    const known = { coverageScale, frequencies, total: this.frequencies.size };
    const present = terms.filter((term) => term.frequency > 0).sort((a, b) => a.frequency - b.frequency);
    if (present.length === 0 || limit < 1) return { candidates: [], ...known };
    const extent = scopeExtent(this.db, scope);
    if (extent.chunks === 0) return { candidates: [], ...known };
    let count = affordable(present, extent);
    for (;;) {
      const candidates = this.find(present.slice(0, count), extent, limit);
      // The rarer words may all lie outside the scope: the commoner ones are then asked after all.
      if (candidates.length >= limit || count === present.length) return { candidates, ...known };
      count = candidates.length === 0 ? Math.min(present.length, count + 1) : present.length;
    }
  }

  /** See StoreReader.phraseCandidates. */
  phrases(words: string[], scope: Scope | undefined, limit: number): Candidate[] {
    if (words.length === 0 || limit < 1) return [];
    const extent = scopeExtent(this.db, scope);
    if (extent.chunks === 0) return [];
    const match = `{words title headings} : ${quote(words.join(' '))}`;
    return this.take(this.unranked.iterate(match, extent.firstChunkId, extent.lastChunkId), extent, limit);
  }

  private readTerm(term: KeywordQuery['terms'][number]): Term[] {
    const stems = [...new Set(term.stems.length > 0 ? term.stems : [term.word])].filter(
      (stem) => stem !== '',
    );
    if (stems.length === 0) return [];
    const counted = stems.map((stem) => ({ stem, frequency: this.frequencies.of(stem) }));
    // A stem that no chunk holds would only cost FTS5 a look-up and the scale its weight.
    const used = counted.filter(({ frequency }) => frequency > 0);
    const parts = used.map(({ stem }) => `{title headings stems} : ${quote(stem)}`);
    // An inflected form that stands as it was typed counts a little on top. Where the form is its own stem it has counted already:
    // a bonus there only lifts function words (Russian Hit@1 0.911 falls to 0.908).
    const isInflected = term.word !== '' && !stems.includes(term.word);
    if (used.length > 0 && isInflected && retrieve.columnWeights.words > 0)
      parts.push(`words : ${quote(term.word)}`);
    const frequency = used.reduce((sum, one) => sum + one.frequency, 0);
    return [{ match: parts.join(' OR '), frequency, idf: this.idf(frequency) }];
  }

  /** As FTS5 computes it. */
  private idf(frequency: number): number {
    const total = Math.max(this.frequencies.size, frequency);
    return Math.max(Math.log((total - frequency + 0.5) / (frequency + 0.5)), 1e-6);
  }

  private find(terms: Term[], extent: ScopeExtent, limit: number): Candidate[] {
    const match = terms.map((term) => term.match).join(' OR ');
    const rows = this.ranked.iterate(match, rankFunction(), extent.firstChunkId, extent.lastChunkId);
    return this.take(rows, extent, limit);
  }

  /**
   * The first `limit` rows whose document is in scope. Rows come best first and the loop goes on until it has enough, so a
   * filter after the ranking can't empty the list, and only the rows looked at cost a look-up.
   */
  private take(rows: Iterable<Ranked>, extent: ScopeExtent, limit: number): Candidate[] {
    const inScope = this.db
      .prepare<(string | number)[], number>(
        `SELECT c.document_id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.id = ? AND ${extent.sql}`,
      )
      .pluck();
    const candidates: Candidate[] = [];
    for (const row of rows) {
      const documentId = inScope.get(row.id, ...extent.values);
      if (documentId === undefined) continue;
      candidates.push({ chunkId: row.id, documentId, score: -row.rank });
      if (candidates.length >= limit) break;
    }
    return candidates;
  }
}

/** Best first. Plans of both are asserted in tests. */
export const rankedSql = `SELECT rowid AS id, rank FROM chunk_terms
  WHERE chunk_terms MATCH ? AND rank MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rank`;
export const unrankedSql = `SELECT rowid AS id, 0 AS rank FROM chunk_terms
  WHERE chunk_terms MATCH ? AND rowid BETWEEN ? AND ?`;

function rankFunction(): string {
  const { title, headings, words, stems } = retrieve.columnWeights;
  return `bm25(${title}, ${headings}, ${words}, ${stems})`;
}

/** How many of the terms, rarest first, are looked for: all in a narrow scope, else as long as their rows stay affordable. */
function affordable(terms: Term[], extent: ScopeExtent): number {
  if (extent.lastChunkId - extent.firstChunkId < limits.narrowScopeChunks) return terms.length;
  let sum = 0;
  const over = terms.findIndex((term) => {
    sum += term.frequency;
    return sum > limits.maxPostings;
  });
  return over < 0 ? terms.length : Math.max(over, 1);
}

/** An FTS5 string: whatever the text holds, it is data. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll('\0', '')}"`;
}
