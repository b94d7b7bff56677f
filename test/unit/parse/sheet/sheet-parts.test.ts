import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromCellName,
  fromRangeName,
  toCellName,
  toRangeName,
} from '../../../../src/engine/parse/sheet/a1.ts';
import { detectDialect } from '../../../../src/engine/parse/sheet/detect-delimiter.ts';
import { readFieldValue } from '../../../../src/engine/parse/sheet/field-value.ts';
import { columnNames, findHeader, type SheetRow } from '../../../../src/engine/parse/sheet/find-header.ts';
import {
  guessLocale,
  readFormat,
  showNumber,
  valueBeneath,
} from '../../../../src/engine/parse/sheet/number-format.ts';
import { SharedStrings, unescapeString } from '../../../../src/engine/parse/sheet/shared-strings.ts';

describe('cell names', () => {
  it('come back from every row and column', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_048_576 }),
        fc.integer({ min: 0, max: 16_383 }),
        (row, column) => {
          expect(fromCellName(toCellName(row, column))).toEqual({ row, column });
        },
      ),
    );
  });

  it('make ranges of either order', () => {
    expect(toRangeName(fromRangeName('F9:$B$2')!)).toBe('B2:F9');
    expect(toRangeName(fromRangeName('AA10')!)).toBe('AA10');
    for (const wrong of ['', 'B', '7', '7B', 'B0', 'лист']) expect(fromRangeName(wrong)).toBeUndefined();
  });
});

describe('detectDialect', () => {
  const cases: [string, string, boolean][] = [
    ['a,b,c\n1,2,3\n', ',', false],
    ['a;b\n1,5;2,5\n3,25;4,75\n', ';', true],
    ['имя\tсумма\nчай\t1 234,50\n', '\t', true],
    ['a|b\n1|2\n', '|', false],
    ['"x, y";"z"\n"p, q, r";"s"\n', ';', true],
    ['name;note\n1;"two; three"\n2;"four\nfive"\n', ';', true],
    ['sep=|\na;b|c;d\n', '|', false],
    ['one column\nonly words\n', ',', false],
  ];
  it.each(cases)('reads %j by %j', (sample, delimiter, hasDecimalComma) => {
    const dialect = detectDialect(sample, true);
    expect(dialect.delimiter).toBe(delimiter);
    expect(dialect.hasDecimalComma).toBe(hasDecimalComma);
  });
});

describe('readFieldValue', () => {
  const points: [string, number | string | undefined][] = [
    ['1,234.50', 1234.5],
    ['-12', -12],
    ['(300)', -300],
    ['$1,200', 1200],
    ['25%', 0.25],
    ['2024-03-12', '2024-03-12'],
    ['2024-03-12 14:05', '2024-03-12T14:05:00'],
    ['12.03.2024', '2024-03-12'],
    ['25/12/2024', '2024-12-25'],
    ['03/04/2024', undefined], // March or April
    ['31.02.2024', undefined],
    ['007', undefined],
    ['12345678901234567890', undefined],
    ['1.2.3', undefined],
    ['+7 495 123-45-67', undefined],
    ['word', undefined],
    ['', undefined],
  ];
  it.each(points)('reads %j with decimal points as %j', (text, value) => {
    expect(readFieldValue(text, false)).toBe(value);
  });

  const commas: [string, number | undefined][] = [
    ['1 234,50', 1234.5],
    ['1\u00a0234\u00a0567,5', 1234567.5],
    ['1.234,50', 1234.5],
    ['-0,5', -0.5],
    ['99,90 ₽', 99.9],
  ];
  it.each(commas)('reads %j with decimal commas as %j', (text, value) => {
    expect(readFieldValue(text, true)).toBe(value);
  });
});

const cellsOf = (values: (string | number | null)[], isBold = false) =>
  values.flatMap((value, column) =>
    value === null
      ? []
      : [{ column, text: String(value), isBold, ...(typeof value === 'number' ? { value } : {}) }],
  );
const rowsOf = (...rows: ((string | number | null)[] | { bold: (string | number | null)[] })[]): SheetRow[] =>
  rows.map((row, at) => ({
    row: at + 1,
    cells: Array.isArray(row) ? cellsOf(row) : cellsOf(row.bold, true),
  }));

