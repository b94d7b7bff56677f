import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SheetInfo, SheetRows } from '../../../../src/api/types.ts';
import { fromRangeName } from '../../../../src/renderer/src/document/sheet/a1.ts';
import {
  boxOf,
  fitWidths,
  layOut,
  visibleCells,
} from '../../../../src/renderer/src/document/sheet/grid-geometry.ts';
import { readMerges } from '../../../../src/renderer/src/document/sheet/merged-cells.ts';
import { moveActive } from '../../../../src/renderer/src/document/sheet/move-active.ts';
import { SheetRowCache } from '../../../../src/renderer/src/document/sheet/sheet-rows.ts';

const sheetOf = (rows: number, columns: number, widths: number[] = []): SheetInfo => ({
  name: 'One',
  isHidden: false,
  rows,
  columns,
  merges: [],
  widths,
  headers: [],
});

describe('the geometry of a grid', () => {
  it('keeps a million rows under the height that browsers lay out, at any zoom', () => {
    for (const zoom of [0.5, 1, 1.5, 3]) {
      expect(layOut(sheetOf(1_048_576, 3), [], zoom).height).toBeLessThanOrEqual(33_000_000);
    }
  });

  it('shows every cell whose box overlaps the window', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 200 }),
        fc.nat(50_000),
        fc.nat(20_000),
        fc.nat(1_999),
        (widths, top, left, row) => {
          const geometry = layOut(sheetOf(2_000, widths.length, widths), [], 1);
          const window = { top, left, width: 700, height: 500 };
          const seen = visibleCells(geometry, window);
          widths.forEach((_, column) => {
            const range = { firstRow: row + 1, lastRow: row + 1, firstColumn: column, lastColumn: column };
            const box = boxOf(geometry, range);
            const overlaps =
              box.top < top + 500 &&
              box.top + box.height > top &&
              box.left < left + 700 &&
              box.left + box.width > left;
            if (!overlaps) return;
            expect(row + 1).toBeGreaterThanOrEqual(seen.firstRow);
            expect(row + 1).toBeLessThanOrEqual(seen.lastRow);
            expect(column).toBeGreaterThanOrEqual(seen.firstColumn);
            expect(column).toBeLessThanOrEqual(seen.lastColumn);
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('fits columns to their first rows, within bounds', () => {
    expect(
      fitWidths([{ cells: ['a', 'x'.repeat(90)] }, { cells: ['abcdef', '', 'one\ntwo words'] }]),
    ).toEqual([7, 40, 4]);
  });
});

describe('moveActive', () => {
  const size = { rows: 100, columns: 10 };
  const merges = readMerges(['B2:C4']);
  const cases: [string, boolean, [number, number], [number, number]][] = [
    ['ArrowDown', false, [1, 0], [2, 0]],
    ['ArrowDown', false, [2, 1], [5, 1]],
    ['ArrowRight', false, [3, 1], [3, 3]],
    ['ArrowUp', false, [1, 0], [1, 0]],
    ['PageDown', false, [90, 0], [100, 0]],
    ['Home', false, [5, 5], [5, 0]],
    ['Home', true, [5, 5], [1, 0]],
    ['End', true, [5, 5], [100, 9]],
  ];
  it.each(cases)('%s (far: %s) leads from %j to %j', (key, ctrlKey, [row, column], [toRow, toColumn]) => {
    const event = { key, ctrlKey, metaKey: false, altKey: false };
    expect(moveActive(event, { row, column }, size, 20, merges)).toEqual({ row: toRow, column: toColumn });
  });

  it('leaves other keys, and arrows with Alt, to the page', () => {
    const plain = { ctrlKey: false, metaKey: false, altKey: false };
    expect(moveActive({ key: 'n', ...plain }, { row: 1, column: 0 }, size, 20, merges)).toBeUndefined();
    expect(
      moveActive({ key: 'ArrowLeft', ...plain, altKey: true }, { row: 1, column: 1 }, size, 20, merges),
    ).toBeUndefined();
  });
});

describe('SheetRowCache', () => {
  it('asks for each block once while it is kept, and keeps few', async () => {
    const asked: number[] = [];
    const load = async (from: number): Promise<SheetRows> => {
      asked.push(from);
      return { rows: [{ row: from, cells: [`row ${from}`] }] };
    };
    const cache = new SheetRowCache(load, () => {});
    cache.want(1, 250);
    cache.want(150, 260);
    await Promise.resolve();
    await Promise.resolve();
    expect(asked).toEqual([1, 201]);
    expect(cache.row(201)).toEqual(['row 201']);
    expect(cache.row(202)).toEqual([]);
    expect(cache.row(900)).toBeUndefined();
    for (let row = 1_001; row < 20_000; row += 200) cache.want(row, row);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cache.row(1)).toBeUndefined();
  });
});

describe('merged cells', () => {
  it('are found by window and by cell', () => {
    const merges = readMerges(['A1:B2', 'D4:D9', 'nonsense']);
    expect(merges.in(fromRangeName('A5:Z50')!)).toEqual([fromRangeName('D4:D9')]);
    expect(merges.at(2, 1)).toEqual(fromRangeName('A1:B2'));
    expect(merges.at(3, 1)).toBeUndefined();
  });
});
