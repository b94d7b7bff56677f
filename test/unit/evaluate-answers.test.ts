import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/api/types.ts';
import {
  answeredText,
  exactMatch,
  meanMeasures,
  percentile,
  refusalAccuracy,
  tokenF1,
} from '../../src/engine/evaluate-answers.ts';

const question = (answers: string[], more: Partial<Question> = {}): Question => ({
  id: 'q',
  question: 'q',
  language: 'en',
  answers,
  ...more,
});

describe('exactMatch', () => {
  const cases: [given: string, asked: Question, expected: 0 | 1][] = [
    ['The Panthers.', question(['the panthers']), 1],
    ['«Ещё раз» [1]', question(['еще раз'], { language: 'ru' }), 1],
    ['1,214', question(['1214']), 1],
    ['12.14', question(['1,214']), 0],
    ['1 214,50', question(['1.214,5'], { language: 'de' }), 1],
    ['−5', question(['-5']), 1],
    ['5', question(['-5']), 0],
    ['(5)', question(['-5']), 1],
    ['-5', question(['5']), 0],
    ['$1,496.5', question(['1496.5'], { scale: 'million' }), 1],
    ['1,496,500,000', question(['$1,496.5'], { scale: 'million' }), 1],
    ['1,496.5 million', question(['$1,496.5'], { scale: 'million' }), 1],
    ['1,496.5 thousand', question(['$1,496.5'], { scale: 'million' }), 0],
    ['12.5%', question(['12.5'], { scale: 'percent' }), 1],
    ['0.125', question(['12.5'], { scale: 'percent' }), 0],
    ['about 12', question(['12']), 0],
    ['2024', question(['2023', '2024']), 1],
    ['', question(['x']), 0],
    ['B and A', question(['A', 'B'], { answerType: 'multi-span' }), 1],
    ['A; B; C', question(['A', 'B'], { answerType: 'multi-span' }), 0],
    ['A', question(['A', 'B'], { answerType: 'multi-span' }), 0],
    [
      'research and development, sales',
      question(['research and development', 'sales'], { answerType: 'multi-span' }),
      1,
    ],
  ];
  for (const [given, asked, expected] of cases) {
    it(`"${given}" for ${JSON.stringify(asked.answers)} ${asked.scale ?? ''} is ${expected}`, () => {
      expect(exactMatch(given, asked)).toBe(expected);
    });
  }
});

describe('tokenF1', () => {
  it('counts common words and numbers by value', () => {
    expect(tokenF1('1,214 people', question(['1214 people']))).toBe(1);
    expect(tokenF1('12.14', question(['1,214']))).toBe(0);
    expect(tokenF1('a b c d', question(['c d']))).toBeCloseTo(2 / 3);
    expect(tokenF1('', question(['c d']))).toBe(0);
    expect(tokenF1('x', question(['y', 'x']))).toBe(1);
  });
});

describe('refusalAccuracy', () => {
  it('wants unanswerable questions refused and no other', () => {
    expect(refusalAccuracy({ mode: 'refused' }, question([], { unanswerable: true }))).toBe(1);
    expect(refusalAccuracy({ mode: 'extractive' }, question([], { unanswerable: true }))).toBe(0);
    expect(refusalAccuracy({ mode: 'refused' }, question(['a']))).toBe(0);
    expect(refusalAccuracy({ mode: 'generated' }, question(['a']))).toBe(1);
  });
});

describe('answeredText', () => {
  it('is the bare answer where there is one', () => {
    expect(answeredText({ answer: 'It is 5 [1].', short: '5' })).toBe('5');
    expect(answeredText({ answer: 'It is five [1].', short: '' })).toBe('It is five [1].');
  });
});

describe('meanMeasures and percentile', () => {
  it('average over the questions that have a measure', () => {
    expect(meanMeasures([{ a: 1, b: 1 }, { a: 0 }])).toEqual({ a: 0.5, b: 1 });
    expect(percentile([4, 1, 3, 2], 0.5)).toBe(3);
    expect(percentile([], 0.95)).toBe(0);
  });
});
