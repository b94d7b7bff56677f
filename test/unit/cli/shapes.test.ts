/** What does a terminal show of a place and of a passage? */
import { describe, expect, it } from 'vitest';
import type { Anchor } from '../../../src/api/anchor.ts';
import type { Coverage, DocumentRow } from '../../../src/api/types.ts';
import { causeInWords, coverageInWords, excerpt, placesInWords } from '../../../src/cli/shapes.ts';

const page = (number: number): Anchor => ({ kind: 'page', page: number, boxes: [] });

describe('places in words', () => {
  it.each<[Anchor[], string]>([
    [[], ''],
    [[{ kind: 'element', path: 'b1', start: 0, end: 3 }], ''],
    [[page(2)], ' · page 2'],
    [[page(2), page(3)], ' · pages 2–3'],
    [[{ kind: 'lines', from: 4, to: 4 }], ' · line 4'],
    [
      [
        { kind: 'lines', from: 1, to: 4 },
        { kind: 'lines', from: 6, to: 9 },
      ],
      ' · lines 1–9',
    ],
    [[{ kind: 'cells', sheet: 'Budget', range: 'B2:F2' }], ' · Budget, B2:F2'],
  ])('%j', (anchors, expected) => {
    expect(placesInWords(anchors)).toBe(expected);
  });
});

describe('what was searched', () => {
  const none = { searched: 0, total: 0, failed: 0, waiting: 0 };
  it.each<[Coverage, string]>([
    [none, 'Searched 0 of 0 documents.'],
    [{ ...none, searched: 1, total: 1 }, 'Searched 1 of 1 document.'],
    [
      { searched: 4812, total: 4903, failed: 30, waiting: 61, partly: 12 },
      'Searched 4,812 of 4,903 documents; 91 not searched, 12 only in part: see "lectern documents --state incomplete".',
    ],
    [
      { ...none, searched: 2, total: 2, partly: 1 },
      'Searched 2 of 2 documents; 1 only in part: see "lectern documents --state incomplete".',
    ],
  ])('%j', (coverage, expected) => expect(coverageInWords(coverage)).toBe(expected));
});

describe('why a document is not searched whole', () => {
  const row = (given: object) => ({ state: 'indexed', warnings: [], ...given }) as unknown as DocumentRow;
  it.each([
    [row({}), ''],
    [row({ warnings: [{ code: 'recognised', message: 'From pictures' }] }), ''],
    [
      row({ state: 'failed', reason: 'encrypted' }),
      'It is protected by a password. Save a copy without the password into the folder.',
    ],
    [
      row({ warnings: [{ code: 'pages-unreadable', message: 'Not read: page 3: the page is damaged' }] }),
      'Not read: page 3: the page is damaged. Open it in its own program and save it again, or get an intact copy.',
    ],
  ])('%j', (given, expected) => expect(causeInWords(given)).toBe(expected));
});

describe('an excerpt', () => {
  const text = `${'before '.repeat(40)}the needle stands here ${'after '.repeat(40)}`;
  const at = text.indexOf('needle');

  it('shows the matching words, cut at words, and says that more stands around', () => {
    const shown = excerpt(text, [{ start: at, end: at + 6 }], 100);
    expect(shown).toContain('needle');
    expect(shown).toMatch(/^… before.*after …$/);
    expect(shown.length).toBeLessThanOrEqual(105);
  });

  it('shows a short passage whole', () => {
    expect(excerpt('All of\nit.', [], 100)).toBe('All of it.');
  });

  it('begins at the beginning when nothing matches', () => {
    expect(excerpt(text, [], 50)).toMatch(/^before/);
  });
});
