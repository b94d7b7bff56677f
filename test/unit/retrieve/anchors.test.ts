import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Anchor } from '../../../src/api/anchor.ts';
import type { Span } from '../../../src/engine/document.ts';
import { anchorsOfRange, narrowSpans } from '../../../src/engine/retrieve/anchors.ts';
import { fromA1, mergeRectangles, toA1 } from '../../../src/engine/retrieve/cell-ranges.ts';

const box = { x: 100, y: 700, width: 200, height: 12 };
const line = (
  start: number,
  page: number,
  direction: 'right' | 'left' | 'up' | 'down',
  at: number[],
): Span => ({
  start,
  end: start + 20,
  anchor: { kind: 'page', page, boxes: [box] },
  stops: { direction, at },
});
const cell = (start: number, range: string, sheet = 'Budget'): Span => ({
  start,
  end: start + 5,
  anchor: { kind: 'cells', sheet, range },
});

describe('narrowSpans', () => {
  const cases: { name: string; spans: Span[]; start: number; end: number; expected: Anchor[] }[] = [
    {
      name: 'lights the words of a line that the range touches, left to right',
      spans: [line(0, 1, 'right', [0, 100, 5, 150, 10, 200, 15, 250])],
      start: 6,
      end: 12,
      expected: [{ kind: 'page', page: 1, boxes: [{ x: 150, y: 700, width: 100, height: 12 }] }],
    },
    {
      name: 'cuts a line that reads right to left',
      spans: [line(0, 1, 'left', [0, 300, 10, 200])],
      start: 10,
      end: 20,
      expected: [{ kind: 'page', page: 1, boxes: [{ x: 100, y: 700, width: 100, height: 12 }] }],
    },
    {
      name: 'cuts a line that reads upwards on a rotated page',
      spans: [line(0, 1, 'up', [0, 700, 10, 706])],
      start: 0,
      end: 9,
      expected: [{ kind: 'page', page: 1, boxes: [{ x: 100, y: 700, width: 200, height: 6 }] }],
    },
    {
      name: 'gathers the boxes of each page and keeps pages apart',
      spans: [line(0, 1, 'right', []), line(20, 1, 'right', []), line(40, 2, 'right', [])],
      start: 0,
      end: 60,
      expected: [
        { kind: 'page', page: 1, boxes: [box, box] },
        { kind: 'page', page: 2, boxes: [box] },
      ],
    },
    {
      name: 'joins cells to rectangles and keeps gaps',
      spans: [
        cell(0, 'A1'),
        cell(5, 'B1'),
        cell(10, 'A2'),
        cell(15, 'B2'),
        cell(20, 'D2'),
        cell(25, 'A1', 'Other'),
      ],
      start: 0,
      end: 30,
      expected: [
        { kind: 'cells', sheet: 'Budget', range: 'A1:B2' },
        { kind: 'cells', sheet: 'Budget', range: 'D2' },
        { kind: 'cells', sheet: 'Other', range: 'A1' },
      ],
    },
    {
      name: 'cuts an element run one to one and joins runs that touch',
      spans: [
        { start: 0, end: 10, anchor: { kind: 'element', path: 'b1', start: 3, end: 13 } },
        { start: 10, end: 20, anchor: { kind: 'element', path: 'b1', start: 13, end: 23 } },
      ],
      start: 4,
      end: 15,
      expected: [{ kind: 'element', path: 'b1', start: 7, end: 18 }],
    },
    {
      name: 'takes an element run of another length whole',
      spans: [{ start: 0, end: 10, anchor: { kind: 'element', path: 'b1', start: 0, end: 14 } }],
      start: 4,
      end: 5,
      expected: [{ kind: 'element', path: 'b1', start: 0, end: 14 }],
    },
    {
      name: 'joins lines that follow each other',
      spans: [1, 2, 3, 5].map((number, index) => ({
        start: index * 10,
        end: index * 10 + 10,
        anchor: { kind: 'lines', from: number, to: number },
      })),
      start: 5,
      end: 40,
      expected: [
        { kind: 'lines', from: 1, to: 3 },
        { kind: 'lines', from: 5, to: 5 },
      ],
    },
    {
      name: 'gives nothing for an empty range',
      spans: [line(0, 1, 'right', [])],
      start: 5,
      end: 5,
      expected: [],
    },
  ];
  for (const { name, spans, start, end, expected } of cases) {
    it(name, () => expect(narrowSpans(spans, start, end)).toEqual(expected));
  }

  it('never lights outside the line, and lights more for a wider range', () => {
    const stops = fc.uniqueArray(fc.integer({ min: 0, max: 19 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(stops, fc.nat(19), fc.nat(19), (offsets, a, b) => {
        const at = offsets.sort((x, y) => x - y).flatMap((offset) => [offset, 100 + offset * 10]);
        const span = line(0, 1, 'right', at);
        const [start, end] = [Math.min(a, b), Math.max(a, b) + 1];
        const lit = (from: number, to: number) => {
          const [anchor] = narrowSpans([span], from, to);
          return anchor?.kind === 'page' ? anchor.boxes[0]! : undefined;
        };
        const small = lit(start, end)!;
        const large = lit(Math.max(0, start - 1), end + 1)!;
        expect(small.width).toBeGreaterThan(0);
        expect(small.x).toBeGreaterThanOrEqual(box.x);
        expect(small.x + small.width).toBeLessThanOrEqual(box.x + box.width);
        expect(large.x).toBeLessThanOrEqual(small.x);
        expect(large.x + large.width).toBeGreaterThanOrEqual(small.x + small.width);
      }),
    );
  });

  it('lights the same element characters however the range is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.nat(),
        fc.nat(),
        (lengths, a, b) => {
          let offset = 0;
          const spans = lengths.map((length): Span => {
            const span: Span = {
              start: offset,
              end: offset + length,
              anchor: { kind: 'element', path: 'b1', start: offset, end: offset + length },
            };
            offset += length;
            return span;
          });
          const start = a % offset;
          const end = start + 1 + (b % (offset - start));
          expect(narrowSpans(spans, start, end)).toEqual([{ kind: 'element', path: 'b1', start, end }]);
        },
      ),
    );
  });
});

