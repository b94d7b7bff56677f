/** When are two spellings the same word? */

/** Ignorable inside a word: soft hyphen, zero-width (non-)joiners, word joiner, byte order mark. */
const ignorable = /\u00ad|\u200c|\u200d|\u2060|\ufeff/g;
/** A stress mark over a Cyrillic vowel, which dictionaries and textbooks print and nobody types. */
const stressMark = /(?<=[\u0400-\u04ff])[\u0300\u0301]/g;
const apostrophes = /['\u2019\u02bc\u02b9]/g;
/** English possessive; its "s" is no word. */
const possessive = /['\u2019\u02bc]s$/;

/** True for a-z, 0-9 and а-я: text that folding leaves as it is. */
function isFolded(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    if (unit >= 0x61 && unit <= 0x7a) continue;
    if (unit >= 0x30 && unit <= 0x39) continue;
    if (unit >= 0x430 && unit <= 0x44f) continue;
    return false;
  }
  return true;
}

/** True when NFKC can't change the word: ASCII, and Cyrillic without combining marks. */
function isNormal(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit >= 0x400 && unit <= 0x45f) continue;
    return false;
  }
  return true;
}

/**
 * The form in which words are compared: NFKC, lower case, ё as е, ß as ss, without apostrophes, soft hyphens and
 * stress marks. The result may hold characters that are no letters where NFKC spells one out ("½" is "1⁄2").
 */
export function fold(word: string): string {
  if (isFolded(word)) return word;
  if (isNormal(word)) {
    const lower = word.toLowerCase().replaceAll('ё', 'е');
    return lower.includes("'") ? lower.replace(possessive, '').replaceAll("'", '') : lower;
  }
  return word
    .normalize('NFKC')
    .replace(ignorable, '')
    .replace(possessive, '')
    .replace(apostrophes, '')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .replace(stressMark, '');
}

/** Latin letters without their accents, for keys that must match however a word was typed. */
export function withoutAccents(word: string): string {
  if (isNormal(word)) return word;
  return word
    .normalize('NFD')
    .replace(/(?<=[a-z][\u0300-\u036f]*)[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd');
}
