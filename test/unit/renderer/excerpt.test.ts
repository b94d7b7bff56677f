/** Does a long passage show the part that matters? */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt } from '../../../src/renderer/src/ask/excerpt.ts';

const filler = 'Nothing to see in this sentence about the weather. '.repeat(20);

describe('the excerpt of a passage', () => {
  it('is the whole of a short one', () => {
    expect(excerpt('Short.', [])).toEqual({ start: 0, end: 6 });
  });

  it('is the window with most of the different matched words, from the beginning of a sentence', () => {
    const text = `${filler}notice. ${filler}The supplier gives notice of sixty days. ${filler}`;
    const matches = ['supplier', 'notice of', 'days'].map((word) => {
      const start = text.indexOf(word);
      return { start, end: start + word.length };
    });
    const { start, end } = excerpt(text, [{ start: filler.length, end: filler.length + 6 }, ...matches]);
    expect(text.slice(start, end)).toContain('The supplier gives notice of sixty days.');
    expect(text.slice(start)).toMatch(/^[A-Z]/);
  });

  it('is inside the text for every text and every match', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000 }), fc.nat(1999), fc.nat(40), (text, at, length) => {
        const start = Math.min(at, text.length);
        const part = excerpt(text, [{ start, end: Math.min(text.length, start + length) }]);
        expect(part.start).toBeGreaterThanOrEqual(0);
        expect(part.end).toBeGreaterThanOrEqual(part.start);
        expect(part.end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 200 },
    );
  });
});
