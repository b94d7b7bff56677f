/** Where are the words of a text, and in which form are they compared? */
import { fold } from './fold.ts';

/** A word with its half-open range in the original text, UTF-16 units. */
export interface Word {
  start: number;
  end: number;
  /** Folded, see fold. Never empty; letters, digits and marks only. */
  word: string;
}

const separator = 0;
/** Letters, digits and marks that fold to themselves. */
const plain = 1;
/** Letters, digits and marks that need folding. */
const other = 2;
/** Han and kana: written without spaces, so each is a word of its own. */
const ideograph = 3;
/** Joins two letters into one word and is dropped: apostrophes. */
const apostrophe = 4;
/** Dropped wherever it stands inside a word: soft hyphen, joiners. */
const ignorable = 5;
const surrogate = 6;

const wordCharacter = /[\p{L}\p{N}\p{M}]/u;
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const notWord = /[^\p{L}\p{N}\p{M}]+/u;

function classify(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return surrogate;
  if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)) return plain;
  if (unit >= 0x430 && unit <= 0x44f) return plain;
  if (unit === 0x27 || unit === 0x2019 || unit === 0x2bc) return apostrophe;
  if (unit === 0xad || unit === 0x200c || unit === 0x200d || unit === 0x2060) return ignorable;
  const character = String.fromCharCode(unit);
  if (!wordCharacter.test(character)) return separator;
  return ideographic.test(character) ? ideograph : other;
}

/** One class for each UTF-16 unit: a look-up is ten times as fast as a regular expression per character. */
const classes = Uint8Array.from({ length: 0x10000 }, (_, unit) => classify(unit));

/** Length of the word character at `at`: 1, 2 for one outside the basic plane, 0 for none. */
function lengthAt(text: string, at: number): number {
  const kind = classes[text.charCodeAt(at)];
  if (kind === plain || kind === other) return 1;
  if (kind !== surrogate) return 0;
  const point = text.codePointAt(at)!;
  return point > 0xffff && wordCharacter.test(String.fromCodePoint(point)) ? 2 : 0;
}

/** Reads one word from `start`; returns its end and whether every character is plain. */
function readWord(text: string, start: number): { end: number; isPlain: boolean } {
  let end = start;
  let isPlain = true;
  for (let at = start; at < text.length; ) {
    const kind = classes[text.charCodeAt(at)]!;
    if (kind === plain) {
      end = ++at;
    } else if (kind === other) {
      isPlain = false;
      end = ++at;
    } else if (kind === ignorable || kind === apostrophe) {
      // Only between two word characters; a trailing one belongs to the punctuation.
      if (at + 1 >= text.length || lengthAt(text, at + 1) === 0) break;
      isPlain = false;
      at++;
    } else if (kind === surrogate) {
      const length = lengthAt(text, at);
      if (length === 0) break;
      isPlain = false;
      at += length;
      end = at;
    } else break;
  }
  return { end, isPlain };
}

/** Calls `visit` for each word in order; the bare loop beneath `words` and the index. */
export function eachWord(text: string, visit: (word: string, start: number, end: number) => void): void {
  for (let at = 0; at < text.length; ) {
    const kind = classes[text.charCodeAt(at)]!;
    if (kind === ideograph) {
      visit(text.charAt(at).normalize('NFKC'), at, at + 1);
      at++;
      continue;
    }
    if (lengthAt(text, at) === 0) {
      at++;
      continue;
    }
    const { end, isPlain } = readWord(text, at);
    const raw = text.slice(at, end);
    if (isPlain) visit(raw, at, end);
    else visitFolded(fold(raw), at, end, visit);
    at = end;
  }
}

function visitFolded(
  folded: string,
  start: number,
  end: number,
  visit: (word: string, start: number, end: number) => void,
): void {
  if (!notWord.test(folded)) {
    if (folded !== '') visit(folded, start, end);
    return;
  }
  // NFKC spelled a character out ("½" is "1⁄2"): its parts share the place of the whole.
  for (const part of folded.split(notWord)) if (part !== '') visit(part, start, end);
}

/**
 * The words of a text in order. Letters, digits and marks of any script; "1.0.21" and "ст.12" are several words; an
 * apostrophe between letters joins ("don't" is "dont", "Newton's" is "newton"); each Han or kana character is a word.
 */
export function words(text: string): Word[] {
  const found: Word[] = [];
  eachWord(text, (word, start, end) => found.push({ start, end, word }));
  return found;
}

/** The words as the keyword index stores them: folded, separated by single spaces. */
export function indexWords(text: string): string {
  let line = '';
  eachWord(text, (word) => {
    line = line === '' ? word : `${line} ${word}`;
  });
  return line;
}
