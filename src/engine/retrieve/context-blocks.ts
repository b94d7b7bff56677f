/** Which few, whole blocks should another program read? */
import type { Anchor } from '../../api/anchor.ts';
import type { Hit, SearchResult } from '../../api/types.ts';
import { contextBlocks as limits } from '../config.ts';
import { sentences } from '../language/sentences.ts';

/** Adjacent passages of one document, glued. */
export interface ContextBlock {
  /** 1-based, by the best rank of its passages. */
  number: number;
  /** Path of the document. */
  document: string;
  documentId: number;
  title: string;
  headings: string[];
  /** Range in the document's normalised text. */
  start: number;
  end: number;
  text: string;
  anchors: Anchor[];
}

export interface ContextLimits {
  maxDocuments: number;
  maxBlocks: number;
  /** Of all blocks together, UTF-16 units. */
  maxCharacters: number;
}

/** Blocks within the limits (default: 4 documents, 6 blocks, 8,000 characters), best first; none when nothing is relevant. */
export function contextBlocks(result: SearchResult, chosen: Partial<ContextLimits> = {}): ContextBlock[] {
  if (result.judgement === 'nothing') return [];
  const { maxDocuments, maxBlocks, maxCharacters } = { ...limits, ...chosen };
  const blocks: ContextBlock[] = [];
  const documents = new Set<number>();
  let room = maxCharacters;
  for (const { document, headings, start, end, text: whole, anchors } of gluePassages(result.hits)) {
    const isKnown = documents.has(document.id);
    if (blocks.length >= maxBlocks || (!isKnown && documents.size >= maxDocuments)) continue;
    const text = whole.length <= room ? whole : blocks.length === 0 ? cutText(whole, room) : '';
    if (text === '') continue;
    documents.add(document.id);
    room -= text.length;
    const { id: documentId, path, title } = document;
    const number = blocks.length + 1;
    blocks.push({ number, document: path, documentId, title, headings, start, end, text, anchors });
  }
  return blocks;
}

type Piece = Pick<Hit, 'document' | 'headings' | 'start' | 'end' | 'text' | 'anchors'>;

/** Joins passages whose ranges touch or overlap; each group keeps the place of its best passage. */
export function gluePassages(hits: Hit[]): Piece[] {
  const groups: Piece[][] = [];
  for (const hit of hits) {
    const touching = groups.filter(
      ([first, ...rest]) =>
        first!.document.id === hit.document.id &&
        [first!, ...rest].some((other) => other.start <= hit.end && hit.start <= other.end),
    );
    const home = touching[0];
    if (!home) {
      groups.push([hit]);
      continue;
    }
    home.push(hit, ...touching.slice(1).flat());
    for (const other of touching.slice(1)) groups.splice(groups.indexOf(other), 1);
  }
  return groups.map(joinPieces);
}

function joinPieces(group: Piece[]): Piece {
  const [first, ...others] = [...group].sort((a, b) => a.start - b.start || b.end - a.end);
  const joined = { ...first!, anchors: [...first!.anchors] };
  for (const next of others) {
    if (next.end <= joined.end) continue;
    const overlap = joined.end - next.start;
    // Text of table rows is not the document's own, so an overlap can't be cut out of it by offsets.
    const isPlain = next.text.length === next.end - next.start;
    const rest = isPlain ? next.text.slice(overlap) : next.text;
    const isApart = overlap <= 0 && !joined.text.endsWith('\n') && !rest.startsWith('\n');
    joined.text += (isApart ? '\n' : '') + rest;
    joined.end = next.end;
    joined.anchors.push(...next.anchors);
  }
  return joined;
}

/** Whole sentences that fit; the bare beginning where the first is longer. */
function cutText(text: string, room: number): string {
  const last = sentences(text).findLast(({ end }) => end <= room);
  if (last) return text.slice(0, last.end);
  const cut = text.slice(0, Math.max(0, room));
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
