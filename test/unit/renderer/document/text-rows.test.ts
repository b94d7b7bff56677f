/** Are the rows of a text and its lit ranges right, without a browser? */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuote } from '../../../../src/renderer/src/document/text/find-quote.ts';
import { litRanges, rowOfLine, rowText, toRows } from '../../../../src/renderer/src/document/text/rows.ts';

describe('toRows', () => {
  it('gives back the lines of any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'Ж', '😀', ' '), maxLength: 30 }), { minLength: 1 }),
        (lines) => {
          const rows = toRows(lines.join('\n'));
          const found = Array.from({ length: rows.count }, (_, i) => rowText(rows, i));
          // A line feed at the end ends the last line; it begins none.
          const expected = lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
          expect(found).toEqual(expected);
          expect([...rows.lines.subarray(0, rows.count)]).toEqual(expected.map((_, i) => i + 1));
        },
      ),
    );
  });

  it('draws a long line as several rows of one line, no character cut', () => {
    const rows = toRows(`a\n${'x😀'.repeat(2_000)}\nb`);
    const pieces = Array.from({ length: rows.count }, (_, i) => rowText(rows, i));
    expect(pieces.every((piece) => piece.length <= 2_000 && piece.isWellFormed())).toBe(true);
    expect(pieces.slice(1, -1).join('')).toBe('x😀'.repeat(2_000));
    expect(rows.lines[rows.count - 1]).toBe(3);
    expect(rowOfLine(rows, 2)).toBe(1);
    expect(rowOfLine(rows, 3)).toBe(rows.count - 1);
  });
});

describe('findQuote', () => {
  const cases: { name: string; text: string; quote: string; found: string | undefined }[] = [
    {
      name: 'the same words',
      text: 'A day. The price is 10. More.',
      quote: 'The price is 10.',
      found: 'The price is 10.',
    },
    {
      name: 'words over other white space',
      text: 'The  price\n is 10.',
      quote: 'The price is 10.',
      found: 'The  price\n is 10.',
    },
    {
      name: 'signs at both ends',
      text: 'cost (1 000,50 ₽); paid',
      quote: '(1 000,50 ₽);',
      found: '(1 000,50 ₽);',
    },
    { name: 'not signs that differ', text: 'open(a) + close', quote: '[open(a)]', found: 'open(a)' },
    {
      name: 'accents written in two',
      text: 'un e\u0301te\u0301 chaud',
      quote: 'été chaud',
      found: 'e\u0301te\u0301 chaud',
    },
    {
      name: 'both ends of a quote whose middle differs',
      text: 'one two three four X five six seven eight end',
      quote: 'one two three four Y five six seven eight',
      found: 'one two three four X five six seven eight',
    },
    { name: 'nothing', text: 'one two three', quote: 'four five', found: undefined },
    { name: 'nothing for no words', text: 'one two', quote: ' — ', found: undefined },
  ];
  it.each(cases)('finds $name', ({ text, quote, found }) => {
    const range = findQuote(text, quote);
    expect(range && text.slice(range.start, range.end)).toBe(found);
  });
});

describe('litRanges', () => {
  const rows = toRows('one\ntwo words here\n\nfour\nfive');
  const lit = (from: number, to: number, quote: string): string[] =>
    litRanges(rows, [{ kind: 'lines', from, to }], quote).map(({ start, end }) =>
      rows.text.slice(start, end),
    );

  it('are the quote where it stands on the cited lines', () => {
    expect(lit(2, 2, 'words')).toEqual(['words']);
  });

  it('are the whole lines where it does not', () => {
    expect(lit(4, 5, 'one')).toEqual(['four\nfive']);
  });

  it('run on over blank lines between cited ones', () => {
    const anchors = [2, 4].map((line) => ({ kind: 'lines' as const, from: line, to: line }));
    expect(litRanges(rows, anchors, 'here four')).toHaveLength(1);
  });

  it('are none beyond the end of a text that became shorter', () => {
    expect(lit(99, 99, 'one')).toEqual([]);
  });
});
