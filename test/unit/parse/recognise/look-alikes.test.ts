import { describe, expect, it } from 'vitest';
import { inOneScript } from '../../../../src/engine/parse/recognise/look-alikes.ts';

function check(given: string, expected: string): void {
  expect(inOneScript(given.split(' ')).join(' ')).toBe(expected);
}

// In the first column letters of the other alphabet are hidden: they look the same.
describe('inOneScript', () => {
  it.each([
    ['a word of Latin shapes among Russian ones', 'у восточных BOPOT', 'у восточных ВОРОТ'],
    ['a Cyrillic letter among English words', 'wears \u0430 badge', 'wears a badge'],
    ['letters of both alphabets in one word', 'д\u006fгов\u006fр', 'договор'],
    [
      'an English name in a Russian line',
      'компания Northern Seas объявила',
      'компания Northern Seas объявила',
    ],
    [
      'a word between two alphabets goes with the line',
      'он wrote \u0430 letter to them',
      'он wrote a letter to them',
    ],
    ['a line that tells nothing', 'CEO 2024', 'CEO 2024'],
  ])('%s', (_, given, expected) => check(given, expected));
});
