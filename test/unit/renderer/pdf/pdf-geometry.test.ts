import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxesOnScreen,
  canvasRatio,
  fittedScales,
  type PageBox,
  pageAt,
  pageSize,
  pagesToDraw,
  pageTops,
  scrollToBoxes,
} from '../../../../src/renderer/src/document/pdf/pdf-geometry.ts';

const page = (rotation: number, view: PageBox['view'] = [0, 0, 200, 300]): PageBox => ({
  view,
  rotation,
  userUnit: 1,
});
const box = { x: 20, y: 30, width: 50, height: 10 };

describe('boxesOnScreen', () => {
  it.each([
    { name: 'upright', of: page(0), expected: { left: 20, top: 260, width: 50, height: 10 } },
    { name: 'turned by 90', of: page(90), expected: { left: 30, top: 20, width: 10, height: 50 } },
    { name: 'turned by 180', of: page(180), expected: { left: 130, top: 30, width: 50, height: 10 } },
    { name: 'turned by 270', of: page(270), expected: { left: 260, top: 130, width: 10, height: 50 } },
    {
      name: 'upright, cropped',
      of: page(0, [10, 20, 110, 220]),
      expected: { left: 10, top: 180, width: 50, height: 10 },
    },
    {
      name: 'turned by 90, cropped',
      of: page(90, [10, 20, 110, 220]),
      expected: { left: 10, top: 10, width: 10, height: 50 },
    },
    {
      name: 'cut by the crop box',
      of: page(0, [40, 0, 200, 300]),
      expected: { left: 0, top: 260, width: 30, height: 10 },
    },
  ])('places a box on a page $name', ({ of, expected }) => {
    expect(boxesOnScreen([box], of, 1)).toEqual([expected]);
  });

  it('leaves out what lies outside the page', () => {
    expect(boxesOnScreen([box], page(0, [100, 100, 200, 200]), 1)).toEqual([]);
  });

  it('keeps every box inside the page as shown, and its area at scale 1', () => {
    const number = fc.double({ min: 0, max: 90, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(0, 90, 180, 270),
        number,
        number,
        number,
        number,
        (rotation, x, y, width, height) => {
          const of = page(rotation, [-5, -5, 200, 300]);
          const size = pageSize(of, 1);
          for (const found of boxesOnScreen([{ x, y, width, height }], of, 1)) {
            expect(found.left).toBeGreaterThanOrEqual(0);
            expect(found.left + found.width).toBeLessThanOrEqual(size.width + 1e-9);
            expect(found.top + found.height).toBeLessThanOrEqual(size.height + 1e-9);
            expect(found.width * found.height).toBeCloseTo(width * height, 6);
          }
        },
      ),
    );
  });
});

describe('pages in the pane', () => {
  const sizes = [
    { width: 100, height: 200 },
    { width: 100, height: 300 },
    { width: 100, height: 100 },
  ];

  it('stand below one another with a gap', () => {
    expect(pageTops(sizes)).toEqual([12, 224, 536, 648]);
  });

  it.each([
    [0, 0],
    [223, 0],
    [224, 1],
    [600, 2],
    [9999, 2],
  ])('at height %i is page index %i', (y, index) => {
    expect(pageAt(pageTops(sizes), y)).toBe(index);
  });

  it('are drawn near the screen only', () => {
    const tops = pageTops(Array.from({ length: 1000 }, () => ({ width: 100, height: 188 })));
    expect(pagesToDraw(tops, 20_000, 400)).toEqual({ from: 98, to: 103 });
    expect(pagesToDraw([12], 0, 400)).toEqual({ from: 0, to: 0 });
  });

  it('have the scale of the first page, wider ones fit by themselves', () => {
    expect(fittedScales([page(0), page(90), page(0)], 324, 1)).toEqual([1.5, 1, 1.5]);
    expect(fittedScales([page(0)], 324, 2)).toEqual([3]);
    expect(fittedScales([page(0)], 4000, 1)).toEqual([2]);
  });
});

describe('scrollToBoxes', () => {
  it('brings lit boxes into the upper third', () => {
    const lit = [{ left: 10, top: 500, width: 50, height: 10 }];
    expect(scrollToBoxes(lit, 1000, 20, { width: 400, height: 310 })).toEqual({ top: 1400, left: 0 });
  });

  it('shows the page where there is nothing lit', () => {
    expect(scrollToBoxes([], 1000, 0, { width: 400, height: 300 })).toEqual({ top: 988, left: 0 });
  });
});

describe('canvasRatio', () => {
  it('follows the screen until the bitmap grows too large', () => {
    expect(canvasRatio({ width: 800, height: 1000 }, 2)).toBe(2);
    expect(canvasRatio({ width: 4000, height: 4000 }, 3)).toBe(1);
  });
});
