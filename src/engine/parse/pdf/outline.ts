/** Which headings do a document's bookmarks name, and which lines are they? */
import { pdf } from '../../config.ts';
import type { Line } from './lines.ts';
import type { RawPdfium } from './pdfium.ts';
import { cleanText, fetchText, type Memory } from './pdfium-text.ts';

export interface Bookmark {
  title: string;
  /** Depth in the tree, 1 to 9. */
  level: number;
}

const deepest = 9;
const mostLines = 3; // of one heading

/** Bookmarks by page, 1-based. Cycles end at the limit of entries. */
export function readOutline(raw: RawPdfium, memory: Memory, document: number): Map<number, Bookmark[]> {
  const pages = new Map<number, Bookmark[]>();
  let left: number = pdf.maxBookmarks;
  const read = (parent: number, level: number): void => {
    let mark = raw._FPDFBookmark_GetFirstChild!(document, parent);
    for (; mark !== 0 && left > 0; mark = raw._FPDFBookmark_GetNextSibling!(document, mark)) {
      left -= 1;
      const title = cleanText(
        fetchText(raw, memory, (buffer, bytes) => raw._FPDFBookmark_GetTitle!(mark, buffer, bytes)),
      );
      const page = pageOf(raw, document, mark);
      if (title !== '' && page >= 0) {
        const list = pages.get(page + 1) ?? [];
        list.push({ title, level });
        pages.set(page + 1, list);
      }
      if (level < deepest) read(mark, level + 1);
    }
  };
  read(0, 1);
  return pages;
}

function pageOf(raw: RawPdfium, document: number, mark: number): number {
  let destination = raw._FPDFBookmark_GetDest!(document, mark);
  if (destination === 0) {
    const action = raw._FPDFBookmark_GetAction!(mark);
    if (action !== 0) destination = raw._FPDFAction_GetDest!(document, action);
  }
  return destination === 0 ? -1 : raw._FPDFDest_GetDestPageIndex!(document, destination);
}

/** The level of each line that is a bookmark's title or a part of it. */
export function headingLines(lines: Line[], bookmarks: Bookmark[]): Map<Line, number> {
  const found = new Map<Line, number>();
  for (const { title, level } of bookmarks) {
    const wanted = bare(title);
    if (wanted === '') continue;
    const start = lines.findIndex(
      (line, at) => !found.has(line) && !line.table && endOf(lines, at, wanted) > 0,
    );
    if (start < 0) continue;
    for (const line of lines.slice(start, endOf(lines, start, wanted))) found.set(line, level);
  }
  return found;
}

/** Index after the lines from `start` that together read as the title; 0 where they don't. */
function endOf(lines: Line[], start: number, wanted: string): number {
  let text = '';
  for (let index = start; index < Math.min(start + mostLines, lines.length); index += 1) {
    text += bare(lines[index]!.text);
    if (text.length > wanted.length + longestNumber) return 0;
    if (text === wanted || (text.endsWith(wanted) && isNumber(text.slice(0, -wanted.length))))
      return index + 1;
  }
  return 0;
}

const longestNumber = 12; // UTF-16 units of a chapter's number, which bookmarks may leave out

const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
const isNumber = (text: string): boolean =>
  /^(?:\p{N}+|[ivxlc]+|(?:chapter|section|глава|раздел)\p{N}+)$/u.test(text);
