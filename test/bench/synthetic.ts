/** Which passages and questions does a search benchmark run on? The same ones each time, as large as wanted. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { words } from '../../src/engine/language/words.ts';
import { testData } from '../test-data.ts';

/** A generator of numbers in [0, 1) that gives the same ones for the same seed (xorshift32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}

/** The words of the Russian and English sets, commonest first; undefined where the test data is absent. */
export function readVocabulary(): string[] | undefined {
  const counts = new Map<string, number>();
  for (const set of ['xquad-en', 'xquad-ru']) {
    const folder = testData(`eval/${set}/library`);
    if (folder === undefined) return undefined;
    for (const name of readdirSync(folder).sort()) {
      for (const { word } of words(readFileSync(path.join(folder, name), 'utf8'))) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
}

/** Draws ranks by Zipf's law: rank r as often as 1 / r. */
function createZipf(size: number, random: () => number): () => number {
  const cumulated = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 1);
    cumulated[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulated[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

export interface SyntheticOptions {
  vocabulary: string[];
  passages: number;
  /** Words in each passage, default 120. */
  length?: number;
  seed?: number;
}

/** Passages of words drawn by Zipf's law, one at a time, so that a million need no memory. */
export function* syntheticPassages(options: SyntheticOptions): Generator<string> {
  const draw = createZipf(options.vocabulary.length, createRandom(options.seed ?? 1));
  for (let i = 0; i < options.passages; i++) {
    const drawn = Array.from({ length: options.length ?? 120 }, () => options.vocabulary[draw()]);
    yield `${drawn.join(' ')}.\n`;
  }
}

export interface SyntheticQuestion {
  question: string;
  /** Number of the passage its words come from. */
  passage: number;
}

/** Questions of six words of one passage each, at least one of them among the 100 commonest. */
export function syntheticQuestions(options: SyntheticOptions & { questions: number }): SyntheticQuestion[] {
  const random = createRandom((options.seed ?? 1) + 7919);
  const common = new Set(options.vocabulary.slice(0, 100));
  const wanted = new Map<number, number>();
  for (let i = 0; i < options.questions; i++) {
    const passage = Math.floor(random() * options.passages);
    wanted.set(passage, (wanted.get(passage) ?? 0) + 1);
  }
  const found: SyntheticQuestion[] = [];
  let passage = 0;
  for (const text of syntheticPassages(options)) {
    for (let count = wanted.get(passage) ?? 0; count > 0; count--) {
      found.push({ question: drawWords(text, common, random).join(' '), passage });
    }
    passage++;
  }
  return found;
}

function drawWords(text: string, common: Set<string>, random: () => number): string[] {
  const all = [...new Set(words(text).map(({ word }) => word))];
  const first = all.filter((word) => common.has(word));
  const drawn = new Set(first.length > 0 ? [first[Math.floor(random() * first.length)]!] : []);
  while (drawn.size < Math.min(6, all.length)) drawn.add(all[Math.floor(random() * all.length)]!);
  return [...drawn];
}

/** Unit vectors in no order that a search could use. */
export function syntheticVector(dimensions: number, random: () => number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
