import { describe, expect, it } from 'vitest';
import type { Hit, SearchResult } from '../../../src/api/types.ts';
import { contextBlocks } from '../../../src/engine/retrieve/context-blocks.ts';

function hit(documentId: number, start: number, text: string): Hit {
  return {
    rank: 1,
    score: 1,
    document: {
      id: documentId,
      folderId: 1,
      path: `${documentId}.txt`,
      title: `Document ${documentId}`,
      kind: 'text',
      isArchived: false,
    },
    start,
    end: start + text.length,
    text,
    headings: [],
    anchors: [{ kind: 'lines', from: start + 1, to: start + 1 }],
    matches: [],
    why: { lists: [], moves: [] },
  };
}

function result(hits: Hit[], judgement: SearchResult['judgement'] = 'relevant'): SearchResult {
  return {
    question: 'q',
    language: 'en',
    hits,
    judgement,
    method: 'keywords',
    coverage: { searched: 1, total: 1, failed: 0, waiting: 0 },
    stages: [],
    elapsedMs: 0,
  };
}

describe('contextBlocks', () => {
  it('glues passages that touch or overlap and keeps the text once', () => {
    const text = 'one two three four five six';
    const blocks = contextBlocks(
      result([
        hit(1, 8, text.slice(8, 18)),
        hit(2, 0, 'other'),
        hit(1, 0, text.slice(0, 10)),
        hit(1, 18, text.slice(18)),
      ]),
    );
    expect(blocks.map((block) => [block.document, block.start, block.end])).toEqual([
      ['1.txt', 0, 27],
      ['2.txt', 0, 5],
    ]);
    expect(blocks[0]!.text.replaceAll('\n', '')).toBe(text);
    expect(blocks[0]!.anchors).toHaveLength(3);
  });

  it('keeps to four documents, six blocks and 8,000 characters', () => {
    const many = [1, 2, 3, 4, 5, 6].flatMap((id) => [
      hit(id, 0, 'a'.repeat(900)),
      hit(id, 2000, 'b'.repeat(900)),
    ]);
    const blocks = contextBlocks(result(many));
    expect(blocks).toHaveLength(6);
    expect(new Set(blocks.map(({ documentId }) => documentId)).size).toBeLessThanOrEqual(4);
    const long = contextBlocks(
      result([1, 2, 3].map((id) => hit(id, 0, 'A sentence stands here. '.repeat(200)))),
    );
    expect(long.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(8000);
  });

  it('cuts a first block that is too long at a sentence', () => {
    const [block] = contextBlocks(result([hit(1, 0, 'First sentence. Second sentence. Third one.')]), {
      maxCharacters: 34,
    });
    expect(block!.text.trim()).toBe('First sentence. Second sentence.');
  });

  it('gives nothing when nothing is relevant', () => {
    expect(contextBlocks(result([hit(1, 0, 'near')], 'nothing'))).toEqual([]);
  });
});
