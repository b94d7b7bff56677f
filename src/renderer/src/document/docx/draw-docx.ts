/** How does a Word document become elements of a frame in which nothing can act or fetch? */
import { renderAsync } from 'docx-preview';

/** What the renderer asks for when it makes an element. */
interface ElementWanted {
  ns?: string;
  tagName: string;
  className?: string;
  style?: string | Record<string, string>;
  children?: (ElementWanted | Node | string)[];
  [property: string]: unknown;
}

/** Elements that a drawn document never needs. */
const FORBIDDEN = new Set(['iframe', 'script', 'object', 'embed', 'form', 'link', 'base', 'meta']);

/**
 * Draws into the frame's body, its styles into the frame's head. Every element is made in the frame's own document, so
 * that the frame's policy, and not the page's, decides what a picture may load. Returns a function that frees the pictures.
 */
export async function drawDocx(frame: Document, bytes: Blob, signal: AbortSignal): Promise<() => void> {
  const body = frame.createElement('div');
  const styles = frame.createElement('div');
  await renderAsync(bytes, body, styles, {
    className: 'docx',
    inWrapper: true,
    breakPages: true,
    ignoreFonts: true,
    ignoreLastRenderedPageBreak: true,
    renderAltChunks: false,
    renderComments: false,
    renderChanges: false,
    h: (wanted) => makeElement(frame, wanted as ElementWanted | Node | string),
  });
  const pictures = [...body.querySelectorAll('img, image')];
  const free = (): void => {
    for (const picture of pictures) {
      const address = picture.getAttribute('src') ?? picture.getAttribute('href') ?? '';
      if (address.startsWith('blob:')) URL.revokeObjectURL(address);
    }
  };
  if (signal.aborted) free(); // another document took the frame meanwhile
  signal.throwIfAborted();
  markNotes(body);
  // Only now does anything of it become part of the frame: no half-drawn page is ever seen.
  for (const old of frame.head.querySelectorAll('style[data-docx]')) old.remove();
  const made = [...styles.querySelectorAll('style')];
  for (const style of made) style.dataset.docx = '';
  frame.head.prepend(...made); // before the frame's own style, which has the last word
  frame.body.replaceChildren(...body.childNodes);
  return free;
}

function makeElement(frame: Document, wanted: ElementWanted | Node | string): Node {
  if (typeof wanted === 'string') return frame.createTextNode(wanted);
  // Nodes of a frame are no instances of this window's Node.
  if ('nodeType' in wanted) return wanted as Node;
  const { ns, tagName, className, style, children, ...properties } = wanted as ElementWanted;
  const content = (children ?? []).map((child) => makeElement(frame, child));
  if (tagName === '#comment') return frame.createComment('');
  if (tagName === '#fragment' || FORBIDDEN.has(tagName.toLowerCase())) {
    const fragment = frame.createDocumentFragment();
    fragment.append(...content);
    return fragment;
  }
  const element = ns ? frame.createElementNS(ns, tagName) : frame.createElement(tagName);
  if (className) element.setAttribute('class', className);
  if (typeof style === 'string') element.setAttribute('style', style);
  else if (style) Object.assign((element as HTMLElement).style, style);
  for (const [key, value] of Object.entries(properties)) {
    if (value !== undefined) setProperty(element, key, value);
  }
  element.append(...content);
  return element;
}

/** Links keep their address as a hint; following one would replace the frame. */
function setProperty(element: Element, key: string, value: unknown): void {
  if (key === 'href') {
    if (typeof value === 'string' && value !== '' && !value.startsWith('#'))
      element.setAttribute('title', value);
  } else if (!key.startsWith('on') && key !== 'innerHTML' && key !== 'srcdoc') {
    (element as unknown as Record<string, unknown>)[key] = value;
  }
}

/**
 * Marks of notes are numbered through the document and leave the text: drawn by style, they take no place in it. The
 * engine puts a bookmark before each.
 */
function markNotes(body: HTMLElement): void {
  const marks = [...body.querySelectorAll('span[id="lectern-note"]')];
  for (const mark of marks) {
    const number = mark.nextElementSibling?.querySelector('sup');
    if (number?.textContent) {
      number.setAttribute('data-note', number.textContent);
      number.textContent = '';
    }
    mark.remove();
  }
}
