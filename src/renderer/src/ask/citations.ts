/** Which colour has a document, and which passage does a citation come from? */
import type { Citation, Hit } from '../../../api/types.ts';

const colours = 6;

/** A colour per document, by first appearance: passages first, because they are on screen before the citations. */
export function documentColours(hits: Hit[], citations: Citation[]): Map<number, string> {
  const found = new Map<number, string>();
  for (const { document } of [...hits, ...citations]) {
    if (!found.has(document.id)) found.set(document.id, `var(--doc-${(found.size % colours) + 1})`);
  }
  return found;
}

const overlaps = (one: { start: number; end: number }, other: { start: number; end: number }): boolean =>
  one.start < other.end && other.start < one.end;

/** The passage that a citation quotes from, if it is among the hits. */
export function hitOf(citation: Citation, hits: Hit[]): Hit | undefined {
  return hits.find((hit) => hit.document.id === citation.document.id && overlaps(hit, citation));
}

/** The citations that quote from a passage, by number. */
export function citationsOf(hit: Hit, citations: Citation[]): Citation[] {
  return citations
    .filter((citation) => citation.document.id === hit.document.id && overlaps(hit, citation))
    .sort((one, other) => one.number - other.number);
}
