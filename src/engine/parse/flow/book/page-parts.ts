/** How do pages that came packed together become one page, with the pictures that came along? */
import { parse, serialize } from 'parse5';
import { book as limits } from '../../../config.ts';
import { attribute, type Element, isElement, isText, type Node } from '../../html/clean-tree.ts';
import { escapeHtml } from '../flow-page.ts';

/** A picture that came along, or undefined. */
export type FindPicture = (address: string) => Promise<{ type: string; bytes: Uint8Array } | undefined>;

export interface PagePart {
  /** The page's own HTML. */
  html: string;
  /** Named by the table of contents; shown where the page itself has no heading. */
  title?: string;
  /** Undefined where pictures don't matter. */
  findPicture?: FindPicture;
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const style =
  'section{margin:0 0 3em}img{max-width:100%;height:auto}body{max-width:44em;margin:24px auto;padding:0 28px;font:16px/1.55 Georgia,serif}';
const picturesShown = /^image\/(?:png|jpeg|gif|webp|bmp)$/;

/** One page of all, each in a section of its own. Scripts and styles fall away when it is read. */
export async function joinPages(parts: AsyncIterable<PagePart>): Promise<string> {
  const sections: string[] = [];
  let pictureBytes = 0;
  for await (const { html, title, findPicture } of parts) {
    const body = bodyOf(html);
    if (!body) continue;
    if (findPicture) {
      for (const picture of elementsOf(body, 'img')) {
        pictureBytes += await embed(picture, findPicture, limits.maxPictureBytes - pictureBytes);
      }
    }
    const hasHeading = elementsOf(body, /^h[1-6]$/).next().done === false;
    const heading = title && !hasHeading ? `<h2>${escapeHtml(title)}</h2>` : '';
    sections.push(`<section>${heading}${serialize(body)}</section>`);
  }
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body>${sections.join('\n')}</body></html>`;
}

/** XHTML may close any element in its opening tag, which HTML reads as one that stays open. */
function bodyOf(html: string): Element | undefined {
  const closed = html
    .replace(/^\s*<\?xml[^>]*\?>/, '')
    .replaceAll(
      /<([a-z][\w:-]*)((?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*\/>/gi,
      (tag, name: string, attributes: string) => (VOID.test(name) ? tag : `<${name}${attributes}></${name}>`),
    );
  const root = parse(closed).childNodes.find(
    (node): node is Element => isElement(node) && node.tagName === 'html',
  );
  return root?.childNodes.find((node): node is Element => isElement(node) && node.tagName === 'body');
}

function* elementsOf(root: Element, name: string | RegExp): Generator<Element> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (isText(node) || !isElement(node)) continue;
    if (typeof name === 'string' ? node.tagName === name : name.test(node.tagName)) yield node;
    for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i]!);
  }
}

/** Writes the picture into its element; returns its bytes, 0 where there is none or no room. */
async function embed(element: Element, findPicture: FindPicture, room: number): Promise<number> {
  const address = attribute(element, 'src');
  if (!address || address.startsWith('data:')) return 0;
  const picture = await findPicture(address);
  if (!picture || picture.bytes.length > room || !picturesShown.test(picture.type)) return 0;
  const data = Buffer.from(picture.bytes).toString('base64');
  for (const entry of element.attrs)
    if (entry.name === 'src') entry.value = `data:${picture.type};base64,${data}`;
  return picture.bytes.length;
}
