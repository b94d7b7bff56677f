/** Which words of a passage match the question? */
import type { Language, Range } from '../../api/types.ts';
import { createTermFinder, type TermFinder } from '../language/find-terms.ts';
import { isFunctionWord } from '../language/function-words.ts';
import type { QuestionTerm } from './read-question.ts';

/** Finds the content words of a question; all of them where it has no other. */
export function contentFinder(terms: QuestionTerm[]): TermFinder {
  const content = terms.filter(({ word }) => !isFunctionWord(word));
  return createTermFinder(content.length > 0 ? content : terms);
}

/** Ranges of matching words in order. */
export function findMatches(text: string, finder: TermFinder, language: Language): Range[] {
  const ranges: Range[] = [];
  finder.find(text, language, ({ start, end }) => {
    // Two terms may share a word.
    if (ranges.at(-1)?.start !== start) ranges.push({ start, end });
  });
  return ranges;
}
