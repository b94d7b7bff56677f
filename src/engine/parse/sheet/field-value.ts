/** Which number or date does a written field stand for? */

/** Longest text that is looked at, in UTF-16 units. */
const MAX_LENGTH = 40;
const SPACES = /[ \u00a0\u202f'’]/g;
const CURRENCY = /^(?:[$€£¥₽]|USD|EUR|RUB)\s*|\s*(?:[$€£¥₽%]|USD|EUR|RUB|руб\.?|zł)$/giu;

const SPACED = String.raw`[ \u00a0\u202f'’]`;
const EXPONENT = String.raw`(?:[eE][-+]?\d{1,3})?`;
const POINT_NUMBER = new RegExp(
  String.raw`^[-+]?(?:\d{1,3}(?:(?:,|${SPACED})\d{3})+|\d{1,15})?(?:\.\d+)?${EXPONENT}$`,
);
const COMMA_NUMBER = new RegExp(
  String.raw`^[-+]?(?:\d{1,3}(?:(?:\.|${SPACED})\d{3})+|\d{1,15})?(?:,\d+)?${EXPONENT}$`,
);
/** Longer words than any currency's: no number. */
const WORD = /\p{L}{4}/u;

/** A number, an ISO day or nothing. Long digit strings and those with a leading zero are identifiers, not numbers. */
export function readFieldValue(text: string, hasDecimalComma: boolean): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_LENGTH || !/\d/.test(trimmed) || WORD.test(trimmed)) {
    return undefined;
  }
  return readDay(trimmed) ?? readNumber(trimmed, hasDecimalComma);
}

function readNumber(text: string, hasDecimalComma: boolean): number | undefined {
  const isPercent = text.endsWith('%');
  let digits = text.replace(CURRENCY, '').trim();
  const isBracketed = /^\(.+\)$/.test(digits);
  if (isBracketed) digits = digits.slice(1, -1).replace(CURRENCY, '').trim();
  digits = digits.replace(/^[−–]/, '-');
  const shape = hasDecimalComma ? COMMA_NUMBER : POINT_NUMBER;
  if (!shape.test(digits) || !/\d/.test(digits) || /^[-+]?0\d/.test(digits)) return undefined;
  const plain = digits.replace(SPACES, '');
  const number = Number(
    hasDecimalComma ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''),
  );
  if (!Number.isFinite(number)) return undefined;
  return (isBracketed ? -number : number) / (isPercent ? 100 : 1);
}

/** "2024-03-12", "12.03.2024", "12.03.24"; with slashes only where day and month can't be confused. */
function readDay(text: string): string | undefined {
  const iso = /^(\d{4})[-/.](\d{2})[-/.](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?).*)?$/.exec(text);
  if (iso) return toDay(iso[1]!, iso[2]!, iso[3]!, iso[4]);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?: (\d{2}:\d{2}(?::\d{2})?))?$/.exec(text);
  if (dotted) return toDay(century(dotted[3]!), dotted[2]!, dotted[1]!, dotted[4]);
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{2}:\d{2}(?::\d{2})?))?$/.exec(text);
  if (!slashed) return undefined;
  const [, first, second, year, time] = slashed;
  if (Number(first) > 12) return toDay(year!, second!, first!, time);
  return Number(second) > 12 ? toDay(year!, first!, second!, time) : undefined;
}

function century(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 70 ? `20${year}` : `19${year}`;
}

function toDay(year: string, month: string, day: string, time: string | undefined): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const parsed = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(parsed.getTime()) || parsed.getUTCDate() !== Number(day)) return undefined;
  if (time === undefined) return date;
  return `${date}T${time.length === 5 ? `${time}:00` : time}`;
}
