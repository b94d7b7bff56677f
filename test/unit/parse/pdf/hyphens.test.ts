import { describe, expect, it } from 'vitest';
import { joinsHyphen, KnownWords } from '../../../../src/engine/parse/pdf/hyphens.ts';

const words = new KnownWords(100);
words.add('A long-term view of the register');

describe('joinsHyphen', () => {
  it.each([
    { text: 'the regis-', next: 'ter lies', expected: 'drop' },
    { text: 'a long-', next: 'term plan', expected: 'touch' },
    { text: 'state-of-the-', next: 'art barns', expected: 'touch' },
    { text: 'догово\u00ad', next: 'ра поставки', expected: 'drop' },
    { text: 'the Anglo-', next: 'Saxon kings', expected: 'touch' },
    { text: 'a plain end', next: 'and a start', expected: 'space' },
    { text: 'he said -', next: 'and went', expected: 'space' },
  ])('"$text" and "$next": $expected', ({ text, next, expected }) => {
    expect(joinsHyphen(text, next, (word) => words.has(word))).toBe(expected);
  });
});
