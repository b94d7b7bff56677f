/** What became of a document's pages, and what is said of those that gave no text? */
import { pdf } from '../../config.ts';
import { ParseFailure, type Part, type SourceFile } from '../../document.ts';
import type { RecognisedPage } from '../recognise/recognised-page.ts';
import { noWordsFound, recognitionWarnings } from '../recognise/recognition-warnings.ts';
import type { PageJudgement } from './judge-page.ts';
import { pagesInWords } from './pages-in-words.ts';

/** Pages by what became of them, 1-based. */
export class SeenPages {
  #withText = 0;
  #empty = 0;
  readonly #withoutText: number[] = [];
  readonly #badText: number[] = [];
  readonly #failed: number[] = [];
  readonly #cut: number[] = [];
  readonly #recognised: RecognisedPage[] = [];

  addFailed(page: number): void {
    this.#failed.push(page);
  }

  /** `recognised` is given where the page's picture was read instead of its text. */
  add(
    page: number,
    judgement: PageJudgement,
    found: { hasText: boolean; isCut: boolean; recognised: RecognisedPage | undefined },
  ): void {
    if (found.hasText) this.#withText += 1;
    if (found.isCut) this.#cut.push(page);
    if (found.recognised) this.#recognised.push(found.recognised);
    else if (judgement === 'none') this.#empty += 1;
    else if (judgement === 'no-text') this.#withoutText.push(page);
    else if (judgement === 'bad-text') this.#badText.push(page);
  }

  /** Metadata and warnings. Throws ParseFailure after them where no page gave text: damaged, no-text (recognition is to come), empty. */
  *parts(pageCount: number, attachments: string[], { name }: SourceFile): Generator<Part> {
    const pagesToRecognise = [...this.#withoutText, ...this.#badText].sort((a, b) => a - b);
    if (pagesToRecognise.length > 0) yield { type: 'metadata', metadata: { pagesToRecognise } };
    if (this.#withText === 0) throw this.#withoutWords(pagesToRecognise.length, name);
    yield* this.#warnings(pageCount);
    if (attachments.length > 0) {
      const listed = attachments.slice(0, maxNamed).join(', ');
      const rest = attachments.length > maxNamed ? ` and ${attachments.length - maxNamed} more` : '';
      yield warn('attachments', `Attached files not read: ${listed}${rest}: save them beside the document`);
    }
  }

  #withoutWords(toRecognise: number, name: string): ParseFailure {
    const recognised = this.#recognised.length;
    if (this.#failed.length > toRecognise + this.#empty + recognised) {
      return new ParseFailure(
        'damaged',
        `PDF not read: ${name}: none of its pages can be loaded: open and save it again`,
      );
    }
    if (toRecognise > 0) {
      return new ParseFailure(
        'no-text',
        `PDF not read: ${name}: its pages are pictures without text: they need recognition`,
      );
    }
    if (recognised > 0) return noWordsFound('PDF not read', name, this.#recognised);
    return new ParseFailure('empty', `PDF not read: ${name}: nothing is written on its pages`);
  }

  *#warnings(pageCount: number): Generator<Part> {
    if (this.#withoutText.length > 0) {
      const message = `No text on ${pagesInWords(this.#withoutText)}: pictures need recognition`;
      yield warn('pages-without-text', message);
    }
    if (this.#badText.length > 0) {
      const message = `Unreadable text on ${pagesInWords(this.#badText)}: its letters need recognition`;
      yield warn('pages-with-bad-text', message);
    }
    yield* recognitionWarnings(this.#recognised);
    if (this.#failed.length > 0) {
      yield warn('pages-unreadable', `Not read: ${pagesInWords(this.#failed)}: the page is damaged`);
    }
    if (this.#cut.length > 0) {
      const limit = pdf.maxCharactersPerPage;
      yield warn('pages-cut', `Read in part: ${pagesInWords(this.#cut)}: more than ${limit} characters`);
    }
    if (pageCount > pdf.maxPages) {
      const message = `Read to page ${pdf.maxPages} of ${pageCount}: split the file to read the rest`;
      yield warn('pages-over-limit', message);
    }
  }
}

function warn(code: string, message: string): Part {
  return { type: 'warning', warning: { code, message } };
}

const maxNamed = 20; // attached files
