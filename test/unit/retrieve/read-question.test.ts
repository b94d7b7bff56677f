import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsMark, readMarks, readQuestion } from '../../../src/engine/retrieve/read-question.ts';
import { otherReadings } from '../../../src/engine/retrieve/repair-words.ts';
import { narrowScope, readFilters } from '../../../src/engine/retrieve/typed-filters.ts';

describe('readQuestion', () => {
  const quoted: [string, string[][]][] = [
    ['what is «срок поставки» here', [['срок', 'поставки']]],
    ['what is "delivery term"', [['delivery', 'term']]],
    ['was heißt „höhere Gewalt“', [['höhere', 'gewalt']]],
    ['co to „siła wyższa”', [['siła', 'wyższa']]],
    [
      'say “a b” and ‘c d’',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ["the company's plan isn't quoted", []],
    ['an open " mark', []],
    ['"" and «»', []],
  ];
  for (const [question, phrases] of quoted) {
    it(`finds the phrases of ${question}`, () => expect(readQuestion(question).phrases).toEqual(phrases));
  }

  const marked: [string, string[]][] = [
    ['договор № 12', ['number 12']],
    ['contract No. 12/3 and nr 7', ['number 12/3', 'number 7']],
    ['что в номере 15', ['number 15']],
    ['§ 5.2 and статья 10', ['section 5.2', 'section 10']],
    ['Article 4, п. 3', ['section 4', 'section 3']],
    ['how many of 12 people', []],
  ];
  for (const [question, marks] of marked) {
    it(`finds the marked numbers of ${question}`, () => {
      expect(readMarks(question).map(({ kind, value }) => `${kind} ${value}`)).toEqual(marks);
    });
  }

  it('takes any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const read = readQuestion(text);
        expect(new Set(read.terms.map(({ word }) => word)).size).toBe(read.terms.length);
      }),
    );
    for (const text of ['', '?!…', '🙂🙂', '" OR NEAR(a b) * ^ -', 'a"b:c (']) readQuestion(text);
    expect(readQuestion('слово '.repeat(2000)).terms).toHaveLength(1);
  });

  it('compares marks with a passage in its own writing', () => {
    expect(holdsMark('по договору N 12 от мая', { kind: 'number', value: '12' })).toBe(true);
    expect(holdsMark('12 договоров', { kind: 'number', value: '12' })).toBe(false);
    expect(holdsMark('No. 121', { kind: 'number', value: '12' })).toBe(false);
  });
});

describe('readFilters', () => {
  it('takes understood filters out and leaves the rest as words', () => {
    expect(readFilters('rent type:pdf in:contracts/2024 after:2024 before:2025-03')).toEqual({
      text: 'rent',
      filters: { kinds: ['pdf'], path: 'contracts/2024', after: '2024-01-01', before: '2025-02-28' },
    });
    expect(readFilters('title:"Annual report" sales')).toEqual({
      text: 'sales',
      filters: { title: 'Annual report' },
    });
    for (const text of ['type:movie plot', 'after:noon', 'note in: the box', 'https://in:x']) {
      expect(readFilters(text).text).toBe(text);
    }
  });

  it('narrows a chosen scope and never widens it', () => {
    expect(narrowScope({ kinds: ['pdf', 'docx'], path: 'a' }, { kinds: ['pdf', 'csv'], path: 'b' })).toEqual({
      kinds: ['pdf'],
      path: 'a',
      pathPart: 'b',
    });
    expect(narrowScope({ after: '2024-05-01' }, { after: '2024-01-01' })).toEqual({ after: '2024-05-01' });
    expect(narrowScope(undefined, {})).toBeUndefined();
  });
});

describe('otherReadings', () => {
  const cases: [string, string][] = [
    ['ghbdtn', 'привет'],
    ['руддщ', 'hello'],
    ['[bvbz', 'химия'],
    ['дoгoвop', 'договор'],
  ];
  for (const [typed, meant] of cases) {
    it(`reads ${typed} as ${meant}`, () => expect(otherReadings(typed)).toContain(meant));
  }
  it('has nothing to say to numbers', () => expect(otherReadings('2024')).toEqual([]));
});
