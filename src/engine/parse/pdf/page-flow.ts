/** How do pages become the parts of one document, with what runs from page to page? */
import { setImmediate } from 'node:timers/promises';
import { pdf } from '../../config.ts';
import type { Part } from '../../document.ts';
import { BodySize } from './body-size.ts';
import { KnownWords } from './hyphens.ts';
import type { Bookmark } from './outline.ts';
import { type Known, partsOfPage, type WaitingPage } from './page-parts.ts';
import { TableWriter } from './table-parts.ts';

interface FlowOptions {
  /** Pages that will come. */
  count: number;
  /** Pages of the whole document; more than `count` where it is cut. */
  pageCount: number;
  /** Bookmarks by page, 1-based. */
  outline: Map<number, Bookmark[]>;
  signal: AbortSignal;
}

/** Blocks and tables of pages in order; `read` gives a page by its index, 0-based, each once and in order. */
export async function* partsOfPages(
  read: (index: number) => Promise<WaitingPage> | WaitingPage,
  { count, pageCount, outline, signal }: FlowOptions,
): AsyncGenerator<Part> {
  const words = new KnownWords(pdf.maxKnownWords);
  const knows = (word: string): boolean => words.has(word);
  const body = new BodySize();
  const known: Known = { body, knows, writer: new TableWriter(knows), outline, pageCount };
  const pages: WaitingPage[] = [];
  for (let index = 0; index < count + pdf.marginWindow; index += 1) {
    signal.throwIfAborted();
    if (index < count) {
      const page = await read(index);
      for (const line of page.lines) {
        body.add(line);
        words.add(line.text);
      }
      pages.push(page);
      // Lets a cancel arrive: nothing below ever waits.
      if (index % 8 === 7) await setImmediate();
    }
    // The page before the window's end has all its neighbours now.
    const ready = index - pdf.marginWindow;
    const page = ready < 0 ? undefined : pages[Math.min(ready, pdf.marginWindow)];
    const others = pages.filter((other) => other !== page);
    if (page) yield* partsOfPage(page, others, known);
    if (ready >= pdf.marginWindow) pages.shift();
  }
}
