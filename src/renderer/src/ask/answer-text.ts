/** How does an answer's text fall into lines, sentences and source numbers? */
import type { Answer, AnswerSentence } from '../../../api/types.ts';

/** A stretch of text, or the mark of a source in it. */
export type Piece = { kind: 'text'; text: string } | { kind: 'mark'; number: number };

const mark = /\s?\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;
/** What is left of a mark whose end never came. */
const halfMark = /\s?\[[\d,\s]{0,12}$/;

/**
 * The last word and the numbers after it are held back: a number that came later would take its word, already drawn, to
 * the next line, and "[1" would flash.
 */
const growing = /[^\s[]*(?:\s?\[[\d,\s]{0,12}\]?[^\s[\]]*)*\s*$/;

export const withoutMarks = (text: string): string => text.replace(mark, '');

/** Splits at `[n]` and `[n, m]`. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(mark)) {
    if (match.index > from) found.push({ kind: 'text', text: text.slice(from, match.index) });
    for (const number of match[1]?.split(',') ?? []) found.push({ kind: 'mark', number: Number(number) });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ kind: 'text', text: text.slice(from) });
  return found;
}

/** The lines of a text that is streaming, or that ended early. */
export function streamedLines(text: string, isOver: boolean): Piece[][] {
  return text
    .replace(isOver ? halfMark : growing, '')
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map(pieces);
}

/** A stretch of text whose last word stays on one line with the numbers that follow it. */
export interface MarkedStretch {
  text: string;
  /** The last word; empty where no number follows. */
  tail: string;
  numbers: number[];
}

export function withMarks(line: Piece[]): MarkedStretch[] {
  const found: MarkedStretch[] = [];
  for (const piece of line) {
    const last = found.at(-1);
    if (piece.kind === 'text') {
      found.push({ text: piece.text, tail: '', numbers: [] });
    } else if (last === undefined) {
      found.push({ text: '', tail: '', numbers: [piece.number] });
    } else {
      if (last.numbers.length === 0) {
        const at = last.text.lastIndexOf(' ') + 1;
        last.tail = last.text.slice(at);
        last.text = last.text.slice(0, at);
      }
      last.numbers.push(piece.number);
    }
  }
  return found;
}

/** A sentence in the answer, with its number among the sentences. */
export interface PlacedSentence {
  index: number;
  sentence: AnswerSentence;
  /** Its text without marks. */
  text: string;
}

/** The answer's sentences by paragraph: a line break in the whole text between two sentences begins a new one. */
export function paragraphs(answer: Pick<Answer, 'answer' | 'sentences'>): PlacedSentence[][] {
  const found: PlacedSentence[][] = [];
  const whole = withoutMarks(answer.answer);
  let from = 0;
  answer.sentences.forEach((sentence, index) => {
    const text = withoutMarks(sentence.text).trim();
    const opening = text.slice(0, 24);
    const at = whole.indexOf(opening, from);
    const isBroken = at >= 0 && whole.slice(from, at).includes('\n');
    if (at >= 0) from = at + opening.length;
    const last = found.at(-1);
    if (last === undefined || isBroken) found.push([{ index, sentence, text }]);
    else last.push({ index, sentence, text });
  });
  return found;
}

/** What is whole of a growing text beyond `from`, for reading aloud: sentences, and where the next one begins. */
export function wholeSentences(
  text: string,
  from: number,
  language: string,
  isOver: boolean,
): { sentences: string[]; next: number } {
  // Making a segmenter loads its tables: not before there is something to say.
  if (text.length === from) return { sentences: [], next: from };
  const segments = [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text.slice(from))];
  const whole = isOver ? segments : segments.slice(0, -1);
  const last = whole.at(-1);
  const next = last === undefined ? from : from + last.index + last.segment.length;
  return { sentences: whole.map(({ segment }) => segment.trim()).filter((segment) => segment !== ''), next };
}