describe('anchorsOfRange', () => {
  it('counts spans from the document and finds the nearest place for a gap', () => {
    const blocks = [
      {
        start: 100,
        text: 'one two\n',
        spans: [{ start: 0, end: 7, anchor: { kind: 'lines', from: 4, to: 4 } as const }],
      },
    ];
    expect(anchorsOfRange(blocks, 101, 103)).toEqual([{ kind: 'lines', from: 4, to: 4 }]);
    expect(anchorsOfRange(blocks, 107, 108)).toEqual([{ kind: 'lines', from: 4, to: 4 }]);
    expect(anchorsOfRange([], 0, 5)).toEqual([]);
  });
});

describe('mergeRectangles', () => {
  it('keeps exactly the cells it was given', () => {
    const cells = fc.array(
      fc.record({ row: fc.integer({ min: 1, max: 6 }), column: fc.integer({ min: 1, max: 30 }) }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(cells, (given) => {
        const one = given.map(({ row, column }) => ({ top: row, bottom: row, left: column, right: column }));
        const covered = new Set<string>();
        for (const { top, bottom, left, right } of mergeRectangles(one)) {
          for (let row = top; row <= bottom; row++) {
            for (let column = left; column <= right; column++) covered.add(`${row}:${column}`);
          }
        }
        expect(covered).toEqual(new Set(given.map(({ row, column }) => `${row}:${column}`)));
      }),
    );
  });

  it('writes what it reads', () => {
    for (const range of ['A1', 'B2:F9', 'Z10', 'AA1:AB2', 'XFD1048576']) {
      expect(toA1(fromA1(range)!)).toBe(range);
    }
    expect(fromA1('not a range')).toBeUndefined();
  });
});
