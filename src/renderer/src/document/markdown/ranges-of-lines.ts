/** Which places of a rendered Markdown text are its cited lines? */
import type { Anchor, LinesAnchor } from '../../../../api/anchor.ts';
import { rangeInElement } from '../frame/light-ranges.ts';
import { findQuote } from '../text/find-quote.ts';

interface LineBlock {
  element: Element;
  from: number;
  to: number;
}

/** Ranges of the innermost blocks on the cited lines; of their text only the quote's words, where they are found. */
export function rangesOfLines(body: Element, anchors: Anchor[], quote: string): Range[] {
  const lines = anchors.filter((anchor): anchor is LinesAnchor => anchor.kind === 'lines');
  const blocks = innermost(body).filter((block) =>
    lines.some(({ from, to }) => block.from <= to && block.to >= from),
  );
  if (blocks.length === 0) return [];
  const texts = blocks.map(({ element }) => element.textContent ?? '');
  const found = findQuote(texts.join('\n'), quote);
  let start = 0;
  return blocks.flatMap(({ element, from, to }, i) => {
    const length = texts[i]!.length;
    const own = found
      ? { start: Math.max(0, found.start - start), end: Math.min(length, found.end - start) }
      : wholeOrLines(texts[i]!, from, to, lines, element);
    start += length + 1;
    return own.end > own.start ? (rangeInElement(element, own.start, own.end) ?? []) : [];
  });
}

/** Of code, the cited lines; of other blocks, all. */
function wholeOrLines(
  text: string,
  from: number,
  to: number,
  lines: LinesAnchor[],
  element: Element,
): { start: number; end: number } {
  const rows = text.replace(/\n$/, '').split('\n');
  const isCode = element.tagName === 'CODE' || element.tagName === 'PRE';
  if (!isCode) return { start: 0, end: text.length };
  // A fence has its marks on the lines around its text.
  const firstLine = rows.length === to - from + 1 ? from : from + 1;
  let [start, end, position] = [text.length, 0, 0];
  rows.forEach((row, i) => {
    const line = firstLine + i;
    if (lines.some((anchor) => line >= anchor.from && line <= anchor.to)) {
      start = Math.min(start, position);
      end = position + row.length;
    }
    position += row.length + 1;
  });
  return { start, end };
}

/** Blocks with source lines that hold no others. */
function innermost(body: Element): LineBlock[] {
  return [...body.querySelectorAll('[data-line]')]
    .filter((element) => !element.querySelector('[data-line]'))
    .map((element) => {
      const [from, to] = element.getAttribute('data-line')!.split('-').map(Number);
      return { element, from: from!, to: to! };
    });
}
