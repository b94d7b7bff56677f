/** Which words does one reading of a document have that another reading lacks, and were they glued together or split? */

export interface WordFidelity {
  /** Words of the other reading. */
  total: number;
  /** Share of them that ours has, counted with their repeats; 1 where there are none. */
  recall: number;
  /** Words of ours that are two neighbours of the other reading run together. */
  glued: string[];
  /** Words of the other reading that stand in ours as two neighbours. */
  split: string[];
  missing: string[];
}

/** Words in the order of reading: NFKC, lower case, letters and digits alone; marks that only shape a line are gone. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    // Vowel signs may come before or after in equal texts.
    .replace(
      /[\u0591-\u05c7\u064b-\u065f\u0670\u0640\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
      '',
    )
    .toLowerCase();
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/**
 * Compares by multisets of words, so that the order of reading counts for nothing. A word that was divided at a line's
 * end may be whole in one reading and divided in the other: that is neither missing, nor glued, nor split.
 */
export function compareWords(ours: string, theirs: string): WordFidelity {
  const own = wordsOf(ours);
  const other = wordsOf(theirs);
  const divided = dividedWords(theirs);
  const left = countOf(own);
  const missing = other.filter((word) => !take(left, word));
  const surplus = new Map([...left].filter(([, count]) => count > 0));
  const lacking = countOf(missing);
  const glued = joinsIn(other, lacking, surplus, divided);
  const split = joinsIn(own, surplus, lacking, new Set());
  const lost = [...lacking].flatMap(([word, count]) => Array<string>(count).fill(word));
  return {
    total: other.length,
    recall: other.length === 0 ? 1 : 1 - (lost.length + glued.length + split.length) / other.length,
    glued,
    split,
    missing: lost,
  };
}

function countOf(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, word: string): boolean {
  const count = counts.get(word) ?? 0;
  if (count === 0) return false;
  counts.set(word, count - 1);
  return true;
}

/** Neighbours that one side lacks as words of their own and the other has as one; what is found is taken from both. */
function joinsIn(
  words: string[],
  parts: Map<string, number>,
  wholes: Map<string, number>,
  allowed: Set<string>,
): string[] {
  const found: string[] = [];
  for (let index = 0; index + 1 < words.length; index += 1) {
    const [a, b] = [words[index]!, words[index + 1]!];
    if ((wholes.get(a + b) ?? 0) === 0) continue;
    if ((parts.get(a) ?? 0) === 0 || (parts.get(b) ?? 0) === 0) continue;
    take(parts, a);
    take(parts, b);
    take(wholes, a + b);
    if (!allowed.has(a + b)) found.push(a + b);
  }
  return found;
}

/** Words that a hyphen divides, at a line's end or inside one, as they read without it. */
function dividedWords(text: string): Set<string> {
  const pairs = text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/([\p{L}\p{N}]+)[-\u00ad\u2010]\s*(?=([\p{L}\p{N}]+))/gu);
  return new Set([...pairs].map(([, a, b]) => `${a}${b}`));
}
