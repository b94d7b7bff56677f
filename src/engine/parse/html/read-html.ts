/** Which tree, metadata and encoding does a file of HTML have? */
import { open } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Language } from '../../../api/types.ts';
import { html as limits } from '../../config.ts';
import { type DocumentMetadata, ParseFailure, type SourceFile } from '../../document.ts';
import { toIconvName } from '../text/code-pages.ts';
import { detectEncoding } from '../text/detect-encoding.ts';
import { attribute, cleanTree, type Element, isElement, isText } from './clean-tree.ts';

export interface HtmlPage {
  /** The cleaned tree. */
  root: Element;
  body: Element;
  styles: string;
  metadata: DocumentMetadata;
  /** Only a part was read. */
  isCut: boolean;
}

/** Reads, decodes, parses and cleans a page. Throws ParseFailure where there is no text at all. */
export async function readHtml(file: SourceFile, signal: AbortSignal): Promise<HtmlPage> {
  const bytes = file.bytes ?? (await readStart(file.path));
  signal.throwIfAborted();
  const { text, encoding } = decodeHtml(bytes, file);
  const end = endOfTags(text);
  const document = parse(text.slice(0, end));
  const root = document.childNodes.find(
    (node): node is Element => isElement(node) && node.tagName === 'html',
  );
  const metadata = { kind: 'html' as const, encoding, ...(root ? readMetadata(root) : {}) };
  const body = root?.childNodes.find((node): node is Element => isElement(node) && node.tagName === 'body');
  if (!root || !body) {
    throw new ParseFailure(
      'empty',
      `Nothing to read: ${file.name}: the page has no body; open the pages that it frames.`,
    );
  }
  const { styles, isCut } = cleanTree(root);
  return {
    root,
    body,
    styles,
    metadata,
    isCut: isCut || end < text.length || file.sizeBytes > limits.maxBytes,
  };
}

/** Where the last tag within the limit begins; the text's end for all but machine-made pages. */
function endOfTags(text: string): number {
  let at = -1;
  for (let count = 0; count <= limits.maxTags; count++) {
    at = text.indexOf('<', at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

async function readStart(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.allocUnsafe(Math.min(size, limits.maxBytes));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** By mark, then as the page declares unless its bytes contradict that, then by detection. */
function decodeHtml(bytes: Uint8Array, file: SourceFile): { text: string; encoding: string } {
  const detected = detectEncoding(bytes.subarray(0, 64 * 1024));
  if (!detected) {
    throw new ParseFailure(
      'damaged',
      `The page could not be read: ${file.name}: its content is binary; get an intact copy.`,
    );
  }
  if (
    detected.markBytes > 0 ||
    detected.encoding.startsWith('utf-16') ||
    detected.encoding.startsWith('utf-32')
  ) {
    return {
      text: decode(bytes.subarray(detected.markBytes), detected.encoding),
      encoding: detected.encoding,
    };
  }
  const declared = declaredEncoding(bytes);
  const hasHigh = bytes.some((byte) => byte >= 0x80);
  // Pages that are UTF-8 but say otherwise are common; bytes that only happen to be valid UTF-8 are not.
  const isContradicted = hasHigh && (detected.encoding === 'utf-8') !== (declared === 'utf-8');
  const encoding =
    declared && !(isContradicted && (declared === 'utf-8' || detected.encoding === 'utf-8'))
      ? declared
      : detected.encoding;
  return { text: decode(bytes, encoding), encoding };
}

/** The label of a `meta` or of an XML declaration, as an encoding that can be decoded. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4_096)).toString('latin1');
  const label =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1];
  if (!label) return undefined;
  const name = label.toLowerCase();
  // A page that could be read up to its declaration is not written in two bytes a letter, whatever it says.
  if (name.startsWith('utf-16') || name.startsWith('utf-32')) return 'utf-8';
  const known: Record<string, string> = {
    utf8: 'utf-8',
    'iso-8859-1': 'windows-1252',
    latin1: 'windows-1252',
    'us-ascii': 'windows-1252',
  };
  const encoding = known[name] ?? name;
  return iconv.encodingExists(toIconvName(encoding)) ? encoding : undefined;
}

function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'utf-8') return new TextDecoder('utf-8').decode(bytes);
  return iconv.decode(bytes, toIconvName(encoding));
}

function readMetadata(root: Element): DocumentMetadata {
  const metadata: DocumentMetadata = {};
  const language = toLanguage(attribute(root, 'lang') ?? attribute(root, 'xml:lang'));
  if (language) metadata.language = language;
  const head = root.childNodes.find((node): node is Element => isElement(node) && node.tagName === 'head');
  for (const node of head?.childNodes ?? []) {
    if (!isElement(node)) continue;
    if (node.tagName === 'title' && !metadata.title) {
      const title = textOf(node).replace(/\s+/g, ' ').trim();
      if (title !== '') metadata.title = title;
    }
    if (node.tagName === 'meta') readMeta(node, metadata);
  }
  return metadata;
}

function readMeta(element: Element, metadata: DocumentMetadata): void {
  const name = (
    attribute(element, 'name') ??
    attribute(element, 'property') ??
    attribute(element, 'http-equiv') ??
    ''
  ).toLowerCase();
  const content = attribute(element, 'content')?.trim();
  if (!content) return;
  if (/^(author|dc\.creator|dcterms\.creator|article:author)$/.test(name)) metadata.author ??= content;
  if (
    /^(date|dc\.date|dcterms\.(date|created|modified)|article:(published|modified)_time|last-modified)$/.test(
      name,
    )
  ) {
    const date = toIsoDate(content);
    if (date) metadata.date ??= date;
  }
  if (name === 'content-language' || name === 'language') {
    const language = toLanguage(content);
    if (language) metadata.language ??= language;
  }
}

/** Calendar day of a date as metadata gives it; undefined when it is none. */
function toIsoDate(text: string): string | undefined {
  const plain = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (plain) return plain[0];
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

function toLanguage(tag: string | undefined): Language | undefined {
  const primary = tag?.trim().slice(0, 2).toLowerCase();
  return (['ru', 'en', 'pl', 'de', 'es'] as const).find((language) => language === primary);
}

function textOf(element: Tree.ParentNode): string {
  return element.childNodes
    .map((node) => (isText(node) ? node.value : isElement(node) ? textOf(node) : ''))
    .join('');
}
