/** Which blocks does an old PowerPoint presentation hold, and where do they stand? */
import type { Parser } from '../../document.ts';
import { deckParts } from './deck-parts.ts';
import { PictureShelf } from './pictures.ts';
import { openPpt } from './ppt/package.ts';

/** Slides in the order of the show, hidden ones too; speaker notes and comments behind each. */
export const parsePpt: Parser = async function* (file, signal) {
  yield* deckParts('ppt', await openPpt(file, new PictureShelf()), file, signal);
};
