/** Which JSON do the commands print? The shapes are fixed: other programs score them. */
import type { Anchor } from '../api/anchor.ts';
import type { Answer, Hit, SearchResult } from '../api/types.ts';

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

/** A place in words, for people at a terminal. */
export function placeInWords(anchor: Anchor | undefined): string {
  switch (anchor?.kind) {
    case 'page':
      return `page ${anchor.page}`;
    case 'cells':
      return `${anchor.sheet}, ${anchor.range}`;
    case 'slide':
      return `slide ${anchor.slide}`;
    case 'lines':
      return anchor.from === anchor.to ? `line ${anchor.from}` : `lines ${anchor.from}–${anchor.to}`;
    case 'time':
      return `${Math.floor(anchor.fromMs / 1000)} s`;
    default:
      return '';
  }
}
