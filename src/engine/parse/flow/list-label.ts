/** Which number does a document put before the paragraphs of its lists? */

export type NumberFormat =
  | 'decimal'
  | 'decimal-zero'
  | 'lower-letter'
  | 'upper-letter'
  | 'lower-roman'
  | 'upper-roman'
  | 'lower-russian'
  | 'upper-russian'
  | 'bullet'
  | 'none';

export interface ListLevel {
  /** First number. */
  start: number;
  format: NumberFormat;
  /** The label, with "%1" for the number of the outermost level to "%9"; empty for none. */
  text: string;
}

/** Levels of one list, the outermost first. */
export type ListLevels = readonly (ListLevel | undefined)[];

const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const RUSSIAN = 'абвгдежзиклмнопрстуфхцчшщэюя';
const ROMAN: [number, string][] = [
  ...([1000, 900, 500, 400] as const).map(
    (value, at) => [value, ['M', 'CM', 'D', 'CD'][at]!] as [number, string],
  ),
  ...([100, 90, 50, 40] as const).map(
    (value, at) => [value, ['C', 'XC', 'L', 'XL'][at]!] as [number, string],
  ),
  ...([10, 9, 5, 4, 1] as const).map(
    (value, at) => [value, ['X', 'IX', 'V', 'IV', 'I'][at]!] as [number, string],
  ),
];
/** Above it a counter's value is shown in figures. */
const MAX_ROMAN = 4_999;
/** Letters beyond the alphabet are doubled, at most so often. */
const MAX_REPEATS = 20;

/** Counts the lists of one document; paragraphs must be asked for in their order. */
export class ListLabels {
  readonly #counts = new Map<string, (number | undefined)[]>();

  /** The label of the next paragraph of a list at a level from 0, such as "4.2."; empty for bullets. */
  next(list: string, levels: ListLevels, level: number): string {
    const own = levels[level];
    const counts = this.#counts.get(list) ?? [];
    this.#counts.set(list, counts);
    counts[level] = counts[level] === undefined ? (own?.start ?? 1) : counts[level] + 1;
    for (let above = 0; above < level; above++) counts[above] ??= levels[above]?.start ?? 1;
    counts.length = level + 1;
    if (!own || own.format === 'bullet') return '';
    return own.text
      .replaceAll(/%([1-9])/gu, (_, digit: string) => {
        const at = Number(digit) - 1;
        return formatNumber(counts[at] ?? levels[at]?.start ?? 1, levels[at]?.format ?? 'decimal');
      })
      .trim();
  }

  /** Starts a list anew. */
  restart(list: string): void {
    this.#counts.delete(list);
  }
}

function formatNumber(count: number, format: NumberFormat): string {
  switch (format) {
    case 'lower-letter':
      return toLetters(count, LATIN);
    case 'upper-letter':
      return toLetters(count, LATIN).toUpperCase();
    case 'lower-russian':
      return toLetters(count, RUSSIAN);
    case 'upper-russian':
      return toLetters(count, RUSSIAN).toUpperCase();
    case 'lower-roman':
      return toRoman(count).toLowerCase();
    case 'upper-roman':
      return toRoman(count);
    case 'decimal-zero':
      return String(count).padStart(2, '0');
    case 'none':
    case 'bullet':
      return '';
    case 'decimal':
      return String(count);
  }
}

function toLetters(count: number, letters: string): string {
  if (count < 1) return '';
  const letter = letters[(count - 1) % letters.length]!;
  return letter.repeat(Math.min(Math.floor((count - 1) / letters.length) + 1, MAX_REPEATS));
}

function toRoman(count: number): string {
  if (count < 1 || count > MAX_ROMAN) return String(count);
  let rest = count;
  let roman = '';
  for (const [value, sign] of ROMAN) {
    while (rest >= value) {
      roman += sign;
      rest -= value;
    }
  }
  return roman;
}
