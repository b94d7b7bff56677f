/** What did a benchmark find, and how is it shown? Pure: statistics and the table. */

export type Unit = 'ms' | 's' | 'MB' | 'MB/s' | 'x' | '%' | 'tasks' | '1/s';

/** One line of the report. */
export interface Row {
  section: string;
  what: string;
  /** Absent when it could not be measured here; `note` says why. */
  value?: number;
  unit: Unit;
  /** Target: the value is at most, or at least, this. */
  atMost?: number;
  atLeast?: number;
  note?: string;
}

export type Verdict = 'met' | 'missed' | 'skipped' | '';

/** Empty where there is no target to meet. */
export function verdictOf({ value, atMost, atLeast }: Row): Verdict {
  if (value === undefined) return 'skipped';
  if (atMost === undefined && atLeast === undefined) return '';
  const isMet =
    value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? Number.NEGATIVE_INFINITY);
  return isMet ? 'met' : 'missed';
}

/** The smallest value with at least `percent` % of all values at or below it. @throws for no values */
export function percentile(values: number[], percent: number): number {
  if (values.length === 0) throw new Error('There is no percentile of no values.');
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1]!;
}

/** The value in the middle; the mean of two for an even number of them. @throws for no values */
export function median(values: number[]): number {
  if (values.length === 0) throw new Error('There is no median of no values.');
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Medians of the second and the last quarter of a series: what a curve settled at, and where it ended. */
export function quarters(values: number[]): { second: number; last: number } {
  const quarter = Math.floor(values.length / 4);
  if (quarter === 0) throw new Error('Quarters need at least four values.');
  return { second: median(values.slice(quarter, 2 * quarter)), last: median(values.slice(-quarter)) };
}

/** Three significant digits, with thousands apart. */
export function formatValue(value: number, unit: Unit): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString('en', {
    minimumFractionDigits: unit === 'tasks' ? 0 : digits,
    maximumFractionDigits: unit === 'tasks' ? 0 : digits,
  });
  return unit === 'x' ? `${text} ×` : `${text} ${unit}`;
}

function targetOf({ atMost, atLeast, unit }: Row): string {
  if (atMost !== undefined) return `≤ ${formatValue(atMost, unit)}`;
  return atLeast === undefined ? '' : `≥ ${formatValue(atLeast, unit)}`;
}

const heads = ['section', 'what', 'value', 'target', 'verdict', 'remarks'];

/** One line per row under a head, columns padded; remarks last, so that long ones disturb nothing. */
export function formatTable(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.section,
    row.what,
    row.value === undefined ? '–' : formatValue(row.value, row.unit),
    targetOf(row),
    verdictOf(row),
    row.note ?? '',
  ]);
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((line) => line[at]!.length)));
  const isNumber = (at: number) => at === 2 || at === 3;
  const toLine = (line: string[]) =>
    line
      .map((cell, at) => (isNumber(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [toLine(heads), rule, ...cells.map(toLine)].join('\n');
}
