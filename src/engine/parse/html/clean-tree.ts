/** What of a page's tree may be read and shown? The parser and the view use the same cleaned tree, so their text is one. */
import { defaultTreeAdapter as adapter, html as names, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { html as limits } from '../../config.ts';
import { droppedElements, keptAttributes, keptElements, renamedElements } from './elements.ts';

export type Element = Tree.Element;
export type Node = Tree.ChildNode;
export type TextNode = Tree.TextNode;

export const isElement = (node: Tree.Node): node is Element => 'tagName' in node;
export const isText = (node: Tree.Node): node is TextNode => node.nodeName === '#text';

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((entry) => entry.name === name)?.value;
}

export interface CleanResult {
  /** The page's own style sheets, without what would load anything. */
  styles: string;
  /** Nesting or number of elements went over a limit, and the rest was left out or flattened. */
  isCut: boolean;
}

/** Parents in which white space is never shown. */
const blankParents: ReadonlySet<string> = new Set([
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'ul',
  'ol',
  'dl',
  'colgroup',
]);

/** Removes what is hidden, active or fetched from elsewhere; mends the tree in place. */
export function cleanTree(root: Element): CleanResult {
  const result: CleanResult = { styles: '', isCut: false };
  const waiting: Element[] = [root];
  const depths: number[] = [0];
  let elements = 0;
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const depth = depths.pop()!;
    const isBlankParent = blankParents.has(element.tagName);
    let count = 0;
    for (const child of element.childNodes) {
      if (isText(child)) {
        if (!isBlankParent || child.value.trim() !== '') element.childNodes[count++] = child;
        continue;
      }
      if (!isElement(child)) continue;
      if (child.tagName === 'style') result.styles += `${styleText(child)}\n`;
      if (isDropped(child)) continue;
      if (++elements > limits.maxElements || depth >= limits.maxDepth) result.isCut = true;
      if (elements > limits.maxElements) continue;
      if (depth >= limits.maxDepth) {
        element.childNodes[count++] = flatten(child, element);
        continue;
      }
      cleanElement(child);
      element.childNodes[count++] = child;
      waiting.push(child);
      depths.push(depth + 1);
    }
    element.childNodes.length = count;
  }
  return result;
}

function styleText(element: Element): string {
  const text = element.childNodes.map((child) => (isText(child) ? child.value : '')).join('');
  return withoutAddresses(text).replaceAll('<', '');
}

/** Style that loads nothing: no imports, and no addresses but data. */
function withoutAddresses(style: string): string {
  return style
    .replace(/@import[^;]*;?/gi, '')
    .replace(/url\(\s*(?!["']?data:image\/)[^)]{0,2000}\)/gi, 'none');
}

function isDropped(element: Element): boolean {
  if (droppedElements.has(element.tagName)) return true;
  if (attribute(element, 'hidden') !== undefined) return true;
  const style = attribute(element, 'style');
  return style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);
}

function cleanElement(element: Element): void {
  const name = element.tagName;
  const renamed = renamedElements[name] ?? (keptElements.has(name) ? name : 'span');
  if (renamed !== name || element.namespaceURI !== names.NS.HTML) {
    element.tagName = renamed;
    element.nodeName = renamed;
    element.namespaceURI = names.NS.HTML;
  }
  const href = name === 'a' ? attribute(element, 'href') : undefined;
  if (element.attrs.length > 0)
    element.attrs = element.attrs.filter((entry) => isKept(element, entry.name, entry.value));
  for (const entry of element.attrs) if (entry.name === 'style') entry.value = withoutAddresses(entry.value);
  // Links lead nowhere here; where they led is said on hover.
  if (href && !/^\s*(javascript|data|vbscript):/i.test(href))
    element.attrs.push({ name: 'title', value: href });
  if (name === 'details') element.attrs.push({ name: 'open', value: '' });
}

function isKept(element: Element, name: string, value: string): boolean {
  if (name === 'src')
    return element.tagName === 'img' && /^data:image\/(png|jpeg|gif|webp|bmp);/i.test(value);
  if (name === 'title' && element.tagName === 'a') return false;
  if (name === 'open') return false;
  return keptAttributes.has(name);
}

/** All text below an element that is nested too deep, as one node. */
function flatten(element: Element, parent: Element): TextNode {
  let text = '';
  const waiting: Node[] = [element];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (isText(node)) text += node.value;
    else if (isElement(node) && !isDropped(node)) {
      for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i]!);
    }
  }
  const flat = adapter.createTextNode(text);
  flat.parentNode = parent;
  return flat;
}