describe('findHeader', () => {
  const cases: { name: string; rows: SheetRow[]; merges?: string[]; expected: [number, number] }[] = [
    {
      name: 'names over numbers',
      rows: rowsOf(['Item', 'Price'], ['Tea', 3], ['Milk', 2]),
      expected: [0, 1],
    },
    {
      name: 'names over words',
      rows: rowsOf(['Name', 'Town'], ['Ann', 'Oslo'], ['Bo', 'Rome']),
      expected: [0, 1],
    },
    { name: 'numbers alone', rows: rowsOf([1, 2], [3, 4], [5, 6]), expected: [0, 0] },
    {
      name: 'years as names',
      rows: rowsOf(['Item', 2023, 2024], ['Tea', 5, 6], ['Milk', 7, 8]),
      expected: [0, 1],
    },
    { name: 'a title above', rows: rowsOf(['Budget 2024'], ['Item', 'Price'], ['Tea', 3]), expected: [1, 1] },
    { name: 'bold names', rows: rowsOf({ bold: ['Who', 'What'] }, ['a', 'b'], ['a', 'b']), expected: [0, 1] },
    { name: 'names alone', rows: rowsOf(['Name', 'Born', 'Town']), expected: [0, 1] },
    { name: 'repeated words', rows: rowsOf(['x', 'y'], ['x', 'z'], ['x', 'y']), expected: [0, 0] },
    {
      name: 'two rows with merged names',
      rows: rowsOf(['Item', 'Costs', null], [null, 'Plan', 'Fact'], ['Tea', 3, 4]),
      merges: ['A1:A2', 'B1:C1'],
      expected: [0, 2],
    },
  ];
  it.each(cases)('finds $name', ({ rows, merges = [], expected: [titles, header] }) => {
    expect(
      findHeader(
        rows,
        merges.map((name) => fromRangeName(name)!),
        true,
      ),
    ).toEqual({ titles, rows: header });
  });

  it('joins the names of two rows over each column', () => {
    const rows = rowsOf(['Item', 'Costs', null], [null, 'Plan', 'Fact']);
    const merges = ['A1:A2', 'B1:C1'].map((name) => fromRangeName(name)!);
    expect(columnNames(rows, merges)).toEqual(['Item', 'Costs / Plan', 'Costs / Fact']);
  });
});

describe('number formats', () => {
  const none = new Map<number, string>();
  const custom = (code: string) => readFormat(164, new Map([[164, code]]), 'ru');
  const cases: [string, number, string, string][] = [
    ['#,##0.00', 1234567.5, 'ru', '1\u00a0234\u00a0567,50'],
    ['#,##0.00', 1234567.5, 'en', '1,234,567.50'],
    ['dd.mm.yyyy', 45_000, 'en', '15.03.2023'],
    ['[$-FC19]dd mmmm yyyy \\г\\.;@', 45_000, 'ru', '15 марта 2023 г.'],
    ['[$-419]mmmm yyyy', 45_000, 'en', 'Март 2023'],
    ['#,##0.00\\ "₽"', 980, 'ru', '980,00 ₽'],
    ['0.0%', 0.256, 'ru', '25,6%'],
    ['[h]:mm', 1.5, 'en', '36:00'],
    ['bogus [[', 5, 'en', '5'],
  ];
  it.each(cases)('shows %s of %d in %s as %s', (code, value, locale, shown) => {
    expect(showNumber(value, custom(code), locale, false)).toBe(shown);
  });

  it('shows built-in dates in the way of the locale', () => {
    expect(showNumber(45_000, readFormat(14, none, 'ru'), 'ru', false)).toBe('15.03.2023');
    expect(showNumber(45_000, readFormat(14, none, 'en'), 'en', false)).toBe('3/15/2023');
  });

  it('gives days as ISO, in both calendars', () => {
    const day = custom('dd.mm.yyyy');
    expect(valueBeneath(45_000, day, false)).toBe('2023-03-15');
    expect(valueBeneath(45_000.75, day, false)).toBe('2023-03-15T18:00:00');
    expect(valueBeneath(43_538, day, true)).toBe('2023-03-15');
    expect(valueBeneath(5.5, custom('0.0'), false)).toBe(5.5);
    expect(valueBeneath(0.5, custom('h:mm'), false)).toBe(0.5);
  });

  it('takes the locale from the formats before the words', () => {
    expect(guessLocale(['#,##0.00 ₽', '0%'], 'en')).toBe('ru');
    expect(guessLocale(['0%'], 'de')).toBe('de');
    expect(guessLocale([], 'und')).toBe('en');
  });
});

describe('SharedStrings', () => {
  it('gives back every string', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 50 }), { maxLength: 3_000 }), (texts) => {
        const strings = new SharedStrings();
        for (const text of texts) strings.add(text);
        texts.forEach((text, at) => {
          expect(strings.get(at)).toBe(text);
        });
        expect(strings.get(texts.length)).toBeUndefined();
        expect(strings.get(-1)).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  it('reads characters that XML forbids', () => {
    expect(unescapeString('one_x000D_two_x005F_x0041_')).toBe('one\rtwo_x0041_');
  });
});
