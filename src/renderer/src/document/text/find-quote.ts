/** Which words of a text are those of a quote? Both may differ in markup, white space and line ends. */

interface Word {
  start: number;
  end: number;
  word: string;
}

/** Words that must agree at both ends of a quote whose middle differs. */
const EDGE_WORDS = 4;

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    words.push({
      start: match.index,
      end: match.index + match[0].length,
      word: match[0].normalize('NFC').toLowerCase(),
    });
  }
  return words;
}

/**
 * Half-open range of `text`, in UTF-16 units, that holds the quote: the same words in a row, else the run from the
 * quote's first words to its last. Undefined when neither is there.
 */
export function findQuote(text: string, quote: string): { start: number; end: number } | undefined {
  const [there, wanted] = [wordsOf(text), wordsOf(quote).map(({ word }) => word)];
  if (wanted.length === 0) return undefined;
  const whole = indexOfRun(there, wanted, 0);
  if (whole >= 0)
    return { start: there[whole]!.start, end: withStop(text, there[whole + wanted.length - 1]!.end) };
  if (wanted.length < EDGE_WORDS * 2) return undefined;
  const first = indexOfRun(there, wanted.slice(0, EDGE_WORDS), 0);
  const last = first < 0 ? -1 : indexOfRun(there, wanted.slice(-EDGE_WORDS), first + EDGE_WORDS);
  if (last < 0) return undefined;
  // Far longer than the quote: the same words at another place.
  const length = last + EDGE_WORDS - first;
  if (length > wanted.length * 1.5) return undefined;
  return { start: there[first]!.start, end: withStop(text, there[last + EDGE_WORDS - 1]!.end) };
}

function indexOfRun(words: Word[], run: string[], from: number): number {
  for (let i = from; i + run.length <= words.length; i++) {
    let same = 0;
    while (same < run.length && words[i + same]!.word === run[same]) same++;
    if (same === run.length) return i;
  }
  return -1;
}

/** The sentence's end belongs to it. */
function withStop(text: string, end: number): number {
  return end + (/^[.!?…»”")\]]{0,3}/.exec(text.slice(end, end + 3))?.[0].length ?? 0);
}
