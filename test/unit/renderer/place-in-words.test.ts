/** Are places said as a person would say them, in both languages? */
import { describe, expect, it } from 'vitest';
import type { Anchor } from '../../../src/api/anchor.ts';
import { placeInWords, placesInWords } from '../../../src/renderer/src/ask/place-in-words.ts';
import { createLanguage } from '../../../src/renderer/src/language/language.ts';

const en = createLanguage('en').t;
const ru = createLanguage('ru').t;
const page = (number: number): Anchor => ({ kind: 'page', page: number, boxes: [] });

const places: [Anchor, string, string][] = [
  [page(12), 'page 12', 'стр. 12'],
  [{ kind: 'cells', sheet: 'Budget', range: 'B2:F9' }, 'Budget, B2:F9', 'Budget, B2:F9'],
  [{ kind: 'slide', slide: 4 }, 'slide 4', 'слайд 4'],
  [{ kind: 'lines', from: 3, to: 3 }, 'line 3', 'строка 3'],
  [{ kind: 'lines', from: 3, to: 8 }, 'lines 3–8', 'строки 3–8'],
  [{ kind: 'time', fromMs: 42_000, toMs: 3_665_000 }, '00:42–1:01:05', '00:42–1:01:05'],
  [{ kind: 'element', path: 'b12', start: 0, end: 4 }, '', ''],
];

describe('the place of an anchor', () => {
  it.each(places)('%j is said', (anchor, english, russian) => {
    expect(placeInWords(anchor, en)).toBe(english);
    expect(placeInWords(anchor, ru)).toBe(russian);
  });
});

describe('the place of a passage', () => {
  it('names a range of pages when it crosses them', () => {
    expect(placesInWords([page(7), page(8), page(8)], [], en)).toBe('pages 7–8');
  });

  it('names one page once', () => {
    expect(placesInWords([page(7), page(7)], ['Prices'], en)).toBe('page 7');
  });

  it('joins several stretches of lines', () => {
    const lines: Anchor[] = [
      { kind: 'lines', from: 9, to: 9 },
      { kind: 'lines', from: 3, to: 4 },
    ];
    expect(placesInWords(lines, [], en)).toBe('lines 3–9');
  });

  it('names the nearest heading where the anchor says nothing to a person', () => {
    const element: Anchor = { kind: 'element', path: 'b3', start: 0, end: 9 };
    expect(placesInWords([element], ['Annex', 'Prices'], en)).toBe('section “Prices”');
    expect(placesInWords([element], [], en)).toBe('');
  });
});
