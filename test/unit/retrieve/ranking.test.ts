import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTermFinder } from '../../../src/engine/language/find-terms.ts';
import { findDuplicates } from '../../../src/engine/retrieve/duplicates.ts';
import {
  backgroundOf,
  fuse,
  fusedScore,
  meaningShare,
  toCoverage,
  toMeaning,
  type VectorList,
} from '../../../src/engine/retrieve/fuse.ts';
import { contentFinder, findMatches } from '../../../src/engine/retrieve/matches.ts';
import { readQuestion } from '../../../src/engine/retrieve/read-question.ts';
import { blendRerank } from '../../../src/engine/retrieve/rerank.ts';
import { textCoverage, weighTerms } from '../../../src/engine/retrieve/text-coverage.ts';

const list = (...scores: [number, number][]) =>
  scores.map(([chunkId, score]) => ({ chunkId, documentId: 1, score }));

describe('fuse', () => {
  const weights = {
    ...{ name: 'meaning', keywordWeight: 0.7, vectorWeight: 0.3 },
    ...{ background: { mean: 0.1, spread: 0.07 }, relevantMeaning: 0.27 },
  };

  it('lets words alone speak for what is not embedded, and meaning alone for what shares no word', () => {
    const fused = fuse(list([1, 0.5], [2, 0.4]), [{ ...weights, entries: list([2, 0.1], [3, 0.8]) }]);
    const scores = Object.fromEntries(fused.map(({ chunkId, score }) => [chunkId, score]));
    expect(scores[1]).toBeCloseTo(0.5);
    expect(scores[2]).toBeCloseTo(0.4);
    expect(scores[3]).toBeGreaterThan(0.3);
    expect(fused.find(({ chunkId }) => chunkId === 2)?.lists).toEqual([
      { name: 'keywords', rank: 2, score: 0.4 },
      { name: 'meaning', rank: 1, score: 0.1 },
    ]);
  });

  it('gives meaning less, the more of the question some passage holds', () => {
    expect(meaningShare([{ coverage: 0 }])).toBe(1);
    expect(meaningShare([{ coverage: 0.1 }, { coverage: 0.2 }])).toBeGreaterThan(0.3);
    expect(meaningShare([{ coverage: 0.6 }])).toBe(0);
  });

  it('credits meaning more in another language than the question', () => {
    const lists: VectorList[] = [{ ...weights, entries: [] }];
    const score = (isSame: boolean) => fusedScore({ coverage: 0, cosines: [0.4] }, lists, isSame, 0);
    expect(score(false)).toBeGreaterThan(score(true));
    expect(fusedScore({ coverage: 0.5, cosines: [0.4] }, lists, true, 0)).toBe(0.5);
    expect(fusedScore({ coverage: 0.5, cosines: [0.4] }, lists, false, 0)).toBeGreaterThan(0.5);
  });

  it('compares embedders whose cosines lie elsewhere, and asks the first that knows the passage', () => {
    const narrow = { mean: 0.8, spread: 0.02 };
    expect(toMeaning(0.9, narrow)).toBeCloseTo(toMeaning(0.1 + 5 * 0.07, weights.background));
    expect(backgroundOf([0.7, 0.9])).toEqual({ mean: expect.closeTo(0.8), spread: expect.closeTo(0.1) });
    expect(backgroundOf([0.5, 0.5]).spread).toBeGreaterThan(0);
    const lists: VectorList[] = [
      { ...weights, background: narrow, entries: [] },
      { ...weights, entries: [] },
    ];
    const of = (cosines: (number | undefined)[]) => fusedScore({ coverage: 0, cosines }, lists, true, 1);
    expect(of([0.9, 0.2])).toBeCloseTo(of([undefined, 0.45]));
    expect(of([undefined, undefined])).toBe(0);
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
  const { terms } = readQuestion('standard ambulance services');
  const finder = createTermFinder(terms);
  const cover = (text: string, title = '') =>
    textCoverage(
      weighTerms(terms, [50, 2, 20], 100),
      finder,
      { text, headings: [], title, language: 'en' },
      4,
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
    expect(
      findMatches(text, contentFinder(terms), 'en').map(({ start, end }) => text.slice(start, end)),
    ).toEqual(['contract', 'rule']);
  });
});
