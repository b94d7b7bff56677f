/** Which blocks does a presentation (pptx, ppsx, pptm, potx) hold, and where do they stand? */
import type { Parser } from '../../document.ts';
import { deckParts } from './deck-parts.ts';
import { PictureShelf } from './pictures.ts';
import { openPptx } from './pptx/package.ts';

/** Slides in the order of the show, hidden ones too; speaker notes and comments behind each. */
export const parsePptx: Parser = async function* (file, signal) {
  yield* deckParts('pptx', await openPptx(file, signal, new PictureShelf()), file, signal);
};
