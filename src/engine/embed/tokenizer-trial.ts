/** Which texts show that a tokenizer's patterns never come to an end? */

/** A pattern that tries every way to cut a run has 2^repeats of them. */
const REPEATS = 60;
/** Patterns that try every pair or triple of places need a long run to be slow. */
const LONG = 2048;
/** What a pattern can't take at the end of a run makes it go back and try again. */
const ENDS = ['§', 'b!'];

/** What real texts hold in runs, alone and by turns. */
const common = [
  ...['a', 'Z', 'я', '中', '0', ' ', '\n', '\t', '.', ',', '-', '_', "'", '"', '/', '=', '#', '😀', '\u0301'],
  ...['aA', 'a ', 'a.', 'a-', 'a1', "a'", ' \n', '\r\n', '. ', '1.', '1,', 'я ', 'ab'],
];

/** Patterns taken from a tokenizer.json, and signs or words of them that are tried at most. */
const MOST = 64;
/** Signs of such a word. */
const LONGEST = 24;

/**
 * Runs of what is common and of what the patterns themselves speak of, each ending in a sign that fits nowhere.
 * @param definition content of tokenizer.json
 */
export function trialTexts(definition: unknown): string[] {
  const units = [...new Set([...common, ...wordsOfPatterns(definition)])];
  return [
    ...units.flatMap((unit) => ENDS.map((end) => unit.repeat(REPEATS) + end)),
    ...['a', '0', ' ', '.', '\n'].map((unit) => unit.repeat(LONG) + ENDS[0]),
  ];
}

/** Letters, digits and other signs that stand for themselves in a pattern, alone and as whole words. */
function wordsOfPatterns(definition: unknown): string[] {
  const found = new Set<string>();
  for (const pattern of patternsOf(definition).slice(0, MOST)) {
    for (const [word] of pattern.slice(0, 4096).matchAll(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu)) {
      for (const unit of [word.slice(0, LONGEST), ...[...word].slice(0, 8)]) {
        if (found.size < MOST) found.add(unit);
      }
    }
  }
  return [...found];
}

/** Every "Regex" of a definition, not looking into its vocabulary. */
function patternsOf(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  const parts = Array.isArray(value) ? value.slice(0, MOST) : Object.values(omitModel(value)).slice(0, MOST);
  const own = (value as { Regex?: unknown }).Regex;
  return [...(typeof own === 'string' ? [own] : []), ...parts.flatMap((part) => patternsOf(part, depth + 1))];
}

function omitModel(value: object): object {
  const { model: _, added_tokens: __, ...rest } = value as { model?: unknown; added_tokens?: unknown };
  return rest;
}
