/** How does the built-in embedder read a text? Its recipe, models/starter-embedder/training/features.py, reads the same. */
import { language as limits } from '../config.ts';
import { createStemmer, type Stemmer } from './stem.ts';
import { eachWord } from './words.ts';

/** Which row of the model stands for what: first the known stems, then the rows that n-grams share by their hash. */
export interface FeatureTable {
  /** Stem → row, from 0 without gaps. */
  vocabulary: Map<string, number>;
  /** Rows after those of the vocabulary. */
  hashedRows: number;
  /** Stems of rows below this are so common that their n-grams would add nothing. */
  commonRows: number;
  /** Words read of a text; the rest is cut. */
  maxWords: number;
}

/** A text as the built-in embedder reads it: rows of its table, each with the weight that the text gives it. */
export interface TextFeatures {
  /** Row numbers, each once, in the order in which they first occur in the text. */
  rows: Uint32Array;
  /** Above 0, as many as rows: the square root of the summed weights. */
  weights: Float32Array;
}

export interface FeatureReader {
  ofText(text: string): TextFeatures;
  /** Of folded words joined by single spaces, as ChunkTerms.words holds them: nothing is tokenised twice. */
  ofWords(words: string): TextFeatures;
}

/** One stem per line; the line's number from 0 is its row. */
export function readVocabulary(text: string): Map<string, number> {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return new Map(lines.map((stem, row) => [stem, row]));
}

/** Latin spelling of Cyrillic letters, so that "контракт" and "contract" share n-grams. */
const cyrillic = new Map(
  [...'абвгдезийклмнопрстуфхцчшщъыьэюяж'].map((letter, index) => [
    letter,
    'a b v g d e z i i k l m n o p r s t u f h ts ch sh sch  i  e iu ia zh'.split(' ')[index]!,
  ]),
);

/** English spelling brought near the sound, in this order; \x01 keeps "ch" while "c" becomes "k". */
const latin: [string, string][] = [
  ['tch', 'ch'],
  ['sch', 'sh'],
  ['ph', 'f'],
  ['ck', 'k'],
  ['qu', 'kv'],
  ['x', 'ks'],
  ['w', 'v'],
  ['th', 't'],
  ['ce', 'se'],
  ['ci', 'si'],
  ['cy', 'si'],
  ['ch', '\x01'],
  ['c', 'k'],
  ['\x01', 'ch'],
  ['j', 'dzh'],
  ['y', 'i'],
  ['gh', 'g'],
];

/** A stem in Latin letters as it sounds, without doubled letters; the same for both scripts. */
function romanise(stem: string): string {
  let spelt = '';
  if (/[а-я]/.test(stem)) {
    for (const character of stem) spelt += cyrillic.get(character) ?? character;
  } else {
    spelt = latin.reduce((text, [written, sounds]) => text.replaceAll(written, sounds), stem);
  }
  return spelt.replace(/(.)\1+/gu, '$1');
}

const utf8 = new TextEncoder();

/** 32-bit FNV-1a of a range of bytes. */
function fnv1a(bytes: Uint8Array, start: number, end: number): number {
  let hash = 2_166_136_261;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 16_777_619);
  return hash >>> 0;
}

/** Hashes of the 4-grams of `<romanised stem>` in UTF-8, and of its beginning as a whole. */
function hashNgrams(stem: string): number[] {
  const bytes = utf8.encode(`<${romanise(stem)}>`);
  /** Where each character begins, and where the last ends. */
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at++) if ((bytes[at]! & 0xc0) !== 0x80) starts.push(at);
  const length = starts.length;
  starts.push(bytes.length);
  const hashes: number[] = [];
  for (let at = 0; at < Math.max(1, length - 3); at++) {
    hashes.push(fnv1a(bytes, starts[at]!, starts[Math.min(at + 4, length)]!));
  }
  if (length > 4) hashes.push(fnv1a(bytes, 0, starts[length > 5 ? length - 1 : length]!));
  return hashes;
}

/** What one word adds to its text; a row may stand twice. */
interface WordFeatures {
  rows: number[];
  weights: number[];
}

/** Weight of a word's n-grams together, before division by the square root of their number. */
const ngramsOfUnknown = 1;
const ngramsOfKnown = 0.5;

function readWord(word: string, table: FeatureTable, stemmer: Stemmer): WordFeatures {
  // English rules for Latin letters whatever the passage's language: question and passage must agree.
  const stem = stemmer.stem(word, 'en');
  const row = table.vocabulary.get(stem);
  if (row !== undefined && row < table.commonRows) return { rows: [row], weights: [1] };
  const hashes = hashNgrams(stem);
  const weight = (row === undefined ? ngramsOfUnknown : ngramsOfKnown) / Math.sqrt(hashes.length);
  const rows = hashes.map((hash) => table.vocabulary.size + (hash % table.hashedRows));
  const weights = hashes.map(() => weight);
  return row === undefined ? { rows, weights } : { rows: [row, ...rows], weights: [1, ...weights] };
}

/**
 * A reader that remembers the features of at most `language.featureCacheWords` words, some 20 MB. Hold one per worker.
 * Weights are summed per row over the text; their square root is taken, so that the tenth mention counts less than
 * the first. A text without words has no rows.
 */
export function createFeatureReader(table: FeatureTable, stemmer: Stemmer = createStemmer()): FeatureReader {
  const known = new Map<string, WordFeatures>();
  /** Summed weight of each row for the text at hand; zero between texts. A look-up here costs less than a Map's. */
  const sums = new Float64Array(table.vocabulary.size + table.hashedRows);
  let touched: number[] = [];
  let count = 0;

  const add = (word: string) => {
    if (++count > table.maxWords) return;
    let features = known.get(word);
    if (features === undefined) {
      features = readWord(word, table, stemmer);
      if (known.size >= limits.featureCacheWords) known.clear();
      known.set(word, features);
    }
    const { rows, weights } = features;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      if (sums[row] === 0) touched.push(row);
      sums[row]! += weights[index]!;
    }
  };

  const finish = (): TextFeatures => {
    const rows = Uint32Array.from(touched);
    const weights = new Float32Array(rows.length);
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      weights[index] = Math.sqrt(sums[row]!);
      sums[row] = 0;
    }
    touched = [];
    count = 0;
    return { rows, weights };
  };

  return {
    ofText(text) {
      eachWord(text, add);
      return finish();
    },
    ofWords(words) {
      for (let start = 0; start < words.length; ) {
        const space = words.indexOf(' ', start);
        const end = space === -1 ? words.length : space;
        add(words.slice(start, end));
        start = end + 1;
      }
      return finish();
    },
  };
}
