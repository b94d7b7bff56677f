/** How are places inside a frame's document lit and brought on screen? */

const HIGHLIGHT = 'lectern-cited';

/** Registry and class of the CSS Custom Highlight API, as the frame's own window has them. */
interface HighlightWindow {
  CSS: { highlights: Map<string, unknown> };
  Highlight: new (...ranges: Range[]) => unknown;
}

/** Marks ranges under a name, in place of what was marked under it before. */
export function setHighlight(ownerDocument: Document, name: string, ranges: Range[]): void {
  const view = ownerDocument.defaultView as unknown as HighlightWindow | null;
  if (!view) return;
  if (ranges.length === 0) view.CSS.highlights.delete(name);
  else view.CSS.highlights.set(name, new view.Highlight(...ranges));
}

/**
 * Lights the ranges and nothing else, without changing the document's elements. False when there is nothing to light or
 * none of it can be seen. Hidden parents of a range are shown.
 */
export function lightRanges(frameDocument: Document, ranges: Range[]): boolean {
  for (const range of ranges) reveal(range);
  setHighlight(frameDocument, HIGHLIGHT, ranges);
  return ranges.some(isSeen);
}

function isSeen(range: Range): boolean {
  return [...range.getClientRects()].some((rect) => rect.width > 0 && rect.height > 0);
}

/** A page's own style may hide what was cited: in tabs, in folded parts. */
function reveal(range: Range): void {
  if (isSeen(range)) return;
  const start = range.startContainer;
  for (
    let element = start instanceof Element ? start : start.parentElement;
    element;
    element = element.parentElement
  ) {
    const style = getComputedStyle(element);
    const { style: own } = element as HTMLElement;
    if (style.display === 'none') own.setProperty('display', 'revert', 'important');
    if (style.visibility === 'hidden') own.setProperty('visibility', 'visible', 'important');
    if (isSeen(range)) return;
  }
}

/** Scrolls the frame, and whatever scrolls inside it, until the range stands in its upper third. Never moves the page around it. */
export function scrollToRange(frameDocument: Document, range: Range): void {
  const start = range.startContainer;
  const root = frameDocument.scrollingElement;
  const view = frameDocument.defaultView;
  if (!root || !view) return;
  for (let element = start.parentElement; element && element !== root; element = element.parentElement) {
    if (element.scrollHeight <= element.clientHeight + 1) continue;
    if (!/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
    const offset = firstRect(range).top - element.getBoundingClientRect().top;
    element.scrollTop += offset - element.clientHeight / 3;
  }
  const { top } = firstRect(range);
  if (top < view.innerHeight * 0.1 || top > view.innerHeight * 0.7) {
    root.scrollTop += top - view.innerHeight / 3;
  }
}

/**
 * Scrolls to the range until it stays: parts of a long document take their true height only once they were near the
 * screen, and a face that is still on its way changes the height of lines.
 */
export function settleOn(frameDocument: Document, range: Range): void {
  scrollToRange(frameDocument, range);
  let tries = 0;
  const again = (): void => {
    const before = range.getBoundingClientRect().top;
    scrollToRange(frameDocument, range);
    tries += 1;
    if (tries < 10 && (tries < 3 || Math.abs(range.getBoundingClientRect().top - before) > 1)) {
      requestAnimationFrame(again);
    }
  };
  requestAnimationFrame(again);
  const isMoved = hasReaderMoved(frameDocument);
  void frameDocument.fonts.ready.then(() => {
    if (!isMoved()) scrollToRange(frameDocument, range);
  });
}

/** Becomes true once the reader scrolls: from then on the place is the reader's. */
function hasReaderMoved(frameDocument: Document): () => boolean {
  let isMoved = false;
  const moved = (): void => {
    isMoved = true;
  };
  for (const event of ['wheel', 'keydown', 'pointerdown'] as const) {
    frameDocument.addEventListener(event, moved, { once: true, passive: true });
  }
  return () => isMoved;
}

const firstRect = (range: Range): DOMRect => range.getClientRects()[0] ?? range.getBoundingClientRect();

/** The range of `[start, end)` in an element's textContent, in UTF-16 units; undefined when the text is shorter than `start`. */
export function rangeInElement(element: Element, start: number, end: number): Range | undefined {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = element.ownerDocument.createRange();
  let position = 0;
  let hasStart = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node as Text;
    if (!hasStart && start < position + length) {
      range.setStart(node, start - position);
      hasStart = true;
    }
    if (hasStart && end <= position + length) {
      range.setEnd(node, end - position);
      return range;
    }
    if (hasStart) range.setEnd(node, length);
    position += length;
  }
  return hasStart ? range : undefined;
}
