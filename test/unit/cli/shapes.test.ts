/** What does a terminal show of a place and of a passage? */
import { describe, expect, it } from 'vitest';
import type { Anchor } from '../../../src/api/anchor.ts';
import { excerpt, placesInWords } from '../../../src/cli/shapes.ts';

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
