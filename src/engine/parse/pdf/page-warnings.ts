/** What became of a document's pages, and what is said of those that gave no text? */
import { pdf } from '../../config.ts';
import { ParseFailure, type Part, type SourceFile } from '../../document.ts';
import type { PageJudgement } from './judge-page.ts';

/** Pages by what became of them, 1-based. */
export class SeenPages {
  #withText = 0;
  readonly #empty: number[] = [];
  readonly #withoutText: number[] = [];
  readonly #badText: number[] = [];
  readonly #failed: number[] = [];
  readonly #cut: number[] = [];

  addFailed(page: number): void {
    this.#failed.push(page);
  }

  add(page: number, judgement: PageJudgement, hasText: boolean, isCut: boolean): void {
    if (hasText) this.#withText += 1;
    if (judgement === 'none') this.#empty.push(page);
    if (judgement === 'no-text') this.#withoutText.push(page);
    if (judgement === 'bad-text') this.#badText.push(page);
    if (isCut) this.#cut.push(page);
  }

  /** Metadata and warnings. Throws ParseFailure after them where no page gave text: damaged, no-text. */
  *parts(pageCount: number, attachments: string[], { name }: SourceFile): Generator<Part> {
    const pagesToRecognise = [...this.#withoutText, ...this.#badText].sort((a, b) => a - b);
    if (pagesToRecognise.length > 0) yield { type: 'metadata', metadata: { pagesToRecognise } };
    const silent = this.#withoutText.length + this.#empty.length;
    if (this.#withText === 0 && this.#failed.length > silent) {
      throw new ParseFailure(
        'damaged',
        `PDF not read: ${name}: none of its pages can be loaded: open and save it again`,
      );
    }
    if (this.#withText === 0) {
      throw new ParseFailure(
        'no-text',
        `PDF not read: ${name}: its pages are pictures without text: they need recognition`,
      );
    }
    yield* this.#warnings(pageCount);
    if (attachments.length > 0) {
      const listed = attachments.slice(0, maxNamed).join(', ');
      const rest = attachments.length > maxNamed ? ` and ${attachments.length - maxNamed} more` : '';
      yield warn('attachments', `Attached files not read: ${listed}${rest}: save them beside the document`);
    }
  }

  *#warnings(pageCount: number): Generator<Part> {
    const withoutText = [...this.#withoutText, ...this.#empty].sort((a, b) => a - b);
    if (withoutText.length > 0) {
      yield warn('no-text', `No text on ${named(withoutText)}: pictures need recognition`);
    }
    if (this.#badText.length > 0) {
      yield warn('bad-text', `Unreadable text on ${named(this.#badText)}: its letters need recognition`);
    }
    if (this.#failed.length > 0) {
      yield warn('pages-unreadable', `Not read: ${named(this.#failed)}: the page is damaged`);
    }
    if (this.#cut.length > 0) {
      const limit = pdf.maxCharactersPerPage;
      yield warn('pages-cut', `Read in part: ${named(this.#cut)}: more than ${limit} characters`);
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

/** "page 3", "pages 1–4, 7 and 12 more ranges". */
function named(pages: number[]): string {
  const ranges: string[] = [];
  for (let index = 0; index < pages.length; ) {
    let end = index;
    while (pages[end + 1] === pages[end]! + 1) end += 1;
    ranges.push(end === index ? `${pages[index]}` : `${pages[index]}–${pages[end]}`);
    index = end + 1;
  }
  const rest = ranges.length - maxNamed;
  const list = ranges.slice(0, maxNamed).join(', ');
  return `${pages.length === 1 ? 'page' : 'pages'} ${list}${rest > 0 ? ` and ${rest} more ranges` : ''}`;
}

const maxNamed = 20; // ranges of pages, files
