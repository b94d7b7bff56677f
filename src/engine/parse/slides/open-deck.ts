/** Which reader opens this presentation, and where are its pictures? */
import type { DocumentKind } from '../../../api/types.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import type { Deck } from './deck.ts';
import type { PictureShelf, ReadPicture } from './pictures.ts';

/** Throws ParseFailure as the parser of its kind does. */
export async function openDeck(
  kind: DocumentKind,
  file: SourceFile,
  signal: AbortSignal,
  shelf: PictureShelf,
): Promise<{ deck: Deck; readPicture: ReadPicture }> {
  if (kind === 'pptx') {
    const deck = await (await import('./pptx/package.ts')).openPptx(file, signal, shelf);
    return { deck, readPicture: fromArchive(deck.archive, signal) };
  }
  if (kind === 'odp') {
    const deck = await (await import('./odp/package.ts')).openOdp(file, signal, shelf);
    return { deck, readPicture: fromArchive(deck.archive, signal) };
  }
  if (kind === 'ppt') {
    const deck = await (await import('./ppt/package.ts')).openPpt(file, shelf);
    return { deck, readPicture: deck.readPicture };
  }
  throw new ParseFailure('unsupported', `Preparing a view failed: ${file.name}: ${kind} is no presentation.`);
}

/** One that is too large or broken is not shown; the slide is. */
function fromArchive(archive: ZipArchive, signal: AbortSignal): ReadPicture {
  return (address, maxBytes) =>
    archive.readWhole(address, maxBytes, signal).then(
      (bytes) => bytes,
      (error: unknown) => {
        if (error instanceof ParseFailure) return undefined;
        throw error;
      },
    );
}
