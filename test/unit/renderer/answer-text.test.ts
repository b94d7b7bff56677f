/** Do answers fall into the right lines, sentences and marks? */
import { describe, expect, it } from 'vitest';
import type { AnswerSentence } from '../../../src/api/types.ts';
import {
  paragraphs,
  pieces,
  streamedLines,
  wholeSentences,
  withMarks,
  withoutMarks,
} from '../../../src/renderer/src/ask/answer-text.ts';

const sentence = (text: string): AnswerSentence => ({
  text,
  citations: [1],
  support: 'supported',
  missing: [],
});

describe('marks in a text', () => {
  it('become numbers, the space before them is dropped', () => {
    expect(pieces('Sixty days [1]. More [2, 3]')).toEqual([
      { kind: 'text', text: 'Sixty days' },
      { kind: 'mark', number: 1 },
      { kind: 'text', text: '. More' },
      { kind: 'mark', number: 2 },
      { kind: 'mark', number: 3 },
    ]);
  });

  it('leave other brackets alone', () => {
    expect(withoutMarks('see [Annex C] and [12]')).toBe('see [Annex C] and');
  });

  it('stay with the last word before them', () => {
    expect(withMarks(pieces('sixty days [1] [2] then'))).toEqual([
      { text: 'sixty ', tail: 'days', numbers: [1, 2] },
      { text: ' then', tail: '', numbers: [] },
    ]);
  });
});

describe('a streaming text', () => {
  it.each(['days [', 'days [1', 'days [1,'])('never shows half a mark: %s', (text) => {
    expect(streamedLines(text, true)).toEqual([[{ kind: 'text', text: 'days' }]]);
  });

  it('breaks into lines without empty ones', () => {
    expect(streamedLines('One.\n\nTwo.', true)).toHaveLength(2);
  });

  it.each([
    ['The notice period is sixty', 'The notice period is '],
    ['The period is sixty days', 'The period is sixty '],
    ['It is sixty days [1', 'It is sixty '],
    ['It is sixty days [1][2]', 'It is sixty '],
    ['It is sixty days [1]. ', 'It is sixty '],
    ['It is sixty days [1]. The', 'It is sixty days [1]. '],
  ])('draws a word only with the numbers that follow it: %s', (streamed, shown) => {
    expect(streamedLines(streamed, false)).toEqual([pieces(shown)]);
  });
});

describe('sentences read aloud', () => {
  it('wait until they are whole', () => {
    const first = wholeSentences('Sixty days. The buyer', 0, 'en', false);
    expect(first.sentences).toEqual(['Sixty days.']);
    const rest = wholeSentences('Sixty days. The buyer has thirty.', first.next, 'en', true);
    expect(rest.sentences).toEqual(['The buyer has thirty.']);
  });
});

describe('paragraphs', () => {
  it('begin where the whole text breaks its line between two sentences', () => {
    const answer = 'One thing [1]. Another [1].\n\nA third [2].';
    const placed = paragraphs({
      answer,
      sentences: [sentence('One thing [1].'), sentence('Another [1].'), sentence('A third [2].')],
    });
    expect(placed.map((group) => group.map(({ text }) => text))).toEqual([
      ['One thing.', 'Another.'],
      ['A third.'],
    ]);
  });

  it('keep every sentence even where the text can’t be found', () => {
    const placed = paragraphs({ answer: 'x', sentences: [sentence('Lost.'), sentence('Also lost.')] });
    expect(placed.flat().map(({ text }) => text)).toEqual(['Lost.', 'Also lost.']);
  });
});
