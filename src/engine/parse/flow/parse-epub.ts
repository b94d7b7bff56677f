/** Which blocks does an e-book hold, and where do they stand? Its chapters are read as one page, in reading order. */
import { book as limits } from '../../config.ts';
import { type DocumentMetadata, ParseFailure, type Parser, type SourceFile } from '../../document.ts';
import { parseHtml } from '../html/parse-html.ts';
import { viewHtml } from '../html/view-html.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { type BookIndex, readBookIndex, resolvePart } from './book/book-index.ts';
import { joinPages, type PagePart } from './book/page-parts.ts';

interface Book {
  page: SourceFile;
  metadata: DocumentMetadata;
  /** Chapters were left out. */
  isCut: boolean;
}

export const parseEpub: Parser = async function* (file, signal) {
  const { page, metadata, isCut } = await readBook(file, signal, false);
  yield { type: 'metadata', metadata: { kind: 'epub', ...metadata } };
  if (isCut) {
    const message = `${file.name}: the book is over the limit on size; its last chapters were left out.`;
    yield { type: 'warning', warning: { code: 'too-large', message } };
  }
  for await (const part of parseHtml(page, signal)) if (part.type !== 'metadata') yield part;
};

/** The same page with the book's pictures. */
export async function viewEpub(file: SourceFile, signal: AbortSignal): Promise<string> {
  return viewHtml((await readBook(file, signal, true)).page, signal);
}

async function readBook(file: SourceFile, signal: AbortSignal, hasPictures: boolean): Promise<Book> {
  const archive = await ZipArchive.open(file);
  try {
    const index = await readBookIndex(archive, file, signal);
    const reading = { archive, index, signal, hasPictures, isCut: false };
    const html = await joinPages(chapters(reading));
    if (!index.chapters.some((part) => archive.has(part))) {
      throw new ParseFailure(
        'damaged',
        `The book could not be read: ${file.name}: its chapters are missing: get an intact copy.`,
      );
    }
    const bytes = Buffer.from(html, 'utf8');
    return {
      page: { path: file.path, name: file.name, sizeBytes: bytes.length, bytes },
      metadata: index.metadata,
      isCut: reading.isCut,
    };
  } finally {
    archive.close();
  }
}

interface Reading {
  archive: ZipArchive;
  index: BookIndex;
  signal: AbortSignal;
  hasPictures: boolean;
  isCut: boolean;
}

async function* chapters(reading: Reading): AsyncGenerator<PagePart> {
  const { archive, index, signal, hasPictures } = reading;
  let bytes = 0;
  for (const part of index.chapters) {
    const content = await archive.readWhole(part, limits.maxChapterBytes, signal);
    if (!content) continue;
    bytes += content.length;
    if (bytes > limits.maxBytes) {
      reading.isCut = true;
      return;
    }
    const title = index.titles.get(part);
    const findPicture = async (address: string) => {
      const name = resolvePart(part, address);
      const found = await archive.readWhole(name, limits.maxPictureBytes, signal);
      return found && { type: index.types.get(name) ?? '', bytes: found };
    };
    yield {
      html: decodePage(content),
      ...(title === undefined ? {} : { title }),
      ...(hasPictures ? { findPicture } : {}),
    };
  }
}

/** Books are UTF-8 or UTF-16 by their standard. */
function decodePage(bytes: Buffer): string {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
}
