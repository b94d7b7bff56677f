import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packBatch, unpackBatch } from '../../src/engine/store/pack-batch.ts';
import { unpackSpans } from '../../src/engine/store/pack-spans.ts';
import type { DocumentBatch } from '../../src/engine/store/types.ts';
import { batchOf } from './library.ts';

const table = {
  table: 0,
  name: 'Sheet «1»',
  isSheet: true,
  isHidden: false,
  columns: ['a'],
  merges: [],
  widths: [3],
};

/** A batch of prose and of one row. */
function mixedBatch(paragraphs: string[]): DocumentBatch {
  const batch = batchOf(paragraphs);
  const cells = [
    { text: '12 ₽', start: 0, value: 12 },
    { text: 'word', start: 5 },
  ];
  const anchor = { kind: 'cells', sheet: 'Sheet «1»', range: 'A2:B2' } as const;
  batch.blocks.push({
    kind: 'row',
    text: '12 ₽\tword\n',
    spans: [{ start: 0, end: 9, anchor }],
    row: { table: 0, row: 2, isHeader: false, cells },
  });
  batch.tables.push(table);
  return batch;
}

describe('a packed batch', () => {
  it('holds every value of every block and chunk, whatever its text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (paragraphs) => {
        const batch = mixedBatch(paragraphs);
        const { tables, blocks, chunks } = unpackBatch(packBatch(batch));
        expect(tables).toEqual(batch.tables);
        expect(blocks.map((block) => [block.kind, block.level, block.text])).toEqual(
          batch.blocks.map(({ kind, level, text: own }) => [kind, level ?? 0, own]),
        );
        expect(blocks.map((block) => unpackSpans(block.spans))).toEqual(
          batch.blocks.map(({ spans }) => spans),
        );
        expect(chunks.map(({ terms }) => terms)).toEqual(batch.chunks.map(({ terms }) => terms));
        expect(chunks.map(({ kind, start, end, text: own, path }) => [kind, start, end, own, path])).toEqual(
          batch.chunks.map(({ chunk }) => [chunk.kind, chunk.start, chunk.end, chunk.text, '[]']),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('keeps a row with the values beneath its cells', () => {
    const { blocks } = unpackBatch(packBatch(mixedBatch([])));
    expect(blocks[0]!.row).toEqual({
      table: 0,
      row: 2,
      isHeader: false,
      cellCount: 2,
      cells: '[["12 ₽",12],"word"]',
    });
  });

  it('stands alone in its buffer, so that it can be handed over', () => {
    const packed = packBatch(mixedBatch(['one', 'two']));
    expect(packed.byteOffset).toBe(0);
    expect(packed.buffer.byteLength).toBe(packed.byteLength);
  });
});
