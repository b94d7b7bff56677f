import { describe, expect, it } from 'vitest';
import type { Anchor } from '../../src/api/anchor.ts';
import type { Evidence } from '../../src/api/types.ts';
import { firstRank, isDocument, meets, type Ranked, rankMeasures } from '../../src/engine/evaluate-ranks.ts';

const box = { x: 0, y: 0, width: 1, height: 1 };
const pages = (...numbers: number[]): Anchor[] =>
  numbers.map((page) => ({ kind: 'page', page, boxes: [box] }));
const passage = (path: string, text = 'words', anchors: Anchor[] = []): Ranked => ({
  document: { path },
  text,
  anchors,
});

describe('meets', () => {
  const cell: Anchor[] = [{ kind: 'cells', sheet: 'Budget', range: 'B2:C4' }];
  const long = `${'word '.repeat(799)}last beyond`;
  const cases: [name: string, passage: Ranked, evidence: Evidence, expected: boolean][] = [
    ['any passage of the document', passage('a/b.pdf'), { document: 'a/b.pdf' }, true],
    ['the file name alone', passage('a/b.pdf'), { document: 'b.pdf' }, true],
    ['no other file', passage('a/bb.pdf'), { document: 'b.pdf' }, false],
    ['a member of an archive', passage('z.zip » d/b.docx'), { document: 'z.zip » d/b.docx' }, true],
    ['its page', passage('b.pdf', 'w', pages(3)), { document: 'b.pdf', page: 3 }, true],
    ['its second page', passage('b.pdf', 'w', pages(2, 3)), { document: 'b.pdf', page: 3 }, true],
    ['not its third page', passage('b.pdf', 'w', pages(1, 2, 3)), { document: 'b.pdf', page: 3 }, false],
    ['a quote in it', passage('b', 'The  NOTICE\nperiod'), { document: 'b', quote: 'notice period' }, true],
    [
      'a quote around it',
      passage('b', 'notice period'),
      { document: 'b', quote: 'the notice period is long' },
      true,
    ],
    [
      'a quote across its end',
      passage('b', 'and then the notice period of thirty'),
      { document: 'b', quote: 'the notice period of thirty days begins' },
      true,
    ],
    ['no other quote', passage('b', 'something else'), { document: 'b', quote: 'notice period' }, false],
    ['its first 800 words', passage('b', long), { document: 'b', quote: 'last' }, true],
    ['not the 801st word', passage('b', long), { document: 'b', quote: 'beyond' }, false],
    [
      'a range that overlaps',
      passage('b', 'w', cell),
      { document: 'b', sheet: 'budget', range: 'C4:D9' },
      true,
    ],
    ['no range beside it', passage('b', 'w', cell), { document: 'b', sheet: 'Budget', range: 'D2' }, false],
    ['no other sheet', passage('b', 'w', cell), { document: 'b', sheet: 'Costs', range: 'B2' }, false],
  ];
  for (const [name, given, evidence, expected] of cases) {
    it(`counts ${name}`, () => expect(meets(given, evidence)).toBe(expected));
  }
  it('reads names in any normal form', () => expect(isDocument('e\u0301.pdf', '\u00e9.pdf')).toBe(true));
});

describe('rankMeasures', () => {
  const ranked = ['x', 'b', 'a', 'x', 'b'].map((path) => passage(path));

  it('measures by the first passage that meets any evidence', () => {
    const measures = rankMeasures(ranked, [{ document: 'b' }]);
    expect(measures).toMatchObject({ 'hit@1': 0, 'hit@3': 1, 'hit@10': 1, 'mrr@10': 0.5, 'docHit@1': 0 });
    expect(measures['ndcg@10']).toBeCloseTo(1 / Math.log2(3));
    expect(firstRank(ranked, [{ document: 'none' }])).toBeNull();
  });

  it('wants every item of evidence for a full nDCG, and counts a repeated document once', () => {
    const both = rankMeasures([passage('a'), passage('b')], [{ document: 'a' }, { document: 'b' }]);
    expect(both['ndcg@10']).toBe(1);
    const one = rankMeasures([passage('a'), passage('a')], [{ document: 'a' }, { document: 'b' }]);
    expect(one['ndcg@10']).toBeCloseTo(1 / (1 + 1 / Math.log2(3)));
    const together = rankMeasures([passage('a')], [{ document: 'a' }, { document: 'a', quote: 'words' }]);
    expect(together['ndcg@10']).toBe(1);
  });
});
