import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dropWrongMarks, readCitations, settledLength } from '../../../src/engine/generate/read-citations.ts';

describe('readCitations', () => {
  const cases: [answer: string, expected: [text: string, citations: number[]][]][] = [
    [
      'It rains [1]. It snows [2].',
      [
        ['It rains.', [1]],
        ['It snows.', [2]],
      ],
    ],
    [
      'It rains. [1] It snows. [2]',
      [
        ['It rains.', [1]],
        ['It snows.', [2]],
      ],
    ],
    [
      'It rains.[1][2] It snows.',
      [
        ['It rains.', [1, 2]],
        ['It snows.', []],
      ],
    ],
    ['Both [1, 3] and [2-3].', [['Both and.', [1, 3, 2]]]],
    [
      'Срок 30 дней【2】. Далее нет.',
      [
        ['Срок 30 дней.', [2]],
        ['Далее нет.', []],
      ],
    ],
    ['Wrong [9].', [['Wrong.', []]]],
    ['', []],
  ];
  for (const [answer, expected] of cases) {
    it(`reads "${answer}"`, () => {
      expect(readCitations(answer, 3).map(({ text, citations }) => [text, citations])).toEqual(expected);
    });
  }

  it('tells that a source was named that was not given', () => {
    expect(
      readCitations('It rains [9]. It snows [1].', 3).map(({ hasWrongNumber }) => hasWrongNumber),
    ).toEqual([true, false]);
  });

  it('names only given sources and keeps every word, for any text', () => {
    const piece = fc.constantFrom('Words here', '. ', '[1]', '[12]', '[1, 2]', ' ', '\n', '[', ']', 'x');
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 0, max: 5 }), (pieces, count) => {
        const text = pieces.join('');
        for (const { citations } of readCitations(text, count)) {
          for (const number of citations) expect(number).toBeLessThanOrEqual(count);
        }
        expect(dropWrongMarks(text, 99)).toBe(text);
      }),
    );
  });
});

describe('dropWrongMarks', () => {
  it('takes out what was not given and writes spans one by one', () => {
    expect(dropWrongMarks('A [1][7] b [2, 9] c [1-2].', 2)).toBe('A [1] b [2] c [1][2].');
  });
});

describe('settledLength', () => {
  const cases: [string, number][] = [
    ['done [1]', 8],
    ['open [', 5],
    ['open [1, ', 5],
    ['a list [of words', 16],
  ];
  for (const [text, length] of cases)
    it(`shows ${length} of "${text}"`, () => expect(settledLength(text)).toBe(length));
});
