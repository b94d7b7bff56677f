/** Which JSON do the commands print? The shapes are fixed: other programs score them. */
import type { Anchor } from '../api/anchor.ts';
import type { Answer, Hit, Range, SearchResult } from '../api/types.ts';

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
