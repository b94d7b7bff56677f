/** What does a picture file hold: how many pages, how large, which way up? */
import { readFile } from 'node:fs/promises';
import { imageSize } from 'image-size';
import { image as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { isTiff, readTiffPages, tiffOfPage } from './tiff-pages.ts';

/** One page, set upright. */
export interface ImagePage {
  /** Pixels. */
  width: number;
  height: number;
  /** EXIF orientation of what is stored, 1 to 8. */
  orientation: number;
}

export interface ImageFile {
  bytes: Uint8Array;
  pages: ImagePage[];
  /** Pages that the file has and that are not taken. */
  isCut: boolean;
  /** A picture file of one page, 1-based. */
  pageBytes(page: number): Uint8Array;
}

/** Reads a picture file without unpacking it. Throws ParseFailure: too-large, damaged, unsupported. */
export async function readImage(file: SourceFile): Promise<ImageFile> {
  if (file.sizeBytes > limits.maxBytes) throw tooLarge(file, `over ${limits.maxBytes / 1024 ** 2} MB`);
  const bytes = file.bytes ?? (await readFile(file.path));
  const { pages, isCut } = isTiff(bytes)
    ? tiffPages(bytes, file)
    : { pages: [onePage(bytes, file)], isCut: false };
  for (const { width, height } of pages) {
    if (!(width > 0 && height > 0)) throw damaged(file);
    // A small file can ask for terabytes: nothing is unpacked before this is known.
    if (width * height > limits.maxPixels) {
      throw tooLarge(file, `${width} × ${height} pixels, over ${limits.maxPixels / 1_000_000} million`);
    }
  }
  const first = pages.length === 1 && !isTiff(bytes);
  return { bytes, pages, isCut, pageBytes: (page) => (first ? bytes : tiffOfPage(bytes, page)) };
}

function tiffPages(bytes: Uint8Array, file: SourceFile): { pages: ImagePage[]; isCut: boolean } {
  const { pages, isCut } = readTiffPages(bytes, limits.maxPages);
  if (pages.length === 0) throw damaged(file);
  return { pages: pages.map(upright), isCut };
}

function onePage(bytes: Uint8Array, file: SourceFile): ImagePage {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    return upright({ width, height, orientation });
  } catch (cause) {
    throw damaged(file, cause);
  }
}

/** Orientations from 5 lie on their side. */
function upright({ width, height, orientation }: ImagePage): ImagePage {
  const known = orientation >= 1 && orientation <= 8 ? orientation : 1;
  return known >= 5
    ? { width: height, height: width, orientation: known }
    : { width, height, orientation: known };
}

function damaged(file: SourceFile, cause?: unknown): ParseFailure {
  const message = `Picture not read: ${file.name}: its content breaks the rules of its format: save it anew`;
  return new ParseFailure('damaged', message, { cause });
}

function tooLarge(file: SourceFile, why: string): ParseFailure {
  return new ParseFailure('too-large', `Picture not read: ${file.name}: it has ${why}: save it smaller`);
}
