import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../src/api/types.ts';
import { createTermFinder } from '../../../src/engine/language/find-terms.ts';
import { stem } from '../../../src/engine/language/stem.ts';
import { words } from '../../../src/engine/language/words.ts';

const languages: Language[] = ['ru', 'en', 'pl', 'de', 'es'];
const termOf = (word: string) => ({ word, stems: languages.map((language) => stem(word, language)) });

describe('a term finder', () => {
  it('finds every form of a word with its place, and counts all words', () => {
    const finder = createTermFinder(['договор', 'rules'].map(termOf));
    const text = 'Договора и договоры: the rule, Rules.';
    const found: string[] = [];
    const length = finder.find(text, 'ru', ({ term, isExact, start, end }) =>
      found.push(`${term} ${text.slice(start, end)}${isExact ? ' exactly' : ''}`),
    );
    expect(found).toEqual(['0 Договора', '0 договоры', '1 rule', '1 Rules exactly']);
    expect(length).toBe(6);
  });

  it('passes over no word whose stem is sought, in any language', () => {
    const pool = [
      ...['ärzte', 'arzt', 'największy', 'duży', 'większy', 'ёлка', 'елка', 'dying', 'die', 'skies', 'œuvre'],
      ...['über', 'uber', 'niños', 'nino', '12', '№', 'straße', 'strasse', 'xml', 'ångström', 'łódź', 'lodz'],
    ];
    fc.assert(
      fc.property(
        fc.subarray(pool, { minLength: 1, maxLength: 4 }),
        fc.subarray(pool),
        fc.constantFrom(...languages),
        (sought, others, language) => {
          const folded = sought.flatMap((word) => words(word).map((each) => each.word));
          const terms = folded.map(termOf);
          const text = others.join(' ');
          const found = new Set<string>();
          createTermFinder(terms).find(text, language, ({ start, end }) => found.add(text.slice(start, end)));
          const expected = words(text).filter(({ word }) =>
            terms.some((term) => term.word === word || term.stems.includes(stem(word, language))),
          );
          expect(found).toEqual(new Set(expected.map(({ start, end }) => text.slice(start, end))));
        },
      ),
    );
  });
});
