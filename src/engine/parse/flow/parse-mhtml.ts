/** Which blocks does a web archive hold, and where do they stand? Its pages are read as one, the first on top. */
import { readFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { mime as limits } from '../../config.ts';
import { type DocumentMetadata, ParseFailure, type Parser, type SourceFile } from '../../document.ts';
import { parseHtml } from '../html/parse-html.ts';
import { viewHtml } from '../html/view-html.ts';
import { toIconvName } from '../text/code-pages.ts';
import { detectEncoding } from '../text/detect-encoding.ts';
import { joinPages, type PagePart } from './book/page-parts.ts';
import { type MimePart, readMimeParts } from './mime/mime-parts.ts';

export const parseMhtml: Parser = async function* (file, signal) {
  const { page, metadata } = await readArchive(file, false);
  yield { type: 'metadata', metadata: { kind: 'mhtml', ...metadata } };
  for await (const part of parseHtml(page, signal)) if (part.type !== 'metadata') yield part;
};

/** The same page with the pictures of the archive. */
export async function viewMhtml(file: SourceFile, signal: AbortSignal): Promise<string> {
  return viewHtml((await readArchive(file, true)).page, signal);
}

async function readArchive(
  file: SourceFile,
  hasPictures: boolean,
): Promise<{ page: SourceFile; metadata: DocumentMetadata }> {
  if (file.sizeBytes > limits.maxBytes) {
    throw failure('too-large', file, 'it is larger than the limit for web archives: save the page as PDF');
  }
  const { headers, parts } = readMimeParts(file.bytes ? Buffer.from(file.bytes) : await readFile(file.path));
  const pages = parts.filter(({ type }) => type === 'text/html' || type === 'application/xhtml+xml');
  if (pages.length === 0) throw failure('damaged', file, 'there is no page in it: save the page again');
  const texts = pages.map(decodePage);
  const html = await joinPages(pageParts(texts, pages, parts, hasPictures));
  const bytes = Buffer.from(html, 'utf8');
  const title = /<title[^>]*>([^<]{1,500})<\/title>/i.exec(texts[0]!)?.[1]?.replaceAll(/\s+/gu, ' ').trim();
  const time = Date.parse(headers.get('date') ?? '');
  return {
    page: { path: file.path, name: file.name, sizeBytes: bytes.length, bytes },
    metadata: {
      ...(title ? { title } : {}),
      ...(Number.isNaN(time) ? {} : { date: new Date(time).toISOString().slice(0, 10) }),
    },
  };
}

async function* pageParts(
  texts: string[],
  pages: MimePart[],
  parts: MimePart[],
  hasPictures: boolean,
): AsyncGenerator<PagePart> {
  const byAddress = new Map(
    parts.flatMap((part) => part.addresses.map((address) => [address, part] as const)),
  );
  for (const [at, html] of texts.entries()) {
    const base = pages[at]!.addresses[0] ?? '';
    const findPicture = async (address: string) => {
      const full = URL.canParse(address, base) ? new URL(address, base).href : address;
      return byAddress.get(address.replace(/^cid:/i, '')) ?? byAddress.get(full);
    };
    yield { html, ...(hasPictures ? { findPicture } : {}) };
  }
}

/** As the part's header says, else as the page declares, else by its bytes. */
function decodePage({ bytes, charset }: MimePart): string {
  const head = bytes.toString('latin1', 0, 4_096);
  const declared = charset || (/<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ?? '');
  const name = toIconvName(declared.toLowerCase());
  const detected = detectEncoding(bytes.subarray(0, limits.sampleBytes))?.encoding ?? 'utf-8';
  return iconv.decode(bytes, name !== '' && iconv.encodingExists(name) ? name : toIconvName(detected));
}

function failure(reason: 'too-large' | 'damaged', file: SourceFile, what: string): ParseFailure {
  return new ParseFailure(reason, `The page could not be read: ${file.name}: ${what}.`);
}
