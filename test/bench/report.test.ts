import { describe, expect, it } from 'vitest';
import { formatTable, formatValue, median, percentile, quarters, type Row, verdictOf } from './report.ts';

describe('statistics of a benchmark', () => {
  const percentiles: [values: number[], percent: number, expected: number][] = [
    [[7], 50, 7],
    [[4, 1, 3, 2], 50, 2],
    [[4, 1, 3, 2], 51, 3],
    [[4, 1, 3, 2], 0, 1],
    [[4, 1, 3, 2], 100, 4],
    [Array.from({ length: 100 }, (_, i) => i + 1), 95, 95],
  ];
  it.each(percentiles)('takes of %j the percentile %d', (values, percent, expected) => {
    expect(percentile(values, percent)).toBe(expected);
  });

  it('takes the middle of an odd and of an even number of values, and leaves them in their order', () => {
    const values = [9, 1, 5];
    expect(median(values)).toBe(5);
    expect(median([1, 2, 3, 10])).toBe(2.5);
    expect(values).toEqual([9, 1, 5]);
  });

  it('compares the second quarter with the last', () => {
    expect(quarters([100, 1, 2, 3, 8, 9, 5, 7])).toEqual({ second: 2.5, last: 6 });
    expect(quarters([1, 2, 3, 4, 5])).toEqual({ second: 2, last: 5 });
  });

  it('refuses what has no answer', () => {
    expect(() => percentile([], 50)).toThrow();
    expect(() => median([])).toThrow();
    expect(() => quarters([1, 2, 3])).toThrow();
  });
});

describe('the report', () => {
  const row = (more: Partial<Row>): Row => ({ section: 'a', what: 'b', unit: 'ms', ...more });
  const verdicts: [Partial<Row>, string][] = [
    [{ value: 25, atMost: 25 }, 'met'],
    [{ value: 25.1, atMost: 25 }, 'missed'],
    [{ value: 0.97, atLeast: 0.97 }, 'met'],
    [{ value: 0.9, atLeast: 0.97 }, 'missed'],
    [{ value: 3 }, ''],
    [{ atMost: 25 }, 'skipped'],
  ];
  it.each(verdicts)('judges %j as "%s"', (more, expected) => {
    expect(verdictOf(row(more))).toBe(expected);
  });

  it('writes three significant digits', () => {
    expect(formatValue(1234.56, 'MB')).toBe('1,235 MB');
    expect(formatValue(12.345, 'ms')).toBe('12.3 ms');
    expect(formatValue(0.4567, 'x')).toBe('0.46 ×');
    expect(formatValue(3, 'tasks')).toBe('3 tasks');
  });

  it('lines its columns up', () => {
    const lines = formatTable([
      row({ value: 1.5, atMost: 25 }),
      row({ section: 'longer', note: 'not installed' }),
    ]).split('\n');
    expect(lines).toEqual([
      'section  what    value     target  verdict  remarks',
      '───────  ────  ───────  ─────────  ───────  ─────────────',
      'a        b     1.50 ms  ≤ 25.0 ms  met',
      'longer   b           –             skipped  not installed',
    ]);
  });
});
