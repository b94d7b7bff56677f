/** Which few words of a cited passage carry the sentence that cites it? */
import type { Language, Range } from '../../api/types.ts';
import { generate as limits } from '../config.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import type { EvidenceUnit } from './evidence-units.ts';

/**
 * Range of the unit, or of two or three units that follow each other, that holds most of what the sentences say;
 * undefined when none holds a word of them. Numbers weigh more than words: they are what a reader checks.
 */
export function narrowQuote(
  sentences: string[],
  language: Language,
  units: EvidenceUnit[],
): Range | undefined {
  const ranges = sentences
    .map((sentence) => bestRange(claimWeights(sentence, language), units))
    .filter((range) => range !== undefined);
  if (ranges.length === 0) return undefined;
  const start = Math.min(...ranges.map((range) => range.start));
  const end = Math.max(...ranges.map((range) => range.end));
  if (end - start <= limits.maxQuoteCharacters) return { start, end };
  const best = ranges.reduce((a, b) => (b.weight > a.weight ? b : a));
  return { start: best.start, end: best.end };
}

function bestRange(
  weights: Map<string, number>,
  units: EvidenceUnit[],
): (Range & { weight: number }) | undefined {
  const weigh = (stems: Set<string>): number => {
    let sum = 0;
    for (const [key, weight] of weights) if (stems.has(key)) sum += weight;
    return sum;
  };
  const scored = units.map((unit) => weigh(unit.stems));
  const best = scored.indexOf(Math.max(...scored));
  const unit = units[best];
  if (!unit || scored[best] === 0) return undefined;
  let { start, end } = unit;
  let weight = scored[best]!;
  let stems = unit.stems;
  let [low, high] = [best, best];
  // A neighbour comes in only for a fifth of the claim that is still missing.
  const total = [...weights.values()].reduce((sum, each) => sum + each, 0);
  for (let step = 0; step < 2; step++) {
    const options = [low - 1, high + 1]
      .filter((at) => units[at] !== undefined)
      .map((at) => ({ at, weight: weigh(new Set([...stems, ...units[at]!.stems])) }));
    const next = options.sort((a, b) => b.weight - a.weight)[0];
    if (!next || next.weight - weight < 0.2 * total) break;
    const added = units[next.at]!;
    stems = new Set([...stems, ...added.stems]);
    start = Math.min(start, added.start);
    end = Math.max(end, added.end);
    weight = next.weight;
    low = Math.min(low, next.at);
    high = Math.max(high, next.at);
  }
  return { start, end, weight };
}

function claimWeights(sentence: string, language: Language): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { word } of words(sentence)) {
    if (isFunctionWord(word)) continue;
    weights.set(stem(word, language), /\d/.test(word) ? 3 : 1);
  }
  return weights;
}
