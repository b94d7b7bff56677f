/** Which Polish forms belong to one word? A light stemmer: inflection only, no derivation. */

// The packaged stemmer (@nlpjs/lang-pl) misses ę, ą and ó and leaves "umowa, umowę, umową, umów" as four stems.
const endings = [
  // verbal nouns, which are the commonest nouns of contracts and regulations
  ...[
    'eniami',
    'aniami',
    'eniach',
    'aniach',
    'eniem',
    'aniem',
    'eniom',
    'aniom',
    'enie',
    'anie',
    'enia',
    'ania',
  ],
  ...['eniu', 'aniu', 'ien'],
  // nouns
  ...[
    'iami',
    'iach',
    'ami',
    'ach',
    'owie',
    'owi',
    'iem',
    'iom',
    'em',
    'om',
    'ow',
    'ia',
    'ie',
    'iu',
    'io',
    'ii',
  ],
  // adjectives and participles
  ...['iego', 'iemu', 'ego', 'emu', 'ymi', 'imi', 'ych', 'ich', 'iej', 'ej', 'ym', 'im'],
  // verbs
  ...[
    'alismy',
    'ilismy',
    'owac',
    'ala',
    'ali',
    'aly',
    'alo',
    'ila',
    'ili',
    'ily',
    'ilo',
    'yla',
    'yli',
    'yly',
    'ylo',
  ],
  ...[
    'amy',
    'imy',
    'ymy',
    'emy',
    'asz',
    'isz',
    'ysz',
    'esz',
    'aja',
    'acie',
    'icie',
    'ac',
    'ic',
    'yc',
    'ec',
    'al',
    'il',
  ],
  ...['yl', 'aj', 'a', 'e', 'i', 'o', 'u', 'y'],
].sort((a, b) => b.length - a.length);

const minStem = 3;

/** Consonants that alternate before an ending, back to the one of the dictionary form. */
const alternations: [soft: string, hard: string][] = [
  ['rz', 'r'],
  ['dz', 'd'],
  ['sc', 'st'],
  ['c', 'k'],
];

/** Stem of a lower-case Polish word whose accents were removed. */
export function stemPolish(word: string): string {
  const ending = endings.find((end) => word.length - end.length >= minStem && word.endsWith(end));
  let stem = ending === undefined ? word : word.slice(0, -ending.length);
  if (stem.length > minStem && stem.endsWith('i')) stem = stem.slice(0, -1);
  const soft = alternations.find(([from]) => stem.length - from.length >= minStem - 1 && stem.endsWith(from));
  return soft === undefined ? stem : stem.slice(0, -soft[0].length) + soft[1];
}
