/** Which paragraphs, headings and list items does a plain text hold? */
import { text as limits } from '../../config.ts';
import type { Parser, Part } from '../../document.ts';
import { blockOfLines, isBlank } from './block-of-lines.ts';
import { decodeText, type Line, readLines } from './decode-text.ts';

/** Longest line that may be a heading, UTF-16 units. */
const MAX_HEADING_LENGTH = 100;
/** Words that open a numbered part, in the languages that Lectern knows best. */
const PART_WORD =
  /^(?<word>part|chapter|article|section|clause|appendix|annex|schedule|teil|kapitel|artikel|abschnitt|anhang|часть|глава|статья|раздел|приложение|параграф|частина|стаття|розділ|додаток|część|rozdział|artykuł|dział|załącznik|capítulo|artículo|sección|anexo|§)\s*(№\s*)?([\divxlc]+(\.\d+)*|[a-zа-я])(?![\p{L}\p{N}])/iu;
const NUMBERED = /^(?<number>\d{1,3}(\.\d{1,3})*)[.)]?\s+(?=[\p{Lu}«"“„])/u;
const LIST_MARK = /^\s*([-–—*•◦▪●‣]|\(?\d{1,3}\)|\(?[a-zа-я]\))\s+\S/u;
const SENTENCE_END = /[.;,:!?…]\s*$/u;
const UNDERLINE = /^\s*(={3,}|-{3,})\s*$/;

/** Reads text in any of the encodings that decodeText knows, at constant memory. */
export const parseText: Parser = async function* (file, signal) {
  const { encoding, pieces } = await decodeText(file, signal);
  yield { type: 'metadata', metadata: { kind: 'text', encoding } };
  const reader = new TextReader();
  for await (const lines of readLines(pieces())) {
    for (const line of lines) if (!reader.goesOn(line)) yield* reader.read(line);
  }
  yield* reader.end();
};

/** Collects lines into paragraphs and decides, with one line of what follows, what each is. */
class TextReader {
  private lines: Line[] = [];
  private length = 0;
  private isFirst = true;
  /** A numbered line that stands alone; a heading unless its sibling follows at once. */
  private pending: Line[] | undefined;

  /** Takes a line that plainly continues the paragraph; most lines of large files do, and a generator for each costs more than all else. */
  goesOn(line: Line): boolean {
    const { lines } = this;
    const isInside = lines.length >= 2 && lines.length < limits.maxBlockLines;
    if (!isInside || this.length + line.text.length > limits.maxBlockLength) return false;
    if (isBlank(line) || (!lines.at(-1)!.isCut && LIST_MARK.test(line.text))) return false;
    lines.push(line);
    this.length += line.text.length + 1;
    return true;
  }

  *read(line: Line): Iterable<Part> {
    if (isBlank(line)) {
      yield* this.flush(true);
      return;
    }
    if (UNDERLINE.test(line.text) && this.lines.length === 1 && isShort(this.lines[0]!)) {
      yield* this.flushUnderlined(line);
      return;
    }
    const previous = this.lines.at(-1);
    if (this.lines.length > 0 && !previous?.isCut && LIST_MARK.test(line.text)) yield* this.flush();
    if (this.lines.length === 1 && startsClause(this.lines[0]!) && !startsClause(line)) {
      // A clause's heading directly above its text.
      const heading = this.lines;
      this.lines = [];
      this.length = 0;
      yield* this.settle(line);
      yield this.heading(heading);
    }
    if (this.length + line.text.length > limits.maxBlockLength || this.lines.length >= limits.maxBlockLines) {
      yield* this.flush();
    }
    this.lines.push(line);
    this.length += line.text.length + 1;
  }

  *end(): Iterable<Part> {
    yield* this.flush();
    yield* this.settle(undefined);
  }

  /** `isParted`: a blank line follows. */
  private *flush(isParted = false): Iterable<Part> {
    const lines = this.lines;
    if (lines.length === 0) return;
    this.lines = [];
    this.length = 0;
    yield* this.settle(lines[0]);
    const [first] = lines;
    if (lines.length === 1 && !first!.isCut) {
      if (startsClause(first!)) {
        this.pending = lines;
        this.isFirst = false;
        return;
      }
      if (this.isFirst && isParted && isTitle(first!)) {
        this.isFirst = false;
        yield { type: 'metadata', metadata: { title: first!.text.trim() } };
        yield { type: 'block', block: blockOfLines('title', lines) };
        return;
      }
      if (isShouted(first!)) {
        yield this.heading(lines);
        return;
      }
    }
    this.isFirst = false;
    yield {
      type: 'block',
      block: blockOfLines(LIST_MARK.test(first!.text) ? 'list-item' : 'paragraph', lines),
    };
  }

  /** The pending line is a heading unless what follows is the next item of the same list. */
  private *settle(next: Line | undefined): Iterable<Part> {
    const pending = this.pending;
    if (!pending) return;
    this.pending = undefined;
    if (!next || isSibling(pending[0]!, next))
      yield { type: 'block', block: blockOfLines('list-item', pending) };
    else yield this.heading(pending);
  }

  private *flushUnderlined(underline: Line): Iterable<Part> {
    const lines = [...this.lines, underline];
    this.lines = [];
    this.length = 0;
    yield* this.settle(lines[0]);
    if (this.isFirst) yield { type: 'metadata', metadata: { title: lines[0]!.text.trim() } };
    this.isFirst = false;
    const level = underline.text.trim().startsWith('=') ? 1 : 2;
    yield { type: 'block', block: blockOfLines('heading', lines, level) };
  }

  private heading(lines: Line[]): Part {
    this.isFirst = false;
    return { type: 'block', block: blockOfLines('heading', lines, headingLevel(lines[0]!.text.trim())) };
  }
}

function isShort(line: Line): boolean {
  const text = line.text.trim();
  return text.length > 0 && text.length <= MAX_HEADING_LENGTH;
}

/** "3.2 Termination", "Статья 5. Порядок расчётов": short, numbered, no sentence. */
function startsClause(line: Line): boolean {
  const text = line.text.trim();
  if (!isShort(line) || line.isCut) return false;
  if (PART_WORD.test(text)) return !/[;,:]$/.test(text) && text.split(/\s+/).length <= 14;
  return NUMBERED.test(text) && !SENTENCE_END.test(text) && text.split(/\s+/).length <= 10;
}

function headingLevel(text: string): number {
  const number = NUMBERED.exec(text)?.groups?.number;
  if (number) return Math.min(9, number.split('.').length + 1);
  const word = PART_WORD.exec(text)?.groups?.word?.toLowerCase();
  if (!word) return 1;
  return /^(article|section|clause|artikel|abschnitt|статья|параграф|стаття|artykuł|artículo|sección|§)$/.test(
    word,
  )
    ? 2
    : 1;
}

/** Items of one list: same depth of number, the second one higher, or both without one. */
function isSibling(first: Line, second: Line): boolean {
  const one = NUMBERED.exec(first.text.trim())?.groups?.number;
  const two = NUMBERED.exec(second.text.trim())?.groups?.number;
  if (!one || !two || one.includes('.') !== two.includes('.')) return false;
  return (
    one.split('.').length === two.split('.').length &&
    Number(two.split('.').at(-1)) === Number(one.split('.').at(-1)) + 1
  );
}

function isTitle(line: Line): boolean {
  return (
    isShort(line) &&
    !SENTENCE_END.test(line.text) &&
    /\p{L}{2}/u.test(line.text) &&
    !LIST_MARK.test(line.text)
  );
}

/** A short line in capitals only. */
function isShouted(line: Line): boolean {
  const text = line.text.trim();
  if (!isShort(line) || LIST_MARK.test(line.text) || /\p{Ll}/u.test(text)) return false;
  return (
    (text.match(/\p{Lu}/gu)?.length ?? 0) >= 4 &&
    /^[\p{Lu}\p{N}\s\p{P}№]+$/u.test(text) &&
    text.split(/\s+/).length <= 12
  );
}
