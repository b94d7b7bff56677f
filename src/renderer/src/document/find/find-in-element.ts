/** Where in drawn text do words stand, and how are they marked without changing the text? */
import { setHighlight } from '../frame/light-ranges.ts';
import { findAll, findLimit } from './find-all.ts';

/** Elements that end a line: words don't go on from one to the next. */
const lines =
  'p, li, td, th, h1, h2, h3, h4, h5, h6, div, pre, blockquote, section, article, dt, dd, figcaption, summary';
const unread = new Set(['STYLE', 'SCRIPT', 'TEMPLATE', 'NOSCRIPT']);

interface Pieces {
  text: string;
  nodes: Text[];
  /** Offset of each node in the text. */
  starts: number[];
}

function readPieces(root: Element): Pieces {
  const pieces: Pieces = { text: '', nodes: [], starts: [] };
  const parts: string[] = [];
  let length = 0;
  let line: Element | null | undefined;
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // Nodes of a frame are no instances of this window's Node.
    const isText = node.nodeType === Node.TEXT_NODE;
    if (!isText) {
      if (node.nodeName === 'BR') length += parts.push('\n') && 1;
      continue;
    }
    const parent = node.parentElement;
    if (parent === null || unread.has(parent.nodeName)) continue;
    const itsLine = parent.closest(lines);
    if (line !== undefined && itsLine !== line) length += parts.push('\n') && 1;
    line = itsLine;
    pieces.nodes.push(node as Text);
    pieces.starts.push(length);
    parts.push((node as Text).data);
    length += (node as Text).length;
  }
  pieces.text = parts.join('');
  return pieces;
}

/** Ranges of the words in an element's text, in its order. */
export function rangesInElement(root: Element, words: string, limit = findLimit): Range[] {
  const { text, nodes, starts } = readPieces(root);
  let at = 0;
  const nodeAt = (offset: number): number => {
    while (at + 1 < nodes.length && starts[at + 1]! <= offset) at++;
    return at;
  };
  return findAll(text, words, limit).map(({ start, end }) => {
    const range = root.ownerDocument.createRange();
    const first = nodeAt(start);
    range.setStart(nodes[first]!, Math.min(nodes[first]!.length, start - starts[first]!));
    const last = nodeAt(end - 1);
    range.setEnd(nodes[last]!, Math.min(nodes[last]!.length, end - starts[last]!));
    return range;
  });
}

/** Marks what was found, and the place that is shown now more strongly. */
export function markFound(ownerDocument: Document, ranges: Range[], now: Range | undefined): void {
  setHighlight(ownerDocument, 'lectern-found', ranges);
  setHighlight(ownerDocument, 'lectern-found-now', now === undefined ? [] : [now]);
}
