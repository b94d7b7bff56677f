/** Is a passage found again in a changed text, and never a wrong one? */
import { describe, expect, it } from 'vitest';
import { findQuote } from '../../../src/engine/locate.ts';

describe('a quote in a changed text', () => {
  const text = 'Head. The fee is 5. Middle. The fee is 5. Tail. Only once.';

  it('is found where it stands once', () => {
    expect(findQuote(text, 'Only once.', 'anything', '')).toBe(text.indexOf('Only once.'));
  });

  it('is told from its repetition by the words before and after', () => {
    expect(findQuote(text, 'The fee is 5.', 'Middle. ', ' Tail.')).toBe(text.lastIndexOf('The fee'));
    expect(findQuote(text, 'The fee is 5.', 'Head. ', ' Middle.')).toBe(text.indexOf('The fee'));
  });

  it('is lost rather than guessed among equals', () => {
    expect(findQuote('a b a b a b', 'b', 'x', 'y')).toBeUndefined();
    expect(findQuote('1 fee 2 1 fee 2 3 fee 4', 'fee', '1 ', ' 2')).toBeUndefined();
  });

  it('is lost when it is gone or empty', () => {
    expect(findQuote(text, 'The fee is 6.', '', '')).toBeUndefined();
    expect(findQuote(text, '  ', '', '')).toBeUndefined();
  });
});
