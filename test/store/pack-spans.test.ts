import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/engine/document.ts';
import { packSpans, unpackSpans } from '../../src/engine/store/pack-spans.ts';

const whole = (max: number) => fc.integer({ min: 0, max });
const point = fc.integer({ min: -100_000, max: 500_000 }).map((hundredths) => hundredths / 100);
const box = fc.record({ x: point, y: point, width: point, height: point });
const anchor: fc.Arbitrary<Span['anchor']> = fc.oneof(
  fc.record({
    kind: fc.constant('page'),
    page: whole(9999),
    boxes: fc.array(box, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('cells'), sheet: fc.string(), range: fc.string() }),
  fc.record({ kind: fc.constant('slide'), slide: whole(500) }),
  fc.record({ kind: fc.constant('element'), path: fc.string(), start: whole(1e6), end: whole(1e6) }),
  fc.record({ kind: fc.constant('lines'), from: whole(1e8), to: whole(1e8) }),
  fc.record({ kind: fc.constant('time'), fromMs: whole(1e9), toMs: whole(1e9) }),
) as fc.Arbitrary<Span['anchor']>;
const stops = fc.record({
  direction: fc.constantFrom('right', 'left', 'up', 'down'),
  at: fc.array(fc.tuple(whole(500), point), { maxLength: 20 }).map((pairs) => pairs.flat()),
});
const span = fc.record(
  { start: whole(2 ** 40), end: whole(2 ** 40), anchor, stops },
  { requiredKeys: ['start', 'end', 'anchor'] },
) as fc.Arbitrary<Span>;

describe('packed spans', () => {
  it('come back as they were, to a hundredth of a point', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 20 }), (spans) => {
        expect(unpackSpans(packSpans(spans))).toEqual(spans);
      }),
    );
  });

  it('take about 60 bytes for a line of ten words', () => {
    const lines = Array.from({ length: 50 }, (_, i): Span => {
      const at = Array.from({ length: 10 }, (_, word) => [word * 7, 72 + word * 41.37]).flat();
      const boxes = [{ x: 72, y: 720 - i * 13.8, width: 451.28, height: 11.04 }];
      return {
        start: i * 70,
        end: i * 70 + 69,
        anchor: { kind: 'page', page: 3, boxes },
        stops: { direction: 'right', at },
      };
    });
    expect(packSpans(lines).length / 50).toBeLessThan(60);
  });
});
