/** Where does an indexed range stand in the file as it is now? */
import type { Place } from '../api/types.ts';
import { locate as limits } from './config.ts';
import type { Block } from './document.ts';
import { hashFile } from './files/hash-file.ts';
import { type DocumentFile, documentFile } from './open-document.ts';
import type { ParsePool } from './parse-pool.ts';
import { type AnchoredBlock, anchorsOfRange } from './retrieve/anchors.ts';
import type { StoreApi } from './store/types.ts';

export interface LocateParts {
  store: StoreApi;
  pool: ParsePool;
}

/** True when the file's bytes are no longer those that were indexed. */
export async function isChanged(store: StoreApi, file: DocumentFile): Promise<boolean> {
  if (file.row.sizeBytes === file.sizeBytes && file.row.modifiedAtMs === Math.trunc(file.modifiedAtMs))
    return false;
  return (await hashFile(file.path)) !== (await store.contentHash(file.row.id));
}

/**
 * The anchors of a range. In a changed file the range is found again by its own words, told apart from repetitions by
 * the words before and after; where that fails the answer is "lost" and nothing may be lit.
 */
export async function locate(parts: LocateParts, id: number, start: number, end: number): Promise<Place> {
  const from = Math.max(0, start - limits.contextCharacters);
  const blocks = await parts.store.blocks(id, from, end + limits.contextCharacters);
  const first = blocks[0];
  if (!first || end <= start) return { state: 'lost', anchors: [], quote: '' };
  const text = blocks.map((block) => block.text).join('');
  const quote = text.slice(start - first.start, end - first.start);
  const file = await documentFile(parts, id);
  if (!(await isChanged(parts.store, file))) {
    return { state: 'same', anchors: anchorsOf(blocks, start, end), quote };
  }
  const name = file.row.path.split('/').at(-1) ?? file.row.path;
  const now = await parts.pool.extract({ path: file.path, name, sizeBytes: file.sizeBytes });
  const place = findQuote(
    now.blocks.map((block) => block.text).join(''),
    quote,
    text.slice(Math.max(0, start - limits.contextCharacters - first.start), start - first.start),
    text.slice(end - first.start, end - first.start + limits.contextCharacters),
  );
  if (place === undefined) return { state: 'lost', anchors: [], quote };
  return { state: 'moved', anchors: anchorsOf(withStarts(now.blocks), place, place + quote.length), quote };
}

/** Offset of the one occurrence whose surroundings agree best; undefined for none, or for several that agree equally. */
export function findQuote(text: string, quote: string, prefix: string, suffix: string): number | undefined {
  if (quote.trim() === '') return undefined;
  let best: { at: number; agreement: number } | undefined;
  let isTied = false;
  for (let at = text.indexOf(quote), seen = 0; at >= 0 && seen < limits.maxOccurrences; seen += 1) {
    const before = agreementBefore(text, at, prefix);
    const agreement = before + agreementAfter(text, at + quote.length, suffix);
    if (best && agreement === best.agreement) isTied = true;
    if (!best || agreement > best.agreement) {
      best = { at, agreement };
      isTied = false;
    }
    at = text.indexOf(quote, at + 1);
  }
  return best && !isTied ? best.at : undefined;
}

function agreementBefore(text: string, at: number, prefix: string): number {
  let length = 0;
  while (length < prefix.length && text[at - 1 - length] === prefix[prefix.length - 1 - length]) length += 1;
  return length;
}

function agreementAfter(text: string, at: number, suffix: string): number {
  let length = 0;
  while (length < suffix.length && text[at + length] === suffix[length]) length += 1;
  return length;
}

function withStarts(blocks: Block[]): AnchoredBlock[] {
  let start = 0;
  return blocks.map((block) => {
    const placed = { start, text: block.text, spans: block.spans };
    start += block.text.length;
    return placed;
  });
}

function anchorsOf(blocks: AnchoredBlock[], start: number, end: number): Place['anchors'] {
  const inside = blocks.filter((block) => block.start < end && block.start + block.text.length > start);
  return anchorsOfRange(inside, start, end);
}
