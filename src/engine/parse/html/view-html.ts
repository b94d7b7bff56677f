/** Which page is shown for a file of HTML? The cleaned tree of the parser, with every block's identifier written on it. */
import { serialize } from 'parse5';
import type { SourceFile } from '../../document.ts';
import { type Element, isText } from './clean-tree.ts';
import { numberBlocks } from './number-blocks.ts';
import { readHtml } from './read-html.ts';

/** HTML without scripts, hidden parts and anything that would be fetched; UTF-8. */
export async function viewHtml(file: SourceFile, signal: AbortSignal): Promise<string> {
  const { body, styles, metadata } = await readHtml(file, signal);
  const { ids } = numberBlocks(body);
  for (const [element, id] of ids) {
    element.attrs.push({ name: 'data-block', value: id });
    if (element.tagName === 'pre') keepFirstLineFeed(element);
  }
  const attributes = body.attrs.map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`).join('');
  const language = metadata.language ? ` lang="${metadata.language}"` : '';
  return `<!doctype html><html${language}><head><meta charset="utf-8"><style>${styles}</style></head><body${attributes}>${serialize(body)}</body></html>`;
}

/** A browser drops the first line feed in a `pre`; the parser's tree has lost its own already. */
function keepFirstLineFeed(element: Element): void {
  const [first] = element.childNodes;
  if (first && isText(first) && first.value.startsWith('\n')) first.value = `\n${first.value}`;
}

const escapeAttribute = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
