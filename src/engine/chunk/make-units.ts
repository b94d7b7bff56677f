/** Into which smallest pieces, never cut again, does a block fall? */
import { chunk as limits } from '../config.ts';
import type { Block } from '../document.ts';
import { sentences } from '../language/sentences.ts';
import { countWords } from './count-words.ts';

/** A sentence, a heading, or a whole function. */
export interface Unit {
  /** Half-open range in the document's text; white space at both ends is left out. */
  start: number;
  end: number;
  text: string;
  words: number;
  kind: 'sentence' | 'heading' | 'code';
  /** First unit of its block. */
  isBlockStart: boolean;
  /** Headings above it, outermost first; a heading's own path ends with itself. */
  path: string[];
  /** First and last page, where the format has pages. */
  pages?: { first: number; last: number };
}

/** UTF-16 units of text that count as a word at least; words of ordinary text have six. */
const LENGTH_OF_WORD = 25;

/** Units of one block that begins at `offset` of the document. A blank block has none. */
export function makeUnits(block: Block, offset: number, path: string[]): Unit[] {
  const units: Unit[] = [];
  for (const range of cutBlock(block)) {
    const raw = block.text.slice(range.start, range.end);
    const text = raw.trim();
    if (text === '') continue;
    const start = range.start + (raw.length - raw.trimStart().length);
    const unit: Unit = {
      start: offset + start,
      end: offset + start + text.length,
      text,
      // Endless words, such as encoded data, count by their length.
      words: Math.max(countWords(text), Math.ceil(text.length / LENGTH_OF_WORD)),
      kind: block.kind === 'heading' ? 'heading' : block.kind === 'code' ? 'code' : 'sentence',
      isBlockStart: units.length === 0,
      path,
    };
    const pages = pagesOf(block, start, start + text.length);
    if (pages) unit.pages = pages;
    units.push(unit);
  }
  return units;
}

function cutBlock(block: Block): { start: number; end: number }[] {
  const whole = [{ start: 0, end: block.text.length }];
  if (block.kind === 'heading') return whole;
  if (block.kind === 'code') return countWords(block.text) <= limits.maxWords ? whole : cutLines(block.text);
  return wholeSentences(block.text).flatMap((range) => cutLongSentence(block.text, range.start, range.end));
}

/** Sentences; where an endless one was cut inside a word, it is whole again, to be cut between graphemes. */
function wholeSentences(text: string): { start: number; end: number }[] {
  const whole: { start: number; end: number }[] = [];
  for (const { start, end } of sentences(unwrap(text))) {
    const last = whole.at(-1);
    const isCut = last?.end === start && last.end - last.start > limits.maxSentenceLength / 2;
    if (isCut && !/\s/.test(text.slice(start - 1, start + 1))) last.end = end;
    else whole.push({ start, end });
  }
  return whole;
}

/** Longer lines than this end where the page was full, not where the writer ended one. UTF-16 units. */
const WRAPPED_LINE = 50;

/** Line feeds after long lines as spaces: a sentence goes on there. Offsets stay. */
function unwrap(text: string): string {
  if (text.indexOf('\n') === text.length - 1) return text;
  let start = 0;
  return text.replace(/\n/g, (feed, at: number) => {
    const isLong = at - start >= WRAPPED_LINE;
    start = at + 1;
    return isLong && at < text.length - 1 ? ' ' : feed;
  });
}

/** Lists without full stops and other endless sentences: cut after white space, else between graphemes. */
function cutLongSentence(text: string, start: number, end: number): { start: number; end: number }[] {
  const most = limits.maxSentenceLength;
  const pieces: { start: number; end: number }[] = [];
  let from = start;
  while (end - from > most) {
    const window = text.slice(from, from + most);
    const space = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '), window.lastIndexOf('\t'));
    const cut = from + (space > most / 2 ? space + 1 : graphemeBoundary(text, from, from + most) - from);
    pieces.push({ start: from, end: cut });
    from = cut;
  }
  pieces.push({ start: from, end });
  return pieces;
}

/** Longest grapheme that is kept whole, UTF-16 units; a family emoji has eleven. */
const GRAPHEME_WINDOW = 64;

function graphemeBoundary(text: string, from: number, at: number): number {
  const windowStart = Math.max(from, at - GRAPHEME_WINDOW);
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let boundary = at;
  for (const { index } of segmenter.segment(text.slice(windowStart, at + GRAPHEME_WINDOW))) {
    if (windowStart + index > at) break;
    if (index > 0) boundary = windowStart + index;
  }
  return boundary > from ? boundary : at;
}

/** A function over the limit: cut at line ends, at a blank line where one is near. */
function cutLines(text: string): { start: number; end: number }[] {
  const pieces: { start: number; end: number }[] = [];
  let start = 0;
  let words = 0;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const isBlank = line.trim() === '';
    const lineWords = countWords(line);
    const isFull = words + lineWords > limits.targetWords || at + line.length - start > limits.maxCodeLength;
    if (at > start && (isFull || (isBlank && words > limits.targetWords * 0.7))) {
      pieces.push({ start, end: at });
      start = at;
      words = 0;
    }
    if (line.length > limits.maxCodeLength) {
      const cuts = cutLongSentence(text, at, at + line.length);
      pieces.push(...cuts.slice(0, -1));
      start = cuts.at(-1)!.start;
      words = countWords(text.slice(start, at + line.length));
    } else words += lineWords;
    at += line.length;
  }
  if (at > start) pieces.push({ start, end: at });
  return pieces;
}

function pagesOf(block: Block, start: number, end: number): { first: number; last: number } | undefined {
  let pages: { first: number; last: number } | undefined;
  for (const span of block.spans) {
    if (span.anchor.kind !== 'page') return undefined;
    if (span.end <= start || span.start >= end) continue;
    const { page } = span.anchor;
    pages = { first: Math.min(page, pages?.first ?? page), last: Math.max(page, pages?.last ?? page) };
  }
  return pages;
}
