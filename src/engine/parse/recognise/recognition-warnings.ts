/** What is said of pages whose pictures were read? */
import type { Language } from '../../../api/types.ts';
import { ParseFailure, type Part } from '../../document.ts';
import { pagesInWords } from '../pdf/pages-in-words.ts';
import type { RecognisedPage } from './recognised-page.ts';

/** Warnings: text that comes from pictures may hold mistakes; marks that are no words of an installed language are not guessed. */
export function* recognitionWarnings(pages: RecognisedPage[]): Generator<Part> {
  const read = numbersOf(pages, ({ lines }) => lines.length > 0);
  const unreadable = numbersOf(pages, ({ fault }) => fault === 'unreadable');
  const failed = numbersOf(pages, ({ fault }) => fault === 'failed');
  if (read.length > 0) {
    yield warn(
      'recognised',
      `Recognised from pictures: ${pagesInWords(read)}: check the words in the original`,
    );
  }
  for (const language of new Set(pages.flatMap(({ foreign }) => foreign ?? []))) {
    const named = pagesInWords(numbersOf(pages, ({ foreign }) => foreign === language));
    const message = `Recognised without its language: ${named}: it seems to be ${names[language]}, which is not installed: letters may be wrong`;
    yield warn('recognised-without-language', message);
  }
  if (unreadable.length > 0) {
    yield warn('not-recognised', `No words recognised on ${pagesInWords(unreadable)}: ${unreadableWhy}`);
  }
  if (failed.length > 0) {
    yield warn(
      'recognition-failed',
      `The pictures of ${pagesInWords(failed)} could not be read: save them anew`,
    );
  }
}

const names: Record<Language, string> = {
  ...{ ru: 'Russian', en: 'English', pl: 'Polish', de: 'German', es: 'Spanish' },
  und: 'another language',
};

const unreadableWhy = 'the picture is too poor, or its language is none of those that are installed';

/** Recognition is done and there is nothing to search. `what` reads: "PDF not read". */
export function noWordsFound(what: string, name: string, pages: RecognisedPage[]): ParseFailure {
  if (pages.some(({ fault }) => fault === 'unreadable')) {
    return new ParseFailure('empty', `${what}: ${name}: no words were recognised: ${unreadableWhy}`);
  }
  if (pages.every(({ fault }) => fault === 'failed')) {
    return new ParseFailure('damaged', `${what}: ${name}: its pictures could not be read: save it anew`);
  }
  return new ParseFailure('empty', `${what}: ${name}: its pictures hold no words`);
}

function numbersOf(pages: RecognisedPage[], isMeant: (page: RecognisedPage) => boolean): number[] {
  return pages
    .filter(isMeant)
    .map(({ page }) => page)
    .sort((a, b) => a - b);
}

function warn(code: string, message: string): Part {
  return { type: 'warning', warning: { code, message } };
}
