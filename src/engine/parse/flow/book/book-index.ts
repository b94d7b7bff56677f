/** Which chapters does an e-book have, in which order, and what does it say of itself? After EPUB 3.3 and OPF 2.0.1. */
import type { Language } from '../../../../api/types.ts';
import { book as limits } from '../../../config.ts';
import { type DocumentMetadata, ParseFailure, type SourceFile } from '../../../document.ts';
import { type Attributes, localName, readXml, type XmlListener } from '../../zip/read-xml.ts';
import type { ZipArchive } from '../../zip/zip-archive.ts';

export interface BookIndex {
  /** Names of the chapters' parts, in reading order. */
  chapters: string[];
  /** Titles from the table of contents, by part. */
  titles: ReadonlyMap<string, string>;
  /** Media types by part. */
  types: ReadonlyMap<string, string>;
  metadata: DocumentMetadata;
}

const languages = ['ru', 'en', 'pl', 'de', 'es'] as const satisfies readonly Language[];
/** Fonts are often scrambled by these, which protects nothing that is read. */
const FONT_ALGORITHM = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/** Throws ParseFailure: damaged, encrypted. */
export async function readBookIndex(
  archive: ZipArchive,
  file: SourceFile,
  signal: AbortSignal,
): Promise<BookIndex> {
  const container = new Elements();
  await readXml(archive, 'META-INF/container.xml', container, signal);
  const root = container.found.find(({ name }) => name === 'rootfile')?.attributes['full-path'];
  const elements = new Elements();
  const outcome = root === undefined ? 'absent' : await readXml(archive, root, elements, signal);
  if (root === undefined || outcome === 'absent') {
    throw failure('damaged', file, 'its list of chapters is missing: get an intact copy');
  }
  const items = new Map<string, { part: string; type: string; properties: string }>();
  for (const { name, attributes } of elements.found) {
    if (name !== 'item') continue;
    const part = resolvePart(root, attributes.href ?? '');
    items.set(attributes.id ?? '', {
      part,
      type: attributes['media-type'] ?? '',
      properties: attributes.properties ?? '',
    });
  }
  const chapters = elements.found
    .filter(({ name }) => name === 'itemref')
    .flatMap(({ attributes }) => items.get(attributes.idref ?? '')?.part ?? [])
    .slice(0, limits.maxChapters);
  await refuseProtected(archive, chapters, file, signal);
  const all = [...items.values()];
  const contents =
    all.find(({ properties }) => properties.split(' ').includes('nav')) ??
    all.find(({ type }) => type.includes('dtbncx'));
  return {
    chapters: [...new Set(chapters)],
    titles: contents ? await readTitles(archive, contents.part, signal) : new Map(),
    types: new Map(all.map(({ part, type }) => [part, type])),
    metadata: readMetadata(elements.found),
  };
}

/** Name of a part that an address in another part leads to, without its fragment; never out of the archive. */
export function resolvePart(from: string, address: string): string {
  const path = address.replace(/[#?].*$/s, '');
  const full = path.startsWith('/')
    ? path
    : `${from.slice(0, from.lastIndexOf('/') + 1)}${decodeAddress(path)}`;
  const steps: string[] = [];
  for (const step of full.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function decodeAddress(path: string): string {
  return path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

/** The book's words are under a licence's lock. */
async function refuseProtected(
  archive: ZipArchive,
  chapters: string[],
  file: SourceFile,
  signal: AbortSignal,
): Promise<void> {
  const elements = new Elements();
  await readXml(archive, 'META-INF/encryption.xml', elements, signal);
  let algorithm = '';
  for (const { name, attributes } of elements.found) {
    if (name === 'EncryptionMethod') algorithm = attributes.Algorithm ?? '';
    const isLocked = name === 'CipherReference' && !FONT_ALGORITHM.test(algorithm);
    if (isLocked && chapters.includes(resolvePart('', attributes.URI ?? ''))) {
      throw failure('encrypted', file, 'it is protected by its seller: open it in their program');
    }
  }
}

/** The first entry of the contents that leads to each part. */
async function readTitles(
  archive: ZipArchive,
  part: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const elements = new Elements();
  await readXml(archive, part, elements, signal);
  const titles = new Map<string, string>();
  let text = '';
  for (const element of elements.found) {
    // In an NCX the name stands before the address, in a navigation page inside its link.
    if (element.name === 'text') text = element.text;
    const address =
      element.name === 'content'
        ? element.attributes.src
        : element.name === 'a'
          ? element.attributes.href
          : undefined;
    const title = element.name === 'a' ? element.text : text;
    if (address === undefined || title === '') continue;
    const target = resolvePart(part, address);
    if (!titles.has(target)) titles.set(target, title);
  }
  return titles;
}

function readMetadata(elements: readonly FoundElement[]): DocumentMetadata {
  const metadata: DocumentMetadata = {};
  for (const { name, text } of elements) {
    if (text === '') continue;
    if (name === 'title' && !/^untitled/i.test(text)) metadata.title ??= text;
    else if (name === 'creator') metadata.author ??= text;
    else if (name === 'date') {
      const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
      if (day && !Number.isNaN(Date.parse(day))) metadata.date ??= day;
    } else if (name === 'language') {
      const language = languages.find((known) => text.toLowerCase().startsWith(known));
      if (language) metadata.language ??= language;
    }
  }
  return metadata;
}

interface FoundElement {
  /** Without its prefix. */
  name: string;
  attributes: Attributes;
  /** All text in it, white space collapsed. */
  text: string;
}

/** Keeps every element of a small part. */
class Elements implements XmlListener {
  readonly found: FoundElement[] = [];
  readonly #open: FoundElement[] = [];

  open(name: string, attributes: Attributes): void {
    const element = { name: localName(name), attributes, text: '' };
    this.#open.push(element);
    if (this.found.length < limits.maxIndexElements) this.found.push(element);
  }

  close(): void {
    const element = this.#open.pop();
    if (element) element.text = element.text.replaceAll(/\s+/gu, ' ').trim().normalize('NFC');
  }

  text(text: string): void {
    for (const element of this.#open.slice(-4)) {
      if (element.text.length < limits.maxTitleLength) element.text += text;
    }
  }
}

function failure(reason: 'damaged' | 'encrypted', file: SourceFile, what: string): ParseFailure {
  return new ParseFailure(reason, `The book could not be read: ${file.name}: ${what}.`);
}
