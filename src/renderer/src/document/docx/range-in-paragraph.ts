/** Which range of a drawn paragraph is `[start, end)` of its text? */

/**
 * Counts UTF-16 units of the text; a formula counts as one, as the engine counts it. Undefined when the paragraph is
 * shorter than `start`.
 */
export function rangeInParagraph(paragraph: Element, start: number, end: number): Range | undefined {
  const range = paragraph.ownerDocument.createRange();
  const walker = paragraph.ownerDocument.createTreeWalker(
    paragraph,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    {
      acceptNode: (node) => {
        if (node.nodeType === Node.TEXT_NODE || isFormula(node)) return NodeFilter.FILTER_ACCEPT;
        return isInsideFormula(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
      },
    },
  );
  let position = 0;
  let hasStart = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE && isInsideFormula(node)) continue;
    const length = isFormula(node) ? 1 : (node as Text).length;
    if (!hasStart && start < position + length) {
      if (isFormula(node)) range.setStartBefore(node);
      else range.setStart(node, start - position);
      hasStart = true;
    }
    if (hasStart) {
      if (isFormula(node)) range.setEndAfter(node);
      else range.setEnd(node, Math.min(length, end - position));
    }
    position += length;
    if (hasStart && end <= position) return range;
  }
  return hasStart ? range : undefined;
}

function isFormula(node: Node): boolean {
  return node.nodeName.toLowerCase() === 'math';
}

function isInsideFormula(node: Node): boolean {
  const parent = node.parentElement;
  return parent?.closest('math') != null;
}
