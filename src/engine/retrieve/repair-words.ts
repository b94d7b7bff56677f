/** Which words were typed on the wrong keyboard layout, or with letters that only look right? */

/** Keys of the US and the Russian layout, in the same order. */
const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const cyrillicKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю';

/** Letters that look alike in both scripts, lower case. */
const lookAlikes: [latin: string, cyrillic: string][] = [
  ['a', 'а'],
  ['b', 'в'],
  ['c', 'с'],
  ['e', 'е'],
  ['h', 'н'],
  ['k', 'к'],
  ['m', 'м'],
  ['o', 'о'],
  ['p', 'р'],
  ['t', 'т'],
  ['x', 'х'],
  ['y', 'у'],
];

/**
 * Other readings of a run of characters without white space: as typed on the other layout, and with look-alike
 * letters of one script. Likely first; empty when there is nothing to repair. Whether one is meant must be asked of
 * the library: a reading counts only when the library knows it and not the word as typed.
 */
export function otherReadings(typed: string): string[] {
  const lower = typed.toLowerCase();
  const hasLatin = /[a-z]/.test(lower);
  const hasCyrillic = /[а-яё]/.test(lower);
  const readings = [
    ...(hasLatin && hasCyrillic ? [inCyrillic(lower), inLatin(lower)] : []),
    ...(hasLatin && !hasCyrillic ? [mapKeys(lower, latinKeys, cyrillicKeys)] : []),
    ...(hasCyrillic && !hasLatin ? [mapKeys(lower, cyrillicKeys, latinKeys)] : []),
  ];
  return readings.filter((reading) => reading !== lower);
}

function inCyrillic(word: string): string {
  return replaceAll(word, new Map(lookAlikes));
}

function inLatin(word: string): string {
  return replaceAll(word, new Map(lookAlikes.map(([latin, cyrillic]) => [cyrillic, latin])));
}

function mapKeys(word: string, from: string, to: string): string {
  return replaceAll(word, new Map([...from].map((key, index) => [key, to.charAt(index)])));
}

function replaceAll(word: string, letters: Map<string, string>): string {
  return [...word].map((letter) => letters.get(letter) ?? letter).join('');
}
