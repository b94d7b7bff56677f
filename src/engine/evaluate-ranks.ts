/** Which ranked passages meet the evidence, and how good is the ranking? */
import type { Anchor } from '../api/anchor.ts';
import type { DocumentReference, Evidence } from '../api/types.ts';
import { words } from './language/words.ts';
import { fromA1, overlap } from './retrieve/cell-ranges.ts';

/** What counts of a passage: a longer one gains nothing. */
const countedWords = 800;
const countedPages = 2;

/** Shortest common stretch of a quote and a passage that is no accident, in characters. */
const leastOverlap = 20;

/** A ranked passage or a citation as evidence is compared with it. */
export interface Ranked {
  document: Pick<DocumentReference, 'path'>;
  anchors: Anchor[];
  /** As shown. */
  text: string;
  /** As it stands in the document, where that differs (tables). */
  plainText?: string;
}

/** True when the passage meets the item of evidence, counted with its first 800 words and two pages. */
export function meets(passage: Ranked, evidence: Evidence): boolean {
  if (!isDocument(passage.document.path, evidence.document)) return false;
  const { page, quote, sheet, range } = evidence;
  if (page === undefined && quote === undefined && range === undefined && sheet === undefined) return true;
  if (page !== undefined && pagesOf(passage.anchors).includes(page)) return true;
  if (quote !== undefined && holdsQuote(passage, quote)) return true;
  return (range !== undefined || sheet !== undefined) && holdsCells(passage.anchors, sheet, range);
}

/** A path relative to the folder, or the file's name alone. */
export function isDocument(path: string, named: string): boolean {
  const wanted = named.normalize('NFC').replaceAll('\\', '/');
  const given = path.normalize('NFC');
  return given === wanted || given.endsWith(`/${wanted}`) || given.split('/').at(-1) === wanted;
}

function pagesOf(anchors: Anchor[]): number[] {
  const pages = new Set(anchors.flatMap((anchor) => (anchor.kind === 'page' ? [anchor.page] : [])));
  return [...pages].slice(0, countedPages);
}

function holdsQuote(passage: Ranked, quote: string): boolean {
  const wanted = plain(quote);
  if (wanted === '') return false;
  return [passage.text, passage.plainText ?? ''].some((text) => {
    const held = plain(firstWords(text));
    if (held === '') return false;
    return held.includes(wanted) || wanted.includes(held) || sharedEdge(held, wanted);
  });
}

/** True when one ends with what the other begins with: the quote crosses the passage's border. */
function sharedEdge(a: string, b: string): boolean {
  const least = Math.min(leastOverlap, Math.ceil(b.length / 2));
  for (let length = Math.min(a.length, b.length); length >= least; length--) {
    if (a.endsWith(b.slice(0, length)) || b.endsWith(a.slice(0, length))) return true;
  }
  return false;
}

function firstWords(text: string): string {
  const all = words(text);
  const last = all[countedWords - 1];
  return last === undefined ? text : text.slice(0, last.end);
}

/** NFKC, case folded, white space collapsed. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function holdsCells(anchors: Anchor[], sheet: string | undefined, range: string | undefined): boolean {
  const wanted = range === undefined ? undefined : fromA1(range);
  return anchors.some((anchor) => {
    if (anchor.kind !== 'cells') return false;
    if (sheet !== undefined && plain(anchor.sheet) !== plain(sheet)) return false;
    const held = fromA1(anchor.range);
    return wanted === undefined || (held !== undefined && overlap(held, wanted));
  });
}

/** First rank, 1-based, that meets any evidence; null for none. */
export function firstRank(passages: Ranked[], evidence: Evidence[]): number | null {
  const index = passages.findIndex((passage) => evidence.some((item) => meets(passage, item)));
  return index < 0 ? null : index + 1;
}

/** hit@1, @3, @5, @10, mrr@10, ndcg@10 and docHit@1 of one ranking. */
export function rankMeasures(passages: Ranked[], evidence: Evidence[]): Record<string, number> {
  const rank = firstRank(passages.slice(0, 10), evidence);
  const within = (k: number): number => (rank !== null && rank <= k ? 1 : 0);
  const first = passages[0];
  return {
    'hit@1': within(1),
    'hit@3': within(3),
    'hit@5': within(5),
    'hit@10': within(10),
    'mrr@10': rank === null ? 0 : 1 / rank,
    'ndcg@10': ndcg(passages.slice(0, 10), evidence),
    'docHit@1': first && evidence.some((item) => isDocument(first.document.path, item.document)) ? 1 : 0,
  };
}

/** Each item of evidence gives its gain once, at the first passage that meets it; items met by one passage are one find. */
function ndcg(passages: Ranked[], evidence: Evidence[]): number {
  const open = new Set(evidence);
  let gain = 0;
  let finds = 0;
  passages.forEach((passage, index) => {
    const met = [...open].filter((item) => meets(passage, item));
    if (met.length === 0) return;
    for (const item of met) open.delete(item);
    gain += 1 / Math.log2(index + 2);
    finds += 1;
  });
  let ideal = 0;
  for (let index = 0; index < Math.min(10, finds + open.size); index++) ideal += 1 / Math.log2(index + 2);
  return ideal === 0 ? 0 : gain / ideal;
}
