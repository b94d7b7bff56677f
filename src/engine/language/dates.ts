/** Which dates stand in a text, and when are two of them the same? */

/** A date as it stands in a text. */
export interface DateMention {
  /** Half-open range in the text. */
  start: number;
  end: number;
  /** What the writing can mean, likeliest first: "2024-03-12", "2024-03" for a month, "--03-12" without a year. */
  readings: string[];
}

/** Beginnings of month names in English, Russian, Polish, German and Spanish. */
const months: string[][] = [
  ['january', 'jan', 'январ', 'янв', 'stycze', 'styczn', 'januar', 'jänner', 'enero'],
  ['february', 'feb', 'феврал', 'фев', 'luty', 'lutego', 'lutym', 'februar', 'febrero'],
  ['march', 'mar', 'март', 'мар', 'marzec', 'marca', 'marcu', 'märz', 'marzo'],
  ['april', 'apr', 'апрел', 'апр', 'kwiecień', 'kwietni', 'abril'],
  ['may', 'мая', 'май', 'мае', 'maja', 'maj', 'maju', 'mai', 'mayo'],
  ['june', 'jun', 'июн', 'czerwiec', 'czerwca', 'czerwcu', 'juni', 'junio'],
  ['july', 'jul', 'июл', 'lipiec', 'lipca', 'lipcu', 'juli', 'julio'],
  ['august', 'aug', 'август', 'авг', 'sierpień', 'sierpni', 'agosto'],
  ['september', 'sept', 'sep', 'сентябр', 'сент', 'wrzesień', 'wrześni', 'septiembre'],
  ['october', 'oct', 'октябр', 'окт', 'październik', 'oktober', 'octubre'],
  ['november', 'nov', 'ноябр', 'ноя', 'listopad', 'noviembre'],
  ['december', 'dec', 'декабр', 'дек', 'grudzień', 'grudni', 'dezember', 'diciembre'],
];

const monthPattern = `(?:${months
  .flat()
  .sort((a, b) => b.length - a.length)
  .join('|')})\\p{L}{0,4}`;
const yearPattern = '(?:1[0-9]|20|21)\\d\\d';

const patterns: { pattern: RegExp; read: (groups: Record<string, string | undefined>) => string[] }[] = [
  {
    pattern: new RegExp(
      `(?<!\\d)(?<year>${yearPattern})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})(?!\\d)`,
      'giu',
    ),
    read: ({ year, month, day }) => whole(year!, Number(month), Number(day)),
  },
  {
    // Most of the world writes the day first; the American order stays as a second reading.
    pattern:
      /(?<![\d.])(?<first>\d{1,2})(?<mark>[./-])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|\d{2})(?![\d])/giu,
    read: ({ first, second, year }) => {
      const full = year!.length === 2 ? `${Number(year) > 50 ? '19' : '20'}${year}` : year!;
      return [...whole(full, Number(second), Number(first)), ...whole(full, Number(first), Number(second))];
    },
  },
  {
    pattern: new RegExp(
      `(?<!\\d)(?<day>\\d{1,2})(?:st|nd|rd|th|-го|-е|\\.)?\\s+(?:of\\s+|de\\s+)?(?<name>${monthPattern})(?:,?\\s+(?:de\\s+)?(?<year>${yearPattern}))?(?![\\p{L}\\d])`,
      'giu',
    ),
    read: ({ day, name, year }) => named(name!, day, year),
  },
  {
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?<name>${monthPattern})\\.?\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(?<year>${yearPattern}))?(?![\\p{L}\\d])`,
      'giu',
    ),
    read: ({ day, name, year }) => named(name!, day, year),
  },
  {
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?<name>${monthPattern})\\.?,?\\s+(?:of\\s+|de\\s+)?(?<year>${yearPattern})(?!\\d)`,
      'giu',
    ),
    read: ({ name, year }) => named(name!, undefined, year),
  },
];

/** Dates in order, in figures or with a month's name in English, Russian, Polish, German or Spanish. */
export function readDates(text: string): DateMention[] {
  const found: DateMention[] = [];
  for (const { pattern, read } of patterns) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      const readings = read(match.groups!);
      if (readings.length === 0) continue;
      if (found.some((other) => other.start < end && start < other.end)) continue;
      found.push({ start, end, readings });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** True when one is the other, or says the same with less: "March 2024" fits "12 March 2024". */
export function isSameDate(a: DateMention, b: DateMention): boolean {
  return a.readings.some((x) => b.readings.some((y) => fits(x, y) || fits(y, x)));
}

function fits(less: string, more: string): boolean {
  return (
    less === more || more.startsWith(`${less}-`) || (less.startsWith('--') && more.endsWith(less.slice(1)))
  );
}

function whole(year: string, month: number, day: number): string[] {
  if (month < 1 || month > 12 || day < 1 || day > 31) return [];
  return [`${year}-${two(month)}-${two(day)}`];
}

function named(name: string, day: string | undefined, year: string | undefined): string[] {
  const lower = name.toLowerCase();
  let month = 0;
  let length = 0;
  for (const [index, beginnings] of months.entries()) {
    for (const beginning of beginnings) {
      if (beginning.length > length && lower.startsWith(beginning)) {
        month = index + 1;
        length = beginning.length;
      }
    }
  }
  // A beginning with a long rest is another word: "marble", "decide", "mayor".
  if (month === 0 || (lower.length - length > 3 && length < 5) || !isMonthForm(lower, length)) return [];
  if (day === undefined) return [`${year}-${two(month)}`];
  if (Number(day) < 1 || Number(day) > 31) return [];
  return year === undefined
    ? [`--${two(month)}-${two(Number(day))}`]
    : [`${year}-${two(month)}-${two(Number(day))}`];
}

/** Latin names take no ending but Polish ones; Cyrillic ones do. */
function isMonthForm(name: string, length: number): boolean {
  const rest = name.slice(length);
  if (/^\p{Script=Cyrillic}*$/u.test(name)) return /^(?:|ь|я|е|ю|а|у|ем|ом|т)$/u.test(rest);
  return /^(?:|ń|nia|niu|a|u|ia|iu|em|io|o|ie)$/u.test(rest);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
