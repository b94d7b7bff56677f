/** What is FTS5 asked for each word of a question, and what is the word worth? */
import type { TermFrequencies } from './term-frequencies.ts';
import type { KeywordQuery } from './types.ts';

/** Constants of FTS5's BM25, which can't be set. */
export const k1 = 1.2;
export const b = 0.75;

/** One word of the question. */
export interface Term {
  word: string;
  /** FTS5 expression that finds it in any form; the form that was typed is counted in the passages' text later on. */
  finding: string;
  stems: Set<string>;
  /** Chunks that hold it, nearly. */
  frequency: number;
  idf: number;
}

export function readTerm(
  term: KeywordQuery['terms'][number],
  frequencies: TermFrequencies,
): Term | undefined {
  const stems = [...new Set(term.stems.length > 0 ? term.stems : [term.word])].filter((stem) => stem !== '');
  if (stems.length === 0) return undefined;
  const counted = stems.map((stem) => ({ stem, frequency: frequencies.of(stem) }));
  // A stem that no chunk holds would only cost a look-up.
  const used = counted.filter(({ frequency }) => frequency > 0);
  const finding = used.map(({ stem }) => `{title headings stems} : ${quote(stem)}`).join(' OR ');
  const frequency = used.reduce((sum, one) => sum + one.frequency, 0);
  return {
    word: term.word,
    finding,
    stems: new Set(stems),
    frequency,
    idf: idf(frequency, frequencies.size),
  };
}

/** As FTS5 computes it. */
function idf(frequency: number, size: number): number {
  const total = Math.max(size, frequency);
  return Math.max(Math.log((total - frequency + 0.5) / (frequency + 0.5)), 1e-6);
}

/** An FTS5 string: whatever the text holds, it is data. */
export function quote(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll('\0', '')}"`;
}
