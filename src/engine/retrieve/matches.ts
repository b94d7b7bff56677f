/** Which words of a passage match the question? */
import type { Language, Range } from '../../api/types.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import type { QuestionTerm } from './read-question.ts';

/** Ranges of matching words in order; content words only, unless the question has no other. */
export function findMatches(text: string, terms: QuestionTerm[], language: Language): Range[] {
  const content = terms.filter(({ word }) => !isFunctionWord(word));
  const sought = content.length > 0 ? content : terms;
  const exact = new Set(sought.map(({ word }) => word));
  const stems = new Set(sought.flatMap((term) => term.stems));
  return words(text)
    .filter(({ word }) => exact.has(word) || stems.has(stem(word, language)))
    .map(({ start, end }) => ({ start, end }));
}
