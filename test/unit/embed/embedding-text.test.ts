import { describe, expect, it } from 'vitest';
import { embeddingText } from '../../../src/engine/embed/embedding-text.ts';

describe('embeddingText', () => {
  it.each([
    {
      title: 'Handbook',
      headings: ['Leave', 'Notice'],
      text: 'Three weeks.',
      expected: 'Handbook › Leave › Notice\nThree weeks.',
    },
    { title: 'Handbook', headings: ['Handbook', 'Leave'], text: 'x', expected: 'Handbook › Leave\nx' },
    { title: '', headings: [], text: 'x', expected: 'x' },
  ])('puts title and headings before "$text"', ({ expected, ...chunk }) => {
    expect(embeddingText(chunk)).toBe(expected);
  });
});
