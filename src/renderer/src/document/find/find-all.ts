/** Where in a text do words stand that somebody looks for? */

/** What the reader looks for, and which of the places found is shown now. */
export interface FindRequest {
  /** As typed; never empty. */
  words: string;
  /** 0-based number of the place that is shown. */
  at: number;
}

/** Places that are counted and walked through; a reader who finds more looks for something longer. */
export const findLimit = 5000;

/**
 * The words in this order, whatever their case, with any white space between them; е finds ё and the other way round.
 * Undefined when there is nothing to look for.
 */
export function findPattern(words: string): RegExp | undefined {
  const parts = words.trim().split(/\s+/);
  if (parts[0] === '') return undefined;
  const pattern = parts.map((part) => RegExp.escape(part).replace(/[её]/gi, '[её]')).join('\\s+');
  return new RegExp(pattern, 'giu');
}

/** Half-open ranges in UTF-16 units, at most `limit` of them, from the start. */
export function findAll(text: string, words: string, limit = findLimit): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const pattern = findPattern(words);
  if (pattern === undefined) return found;
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (found.length === limit) break;
    found.push({ start: index, end: index + match.length });
  }
  return found;
}

/** The place after or before one of `count`, round and round. */
export const stepTo = (at: number, step: 1 | -1, count: number): number =>
  count === 0 ? 0 : (at + step + count) % count;
