/** Which identifier has each block of a page, and where in it does each text begin? */
import { type Element, isElement, isText, type Node, type TextNode } from './clean-tree.ts';
import { blockElements } from './elements.ts';

/** Place of a text node: its block's identifier, and its offset in that block's textContent. */
export interface TextPlace {
  path: string;
  start: number;
}

export interface NumberedBlocks {
  ids: Map<Element, string>;
  texts: Map<TextNode, TextPlace>;
}

/** Numbers the block elements b1, b2, … in document order. The one walk that the parser and the view share. */
export function numberBlocks(body: Element): NumberedBlocks {
  const ids = new Map<Element, string>();
  const texts = new Map<TextNode, TextPlace>();
  let position = 0;
  const starts = new Map<string, number>();
  const waiting: { node: Node; path: string }[] = [{ node: body, path: 'b1' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node } = next;
    let { path } = next;
    if (isText(node)) {
      texts.set(node, { path, start: position - (starts.get(path) ?? 0) });
      position += node.value.length;
    }
    if (!isElement(node)) continue;
    if (blockElements.has(node.tagName)) {
      path = `b${ids.size + 1}`;
      ids.set(node, path);
      starts.set(path, position);
    }
    for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push({ node: node.childNodes[i]!, path });
  }
  return { ids, texts };
}
