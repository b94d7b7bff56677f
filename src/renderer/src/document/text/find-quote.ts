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
  const there = wordsOf(text);
  const quoted = wordsOf(quote);
  const found = findWords(
    there.map(({ word }) => word),
    quoted.map(({ word }) => word),
  );
  if (!found) return undefined;
  const before = quote.slice(0, quoted[0]!.start);
  const after = quote.slice(quoted.at(-1)!.end);
  return {
    start: there[found.from]!.start - signsInCommon(text.slice(0, there[found.from]!.start), before, -1),
    end: there[found.to]!.end + signsInCommon(text.slice(there[found.to]!.end), after, 1),
  };
}

/** First and last word of the quote in a text. */
function findWords(there: string[], wanted: string[]): { from: number; to: number } | undefined {
  if (wanted.length === 0) return undefined;
  const whole = indexOfRun(there, wanted, 0);
  if (whole >= 0) return { from: whole, to: whole + wanted.length - 1 };
  if (wanted.length < EDGE_WORDS * 2) return undefined;
  const first = indexOfRun(there, wanted.slice(0, EDGE_WORDS), 0);
  const last = first < 0 ? -1 : indexOfRun(there, wanted.slice(-EDGE_WORDS), first + EDGE_WORDS);
  // Far longer than the quote: the same words at another place.
  if (last < 0 || last + EDGE_WORDS - first > wanted.length * 1.5) return undefined;
  return { from: first, to: last + EDGE_WORDS - 1 };
}

function indexOfRun(words: string[], run: string[], from: number): number {
  for (let i = from; i + run.length <= words.length; i++) {
    let same = 0;
    while (same < run.length && words[i + same] === run[same]) same++;
    if (same === run.length) return i;
  }
  return -1;
}

/** How far a text goes on with the quote's own signs, white space aside: its brackets, full stop, currency. */
function signsInCommon(text: string, signs: string, step: 1 | -1): number {
  const wanted = [...signs.replace(/\s/g, '')];
  const given = [...text.slice(step > 0 ? 0 : -200, step > 0 ? 200 : undefined)];
  if (step < 0) {
    wanted.reverse();
    given.reverse();
  }
  let [length, taken, matched] = [0, 0, 0];
  for (const sign of given) {
    if (matched === wanted.length) break;
    length += sign.length;
    if (/\s/.test(sign)) continue;
    if (sign !== wanted[matched]) break;
    matched++;
    taken = length;
  }
  return taken;
}
