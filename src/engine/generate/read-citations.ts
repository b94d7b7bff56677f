/** Which sources does each sentence of a written answer name? */
import { sentences } from '../language/sentences.ts';

/** "[1]", "[1, 2]", "[1-3]", also in the wide brackets that some models write. */
const markPattern = /[[【]\s*(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*[\]】]/g;

/** A sentence without its marks, and the numbers that they held. */
export interface CitedSentence {
  text: string;
  citations: number[];
  /** A mark named a source that was not given: it is dropped and the sentence can't be trusted. */
  hasWrongNumber: boolean;
}

/** Sentences in order; marks after a full stop belong to the sentence before it. */
export function readCitations(answer: string, sourceCount: number): CitedSentence[] {
  const marks: { at: number; numbers: number[] }[] = [];
  let clean = '';
  let from = 0;
  for (const match of answer.matchAll(markPattern)) {
    // A space before a mark belongs to the mark: "true [1]." reads "true.".
    clean += answer.slice(from, match.index).replace(/[ \u00a0]+$/, '');
    marks.push({ at: clean.length, numbers: readNumbers(match[1]!) });
    from = match.index + match[0].length;
  }
  clean += answer.slice(from);
  return sentences(clean)
    .map((range, index, all) => {
      const next = all[index + 1];
      const isLast = next === undefined;
      const mine = marks.filter(({ at }) => {
        const last = clean.slice(0, at).trimEnd().length;
        return last > range.start && (isLast || last <= next.start);
      });
      const before = all.slice(0, index).at(-1);
      const own = mine.filter(
        ({ at }) => before === undefined || clean.slice(0, at).trimEnd().length > before.end,
      );
      const numbers = [...new Set(own.flatMap((mark) => mark.numbers))];
      const citations = numbers.filter((number) => number >= 1 && number <= sourceCount);
      return {
        text: clean.slice(range.start, range.end).replace(/\s+/g, ' ').trim(),
        citations,
        hasWrongNumber: citations.length < numbers.length,
      };
    })
    .filter(({ text }) => text !== '');
}

/** The answer with marks of sources that were not given taken out. */
export function dropWrongMarks(text: string, sourceCount: number): string {
  return text.replace(markPattern, (whole, list: string) => {
    const numbers = readNumbers(list);
    const right = numbers.filter((number) => number >= 1 && number <= sourceCount);
    if (right.length === numbers.length && !/[–;【-]/.test(whole)) return whole;
    return right.map((number) => `[${number}]`).join('');
  });
}

/** Length of the beginning that can be shown: an open bracket at the end may become a mark. */
export function settledLength(text: string): number {
  const open = Math.max(text.lastIndexOf('['), text.lastIndexOf('【'));
  if (open < 0) return text.length;
  const rest = text.slice(open + 1);
  const mayBecomeMark = rest.length < 24 && /^[\s\d,;–-]*$/.test(rest);
  return mayBecomeMark ? open : text.length;
}

function readNumbers(list: string): number[] {
  return list.split(/\s*[,;]\s*/).flatMap((part) => {
    const [first, last] = part.split(/\s*[–-]\s*/).map(Number);
    if (last === undefined) return [first!];
    // An absurd span is a model's slip, not a hundred sources.
    if (last < first! || last - first! > 20) return [first!, last];
    return Array.from({ length: last - first! + 1 }, (_, index) => first! + index);
  });
}
