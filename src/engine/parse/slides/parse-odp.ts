/** Which blocks does an OpenDocument presentation hold, and where do they stand? */
import type { Parser } from '../../document.ts';
import { deckParts } from './deck-parts.ts';
import { openOdp } from './odp/package.ts';
import { PictureShelf } from './pictures.ts';

/** Pages in their order, hidden ones too; speaker notes and comments behind each. */
export const parseOdp: Parser = async function* (file, signal) {
  yield* deckParts('odp', await openOdp(file, signal, new PictureShelf()), file, signal);
};
