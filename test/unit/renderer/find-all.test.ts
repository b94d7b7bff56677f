/** Are words found in a text as a reader means them, and counted right? */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAll, stepTo } from '../../../src/renderer/src/document/find/find-all.ts';

const found = (text: string, words: string, limit?: number): string[] =>
  findAll(text, words, limit).map(({ start, end }) => text.slice(start, end));

describe('finding words', () => {
  it.each([
    ['Notice and NOTICE, noticed', 'notice', ['Notice', 'NOTICE', 'notice']],
    ['sixty (60)\n  days', 'sixty (60) days', ['sixty (60)\n  days']],
    ['Отчёт, отчет, ОТЧЁТ', 'отчет', ['Отчёт', 'отчет', 'ОТЧЁТ']],
    ['все и всё', 'всё', ['все', 'всё']],
    ['a+b, a*b, [a]', 'a+b', ['a+b']],
    ['İstanbul istanbul', 'istanbul', ['istanbul']],
    ['anything', '   ', []],
    ['anything', '', []],
    ['', 'x', []],
  ])('in %j, %j stands at %j', (text, words, expected) => {
    expect(found(text, words)).toEqual(expected);
  });

  it('stops at its limit', () => {
    expect(found('aaaa', 'a', 3)).toHaveLength(3);
  });

  it('gives ranges in order that never overlap, each of which reads as the words', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'ё', 'Е', '.', ' ', '\n', '😀') });
    fc.assert(
      fc.property(letters, letters, (text, words) => {
        let before = 0;
        for (const { start, end } of findAll(text, words)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          before = end;
          const plain = (one: string): string =>
            one.toLowerCase().replaceAll('ё', 'е').trim().replace(/\s+/g, ' ');
          expect(plain(text.slice(start, end))).toBe(plain(words));
        }
      }),
    );
  });
});

describe('walking through what was found', () => {
  it.each([
    [0, 1, 3, 1],
    [2, 1, 3, 0],
    [0, -1, 3, 2],
    [0, 1, 0, 0],
  ] as const)('from %d by %d of %d goes to %d', (at, step, count, next) => {
    expect(stepTo(at, step, count)).toBe(next);
  });
});
