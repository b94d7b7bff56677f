/** Which parts does an open presentation yield? */
import type { DocumentKind } from '../../../api/types.ts';
import { ParseFailure, type Part, type SourceFile } from '../../document.ts';
import type { Deck, Shape } from './deck.ts';
import { SlideBlocks } from './slide-blocks.ts';

/** Titles that programs write by themselves and that name nothing. */
const EMPTY_TITLE =
  /^(powerpoint[ -]pr[eä]sentation|презентация(?: powerpoint)?|presentation|(?:slide|слайд|folie|diapositive|pp(?:t|pt)?) ?\d*|.*\.(?:pptx?|odp))$/i;

/** Closes the presentation at its end. Throws ParseFailure where no slide has words: no-text (pictures only), empty, damaged. */
export async function* deckParts(
  kind: DocumentKind,
  deck: Deck,
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  try {
    const { title, ...metadata } = deck.metadata;
    const named = title === undefined || EMPTY_TITLE.test(title) ? {} : { title };
    yield { type: 'metadata', metadata: { kind, ...metadata, ...named } };
    const blocks = new SlideBlocks();
    const damaged: number[] = [];
    let hasText = false;
    let hasPictures = false;
    for await (const slide of deck.slides()) {
      signal.throwIfAborted();
      if (slide.isDamaged) damaged.push(slide.number);
      hasPictures ||= slide.shapes.some(isPicture);
      for (const part of blocks.parts(slide)) {
        hasText ||= part.type === 'block';
        yield part;
      }
    }
    if (!hasText) throw nothing(file, damaged, hasPictures);
    if (damaged.length > 0) {
      const message = `${file.name}: slides that are broken were read in part: ${damaged.slice(0, 20).join(', ')}.`;
      yield { type: 'warning', warning: { code: 'damaged', message } };
    }
  } finally {
    deck.close();
  }
}

/** What stands on a layout is decoration. */
function isPicture({ picture, outline, children, isBackdrop }: Shape): boolean {
  if (children) return children.some(isPicture);
  return !isBackdrop && (picture !== undefined || outline?.fill?.type === 'picture');
}

function nothing(file: SourceFile, damaged: readonly number[], hasPictures: boolean): ParseFailure {
  const fail = (reason: 'damaged' | 'no-text' | 'empty', what: string): ParseFailure =>
    new ParseFailure(reason, `The presentation could not be read: ${file.name}: ${what}.`);
  if (damaged.length > 0) return fail('damaged', 'its slides are broken; get an intact copy');
  if (hasPictures) return fail('no-text', 'its slides hold pictures only, which need recognition');
  return fail('empty', 'there is no text in it');
}
