/** Can the text of a page be trusted, or must its words be recognised from its picture? */
import type { Line } from './lines.ts';
import type { PageContent } from './pdfium.ts';

/** none: nothing is written; no-text: a picture without words; bad-text: characters that make no words. */
export type PageJudgement = 'good' | 'none' | 'no-text' | 'bad-text';

/** Share of the page that a scan covers, and the characters that may stand over it: a stamp, a number of the page. */
const scanShare = 0.6;
const fewCharacters = 60;

const leastCharacters = 40; // fewer prove nothing
const mostUnknown = 0.2; // share of characters without a letter of their own
const mostSingle = 0.7; // share of a row's words that have one letter: "G u b c h e l n"
const leastInRow = 6; // words
const leastWords = 20;
const mostAccented = 0.45; // share of À–ÿ among letters: Cyrillic read as Latin; Vietnamese reaches 0.3
const leastVowels = 0.12; // share among letters of an alphabet with vowels: English has 0.38, Russian 0.42, Polish 0.35
const leastLetters = 200;

const vowels = /[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýąęėěőűаеёиоуыэюяіїєαεηιουωάέήίόύώ]/giu;
const withVowels = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/gu;

export function judgePage({ glyphs, marks }: PageContent, lines: Line[]): PageJudgement {
  const text = lines.map((line) => line.text).join('\n');
  const characters = glyphs.count + glyphs.unknown;
  if (lines.length === 0 && glyphs.unknown < leastCharacters) return marks.isDrawn ? 'no-text' : 'none';
  if (marks.pictureShare >= scanShare && text.length < fewCharacters) return 'no-text';
  if (characters < leastCharacters) return 'good';
  if (glyphs.unknown > mostUnknown * characters) return 'bad-text';
  return isSpacedOut(text) || isMistaken(text) ? 'bad-text' : 'good';
}

/** Words are written letter by letter; the lone letters of figures and formulas stand in no row. */
function isSpacedOut(text: string): boolean {
  let [spaced, all] = [0, 0];
  for (const stretch of text.split(/[\n\t]/)) {
    const words = stretch.match(/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+/gu) ?? [];
    const single = words.filter((word) => word.length === 1).length;
    all += words.length;
    if (words.length >= leastInRow && single > mostSingle * words.length) spaced += words.length;
  }
  return all >= leastWords && spaced * 2 > all;
}

/** Letters of a wrong alphabet, or letters in an order that no language has. */
function isMistaken(text: string): boolean {
  const letters = text.match(withVowels)?.length ?? 0;
  if (letters < leastCharacters) return false;
  const accented = text.match(/[À-ÖØ-öø-ÿ]/gu)?.length ?? 0;
  if (accented > mostAccented * letters) return true;
  return letters >= leastLetters && (text.match(vowels)?.length ?? 0) < leastVowels * letters;
}
