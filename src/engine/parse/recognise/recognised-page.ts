/** Which words were recognised on a page's picture, and how are they kept between runs? */
import { readFile } from 'node:fs/promises';
import type { Language } from '../../../api/types.ts';

export interface RecognisedWord {
  text: string;
  /** Left, top, right, bottom in the picture's pixels, from its upper left corner. */
  box: [number, number, number, number];
}

/** All in the picture's pixels. */
export interface RecognisedLine {
  words: RecognisedWord[];
  /** Where the letters stand: x and y at the left end, then at the right one. */
  baseline: [number, number, number, number];
  /** Height of its letters above the baseline and below it. */
  above: number;
  below: number;
}

/** What one page's picture says. */
export interface RecognisedPage {
  /** 1-based. */
  page: number;
  /** Size of the picture in pixels, turned as below. */
  width: number;
  height: number;
  /** Quarter turns, clockwise, that set the page as shown upright. */
  turns: number;
  /** In reading order; none where the picture holds no words. */
  lines: RecognisedLine[];
  /** Language that its words are in though it is not installed: letters of its own are mistaken. */
  foreign?: Language;
  /** unreadable: marks that make no words of an installed language. failed: the picture could not be drawn or read. */
  fault?: 'unreadable' | 'failed';
}

/** One line of the file that keeps them: a page is written once it is done, so that a later run goes on behind it. */
export function toRecord(page: RecognisedPage): string {
  return `${JSON.stringify(page)}\n`;
}

/** Pages by number; empty where nothing was recognised. A line that was cut by a crash is left out: its page is done again. */
export async function readRecognised(path: string | undefined): Promise<Map<number, RecognisedPage>> {
  const pages = new Map<number, RecognisedPage>();
  if (path === undefined) return pages;
  for (const line of (await readIfThere(path)).split('\n')) {
    const page = fromRecord(line);
    if (page) pages.set(page.page, page);
  }
  return pages;
}

function fromRecord(line: string): RecognisedPage | undefined {
  if (!line.endsWith('}')) return undefined;
  try {
    return JSON.parse(line) as RecognisedPage;
  } catch {
    return undefined;
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
