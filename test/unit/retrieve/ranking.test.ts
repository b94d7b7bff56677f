import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStemmer } from '../../../src/engine/language/stem.ts';
import { findDuplicates } from '../../../src/engine/retrieve/duplicates.ts';
import { fuse, toCoverage } from '../../../src/engine/retrieve/fuse.ts';
import { findMatches } from '../../../src/engine/retrieve/matches.ts';
import { readQuestion } from '../../../src/engine/retrieve/read-question.ts';
import { blendRerank } from '../../../src/engine/retrieve/rerank.ts';
import { textCoverage, weighTerms } from '../../../src/engine/retrieve/text-coverage.ts';

const list = (...scores: [number, number][]) =>
  scores.map(([chunkId, score]) => ({ chunkId, documentId: 1, score }));

describe('fuse', () => {
  const weights = { name: 'meaning', keywordWeight: 0.7, vectorWeight: 0.3 };

  it('weighs coverage and cosine, and lets words alone speak for what is not embedded', () => {
    const fused = fuse(list([1, 0.5], [2, 0.4]), [{ ...weights, entries: list([2, 0.9], [3, 0.8]) }]);
    const scores = Object.fromEntries(fused.map(({ chunkId, score }) => [chunkId, score]));
    expect(scores[1]).toBeCloseTo(0.5);
    expect(scores[2]).toBeCloseTo(0.7 * 0.4 + 0.3 * 0.9);
    expect(scores[3]).toBeCloseTo(0.3 * 0.8);
  });

  it('keeps every candidate of every list once, best first, whatever the lists hold', () => {
    const anyList = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 30 }), fc.double({ min: -1, max: 1, noNaN: true })),
      {
        selector: ([id]) => id,
      },
    );
    fc.assert(
      fc.property(anyList, anyList, (keyword, vector) => {
        const fused = fuse(toCoverage(list(...keyword), 2), [{ ...weights, entries: list(...vector) }]);
        const ids = fused.map(({ chunkId }) => chunkId);
        expect(new Set(ids)).toEqual(new Set([...keyword, ...vector].map(([id]) => id)));
        expect(ids).toHaveLength(new Set(ids).size);
        for (let at = 1; at < fused.length; at++) {
          expect(fused[at]!.score).toBeLessThanOrEqual(fused[at - 1]!.score);
        }
      }),
    );
  });

  it('is the keyword list itself without an embedder', () => {
    expect(fuse(list([7, 0.9], [3, 0.5]), []).map(({ chunkId }) => chunkId)).toEqual([7, 3]);
  });
});

describe('textCoverage', () => {
  const stemmer = createStemmer();
  const { terms } = readQuestion('standard ambulance services');
  const cover = (text: string, title = '') =>
    textCoverage(
      weighTerms(terms, [50, 2, 20], 100),
      { text, headings: [], title, language: 'en' },
      4,
      stemmer,
    );

  it('is 0 for nothing, below 1 for everything, and counts other forms of a word', () => {
    expect(cover('nothing of it')).toBe(0);
    expect(cover('standard ambulance services')).toBeGreaterThan(0.3);
    expect(cover('standard ambulance services')).toBeLessThan(1);
    expect(cover('ambulances')).toBeGreaterThan(cover('services'));
  });

  it("lets the document's name tell two alike passages apart", () => {
    expect(cover('ambulance', 'Standard_Benefits.pdf')).toBeGreaterThan(
      cover('ambulance', 'Plus_Benefits.pdf'),
    );
  });
});

describe('findDuplicates', () => {
  const text = 'The notice period is thirty days for both parties and begins on the day of delivery.';

  it('drops a repetition, not a passage with another number', () => {
    expect(findDuplicates([{ text }, { text: `${text} ` }])).toEqual(new Set([1]));
    expect(findDuplicates([{ text: `In 2023: ${text}` }, { text: `In 2024: ${text}` }])).toEqual(new Set());
    expect(findDuplicates([{ text }, { text: 'Something else stands here altogether.' }])).toEqual(new Set());
  });
});

describe('blendRerank', () => {
  it('moves less at the top than further down', () => {
    const scores = blendRerank([1, 0.9, 0.8, 0.7, 0.6, 0.5], [0, 0, 0, 0, 1, 0]);
    expect(scores[0]).toBeCloseTo(0.6);
    expect(scores[4]).toBeGreaterThan(scores[1]!);
    expect(blendRerank([0.5], [3])).toEqual([1]);
  });
});

describe('findMatches', () => {
  it('marks other forms of the content words only', () => {
    const { terms } = readQuestion('what are the rules for contracts');
    const text = 'The contract rule, and what the others are.';
    expect(findMatches(text, terms, 'en').map(({ start, end }) => text.slice(start, end))).toEqual([
      'contract',
      'rule',
    ]);
  });
});
