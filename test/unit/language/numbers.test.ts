import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../src/api/types.ts';
import { isSameDate, readDates } from '../../../src/engine/language/dates.ts';
import { isSameNumber, readNumbers } from '../../../src/engine/language/numbers.ts';

describe('readNumbers', () => {
  const cases: [text: string, language: Language, values: number[]][] = [
    ['1 000,5', 'ru', [1000.5]],
    ['1 000,5 руб.', 'ru', [1000.5]],
    ['1,000.5', 'en', [1000.5]],
    ['1.000,5', 'de', [1000.5]],
    ['1,214', 'en', [1214]],
    ['1,214', 'ru', [1.214]],
    ['1.214', 'de', [1214]],
    ['12.14', 'en', [12.14]],
    ['0,125', 'ru', [0.125]],
    ["1'234'567", 'und', [1234567]],
    ['−5 and -7', 'en', [-5, -7]],
    ['($ 1,234) of loss', 'en', [-1234]],
    ['see note (5)', 'en', [5]],
    ['covid-19', 'en', [19]],
    ['10–20 and 2019-2020', 'en', [10, 20, 2019, 2020]],
    ['version 1.0.21', 'en', [1, 0, 21]],
    ['in 2024 100 people', 'en', [2024, 100]],
    ['(12 pages)', 'en', [12]],
    ['none', 'en', []],
  ];
  for (const [text, language, values] of cases) {
    it(`reads "${text}" (${language})`, () => {
      expect(readNumbers(text, language).map(({ value }) => value)).toEqual(values);
    });
  }

  it('reads scale, percent and currency beside the number', () => {
    expect(readNumbers('$1.5 million', 'en')).toMatchObject([{ value: 1.5, scale: 1e6, currency: '$' }]);
    expect(readNumbers('2,5 млн руб.', 'ru')).toMatchObject([{ value: 2.5, scale: 1e6, currency: 'руб.' }]);
    expect(readNumbers('5 Billionen', 'de')).toMatchObject([{ value: 5, scale: 1e12 }]);
    expect(readNumbers('12 % or 3 per cent', 'en')).toMatchObject([{ isPercent: true }, { isPercent: true }]);
  });

  it('gives ranges inside the text, in order, without overlap, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0129.,-−()%$ \u00a0aя') }), (text) => {
        let from = 0;
        for (const { start, end, value } of readNumbers(text)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(Number.isNaN(value)).toBe(false);
          from = end;
        }
      }),
      { examples: [['0$ 0']] },
    );
  });

  it('reads back what each language writes', () => {
    const amount = fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => Math.round(value * 100) / 100);
    fc.assert(
      fc.property(amount, fc.constantFrom<Language>('en', 'de', 'ru', 'pl', 'es'), (value, language) => {
        const text = new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(value);
        expect(readNumbers(text, language).map((number) => number.value)).toEqual([value]);
      }),
    );
  });
});

describe('isSameNumber', () => {
  const cases: [a: string, b: string, same: boolean][] = [
    ['1 000,5', '1,000.5', true],
    ['1.5 million', '1,500,000', true],
    ['1.5', '1.5 million', true],
    ['12.14', '1,214', false],
    ['-5', '5', false],
    ['1.5 million', '1.5 billion', false],
  ];
  for (const [a, b, same] of cases) {
    it(`${a} ${same ? 'is' : 'is not'} ${b}`, () => {
      expect(isSameNumber(readNumbers(a)[0]!, readNumbers(b)[0]!)).toBe(same);
    });
  }
});

describe('readDates', () => {
  const cases: [text: string, reading: string | undefined][] = [
    ['12 March 2024', '2024-03-12'],
    ['March 12, 2024', '2024-03-12'],
    ['12 марта 2024 г.', '2024-03-12'],
    ['12. März 2024', '2024-03-12'],
    ['12 marca 2024', '2024-03-12'],
    ['12 de marzo de 2024', '2024-03-12'],
    ['2024-03-12', '2024-03-12'],
    ['12.03.2024', '2024-03-12'],
    ['в марте 2024', '2024-03'],
    ['1 мая', '--05-01'],
    ['5 marble 2020', undefined],
    ['decide 5', undefined],
    ['45.99.2024', undefined],
  ];
  for (const [text, reading] of cases) {
    it(`reads "${text}"`, () => expect(readDates(text)[0]?.readings[0]).toBe(reading));
  }

  it('knows that less is said than the whole, not something else', () => {
    const date = (text: string) => readDates(text)[0]!;
    expect(isSameDate(date('March 2024'), date('12.03.2024'))).toBe(true);
    expect(isSameDate(date('12 March'), date('12 марта 2024'))).toBe(true);
    expect(isSameDate(date('13 March 2024'), date('12.03.2024'))).toBe(false);
  });
});
