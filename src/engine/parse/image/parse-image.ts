/** Which blocks does a picture hold, and where do they stand? */
import { ParseFailure, type Parser } from '../../document.ts';
import { marginKeys } from '../pdf/margins.ts';
import { partsOfPages } from '../pdf/page-flow.ts';
import type { WaitingPage } from '../pdf/page-parts.ts';
import { linesOfRecognised } from '../recognise/recognised-lines.ts';
import { type RecognisedPage, readRecognised } from '../recognise/recognised-page.ts';
import { noWordsFound, recognitionWarnings } from '../recognise/recognition-warnings.ts';
import { type ImagePage, readImage } from './read-image.ts';

/**
 * Blocks of a picture's words, once they were recognised; anchors are boxes in its pixels, set upright, from its lower
 * left corner. Throws ParseFailure: no-text (recognition is to come), empty (it holds no words), too-large, damaged.
 */
export const parseImage: Parser = async function* (file, signal) {
  const { pages, isCut } = await readImage(file);
  const recognised = await readRecognised(file.recognisedPath);
  const found = pages.flatMap((_, index) => recognised.get(index + 1) ?? []);
  const pagesToRecognise = pages.map((_, index) => index + 1).filter((page) => !recognised.has(page));
  yield { type: 'metadata', metadata: { kind: 'image', pages: pages.length, pagesToRecognise } };
  const read = (index: number) => pageOf(pages[index]!, index + 1, recognised.get(index + 1));
  const flow = { count: pages.length, pageCount: pages.length, outline: new Map(), signal };
  let hasText = false;
  for await (const part of partsOfPages(read, flow)) {
    hasText ||= part.type === 'block';
    yield part;
  }
  if (!hasText && pagesToRecognise.length > 0) {
    throw new ParseFailure(
      'no-text',
      `Picture not read: ${file.name}: its words are not recognised yet: wait until that is done`,
    );
  }
  if (!hasText) throw noWordsFound('Picture not read', file.name, found);
  yield* recognitionWarnings(found);
  if (isCut) {
    const message = `Read to page ${pages.length}: split the file to read the rest`;
    yield { type: 'warning', warning: { code: 'pages-over-limit', message } };
  }
};

function pageOf(
  { width, height }: ImagePage,
  page: number,
  recognised: RecognisedPage | undefined,
): WaitingPage {
  const shown = { visible: { x: 0, y: 0, width, height }, quarterTurns: 0 };
  const lines = recognised ? linesOfRecognised(recognised, shown) : [];
  return { page, across: [], lines, keys: marginKeys(lines), notes: [] };
}
