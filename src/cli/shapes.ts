/** Which JSON do the commands print? The shapes are fixed: other programs score them. */
import type { Anchor } from '../api/anchor.ts';
import { causesOf, type Exclusion } from '../api/ledger.ts';
import type { LedgerWords } from '../api/ledger-csv.ts';
import { ledgerEnglish } from '../api/ledger-english.ts';
import type { Answer, Coverage, DocumentRow, Hit, Range, SearchResult } from '../api/types.ts';

function toHit(hit: Hit) {
  return {
    rank: hit.rank,
    score: hit.score,
    document: hit.document.path,
    title: hit.document.title,
    anchor: hit.anchors[0],
    anchors: hit.anchors,
    text: hit.text,
    why: hit.why,
  };
}

export function toSearchJson(result: SearchResult) {
  return { hits: result.hits.map(toHit), judgement: result.judgement, elapsedMs: result.elapsedMs };
}

export function toAskJson(answer: Answer) {
  return {
    answer: answer.answer,
    short: answer.short,
    mode: answer.mode,
    sentences: answer.sentences.map(({ text, citations, support }) => ({ text, citations, support })),
    citations: answer.citations.map((citation) => ({
      number: citation.number,
      document: citation.document.path,
      anchor: citation.anchor,
      anchors: citation.anchors,
      quote: citation.quote,
    })),
    coverage: answer.coverage,
    ...(answer.failure ? { failure: answer.failure } : {}),
    elapsedMs: answer.elapsedMs,
  };
}

/** `state` and `reason` as programs know them; `ledgerState` says more finely what became of it. */
export function toLedgerJson(row: DocumentRow) {
  const { path, state, ledgerState, reason = null, message = null, warnings } = row;
  return {
    ...{ document: path, state, reason, message, ledgerState },
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

export function toExclusionJson({ path, reason }: Exclusion) {
  const message = `${ledgerEnglish.why[reason]} ${ledgerEnglish.todo[reason]}`;
  return { document: path, state: 'excluded', reason, message, ledgerState: 'excluded' };
}

/** The words of the ledger in English. */
export const englishWords: LedgerWords = {
  column: (column) => ledgerEnglish.column[column],
  kind: (kind) => ledgerEnglish.kind[kind],
  state: (state) => ledgerEnglish.state[state],
  why: (cause) => ledgerEnglish.why[cause],
  todo: (cause) => ledgerEnglish.todo[cause],
};

/** Why not all of a document is searched, which part is missing, and what to do, on one line; empty where all is searched. */
export function causeInWords(row: DocumentRow): string {
  const [cause] = causesOf(row);
  if (cause === undefined) return '';
  const { why, todo } = ledgerEnglish;
  const missing = row.state === 'indexed' ? row.warnings.map(({ message }) => `${message}.`) : [why[cause]];
  return [...missing, todo[cause]].join(' ').replaceAll(/[.]{2,}/g, '.');
}

/** "Searched 4,812 of 4,903 documents", and how to see the others. */
export function coverageInWords({ searched, total, failed, waiting, partly = 0 }: Coverage): string {
  const rest = [
    ...(failed + waiting > 0 ? [`${counted(failed + waiting)} not searched`] : []),
    ...(partly > 0 ? [`${counted(partly)} only in part`] : []),
  ];
  const all = `Searched ${counted(searched)} of ${counted(total)} ${total === 1 ? 'document' : 'documents'}`;
  return rest.length === 0
    ? `${all}.`
    : `${all}; ${rest.join(', ')}: see "lectern documents --state incomplete".`;
}

const counted = (count: number): string => count.toLocaleString('en');

/** Places in words, for people at a terminal: " · page 3", " · lines 4–9", or nothing where the format has no words for it. */
export function placesInWords(anchors: Anchor[]): string {
  const [first] = anchors;
  const last = anchors.at(-1);
  if (first?.kind === 'lines' && last?.kind === 'lines') return ` · ${span('line', first.from, last.to)}`;
  if (first?.kind === 'page' && last?.kind === 'page') return ` · ${span('page', first.page, last.page)}`;
  if (first?.kind === 'cells') {
    return ` · ${first.sheet}, ${anchors.map((anchor) => (anchor.kind === 'cells' ? anchor.range : '')).join(', ')}`;
  }
  if (first?.kind === 'slide') return ` · slide ${first.slide}`;
  if (first?.kind === 'time') return ` · ${Math.floor(first.fromMs / 1000)} s`;
  return '';
}

function span(word: string, from: number, to: number): string {
  return from === to ? `${word} ${from}` : `${word}s ${from}–${to}`;
}

/** The part of a passage around its first matching words, on one line, cut at words. */
export function excerpt(text: string, matches: Range[], length: number): string {
  const oneLine = text.replaceAll(/\s/g, ' ');
  const lead = Math.floor(length / 4);
  const wanted = Math.max(0, (matches[0]?.start ?? 0) - lead);
  const from = wanted === 0 || oneLine.length <= length ? 0 : oneLine.indexOf(' ', wanted) + 1;
  const cut = from + length;
  const to = cut >= oneLine.length ? oneLine.length : Math.max(from + 1, oneLine.lastIndexOf(' ', cut));
  const part = oneLine.slice(from, to).replaceAll(/ +/g, ' ').trim();
  return `${from > 0 ? '… ' : ''}${part}${to < oneLine.length ? ' …' : ''}`;
}
