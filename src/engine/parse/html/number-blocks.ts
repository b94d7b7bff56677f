/** Which identifier has each block of a page, and where in it does each text begin? */
import { type Element, isElement, isText, type Node, type TextNode } from './clean-tree.ts';
import { blockElements } from './elements.ts';

/** Place of a text node: its block's identifier, and its offset in that block's textContent. */
export interface TextPlace {
  path: string;
  start: number;
}

export interface NumberedBlocks {
  /** Identifier of each block element. */
  ids: Map<Element, string>;
  placeOf(text: TextNode): TextPlace;
}

/** A block element as it was met. */
interface Block {
  path: string;
  /** Length of all text before it. */
  start: number;
}

/** Numbers the block elements b1, b2, … in document order. The one walk that the parser and the view share. */
export function numberBlocks(body: Element): NumberedBlocks {
  const ids = new Map<Element, string>();
  // Numbers, and one object a block: an object for each of a million texts costs more time than all the rest.
  const positions = new Map<TextNode, number>();
  const blocks = new Map<TextNode, Block>();
  const nodes: Node[] = [body];
  const parents: Block[] = [{ path: 'b1', start: 0 }];
  let position = 0;
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    let block = parents.pop()!;
    if (isText(node)) {
      positions.set(node, position);
      blocks.set(node, block);
      position += node.value.length;
    } else if (isElement(node)) {
      if (blockElements.has(node.tagName)) {
        block = { path: `b${ids.size + 1}`, start: position };
        ids.set(node, block.path);
      }
      for (let i = node.childNodes.length - 1; i >= 0; i--) {
        nodes.push(node.childNodes[i]!);
        parents.push(block);
      }
    }
  }
  const placeOf = (text: TextNode): TextPlace => {
    const { path, start } = blocks.get(text)!;
    return { path, start: positions.get(text)! - start };
  };
  return { ids, placeOf };
}
