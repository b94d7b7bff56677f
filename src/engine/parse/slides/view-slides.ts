/** How are the slides of a presentation drawn? */
import type { DocumentKind } from '../../../api/types.ts';
import type { SourceFile } from '../../document.ts';
import { drawSlide, slidesPage } from './draw-slides.ts';
import { openDeck } from './open-deck.ts';
import { PictureShelf } from './pictures.ts';
import { SlideBlocks } from './slide-blocks.ts';

/** HTML with one section a slide; its elements carry the identifiers of the blocks' anchors. Throws what the parser throws. */
export async function viewSlides(kind: DocumentKind, file: SourceFile, signal: AbortSignal): Promise<string> {
  const shelf = new PictureShelf();
  const { deck, readPicture } = await openDeck(kind, file, signal, shelf);
  try {
    const blocks = new SlideBlocks();
    const read = [];
    for await (const slide of deck.slides()) {
      signal.throwIfAborted();
      for (const _part of blocks.parts(slide)) signal.throwIfAborted();
      read.push(slide);
    }
    const rules = await shelf.rules(readPicture);
    return slidesPage(
      read.map((slide) => drawSlide(slide, deck, rules)),
      rules,
    );
  } finally {
    deck.close();
  }
}
