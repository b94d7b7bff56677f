/** How does a spreadsheet show this number, and what value is beneath? */
import { dateFromSerial, format, getFormatFromId, getFormatInfo } from 'numfmt';

/** Days between the two calendars that workbooks count from, 1900 and 1904. */
const DAYS_1904 = 1_462;
/** Identifiers below this one are built in and depend on the locale. */
const FIRST_CUSTOM_ID = 164;

/** Windows' mark for Russian months in the genitive, which numfmt does not know. */
const GENITIVE_MARK = /\[\$-(?:FC19|x-genlower)\]/i;
const GENITIVE_MONTHS = [
  ...['января', 'февраля', 'марта', 'апреля', 'мая', 'июня'],
  ...['июля', 'августа', 'сентября', 'октября', 'ноября', 'декабря'],
];

/** A number format of a workbook, ready to show values. */
export interface NumberFormat {
  /** Format code, or "General". */
  code: string;
  isDate: boolean;
  /** Days, months or years are shown, not only a time of day. */
  hasDay: boolean;
}

/** Reads a format of a workbook: a custom code, or a built-in identifier in the workbook's locale. */
export function readFormat(id: number, codes: Map<number, string>, locale: string): NumberFormat {
  return toFormat(codes.get(id) ?? (id < FIRST_CUSTOM_ID ? getFormatFromId(id, locale) : 'General'));
}

/** The date that built-in format 14 stands for in an American workbook; elsewhere it is the date of the country. */
const AMERICAN_DATE = 'm/d/yy';
const DATE_ID = 14;

/** Reads a format of a workbook whose built-in formats were written out. */
export function readFormatCode(code: string, locale: string): NumberFormat {
  return toFormat(code === AMERICAN_DATE ? getFormatFromId(DATE_ID, locale) : code);
}

function toFormat(code: string): NumberFormat {
  if (/^general$/i.test(code) || format(code, 1, { throws: false }) === '######') {
    return { code: 'General', isDate: false, hasDay: false };
  }
  const { isDate, type } = getFormatInfo(code);
  return { code, isDate, hasDay: isDate && type !== 'time' };
}

/** The text that a cell shows. Signs that a format pads with are trimmed. */
export function showNumber(
  value: number,
  numberFormat: NumberFormat,
  locale: string,
  is1904: boolean,
): string {
  if (!numberFormat.isDate) return format(numberFormat.code, value, { locale, throws: false }).trim();
  const serial = is1904 ? value + DAYS_1904 : value;
  let code = numberFormat.code;
  if (GENITIVE_MARK.test(code)) {
    const month = GENITIVE_MONTHS[dateFromSerial(serial)[1] - 1] ?? '';
    code = code.replace(GENITIVE_MARK, '[$-419]').replace(/mmmm/i, `"${month}"`);
  }
  return format(code, serial, { locale, throws: false }).trim();
}

/** The number itself, or its day (and time) in ISO form where the format shows a date. */
export function valueBeneath(value: number, numberFormat: NumberFormat, is1904: boolean): number | string {
  if (!numberFormat.hasDay) return value;
  const serial = is1904 ? value + DAYS_1904 : value;
  if (serial < 1 || serial >= 2_958_466) return value; // before 1900 or after 9999: shown as ######
  const [year, month, day, hours, minutes, seconds] = dateFromSerial(serial);
  const date = `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;
  return hours + minutes + seconds === 0 ? date : `${date}T${pad(hours)}:${pad(minutes)}:${pad(seconds)}`;
}

export function showBoolean(value: boolean, locale: string): string {
  return format('General', value, { locale });
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Locales that formats of a country give away. */
const formatMarks: [RegExp, string][] = [
  [/\[\$[^\]]*-(?:0*419|FC19)\]|₽|р\.|руб/i, 'ru'],
  [/\[\$[^\]]*-0*415\]|zł/i, 'pl'],
  [/\[\$[^\]]*-0*(?:407|807|C07)\]/i, 'de'],
  [/\[\$[^\]]*-0*(?:40A|C0A|80A)\]/i, 'es'],
];

/** Locale of a workbook that names none: from its formats, else from its words. */
export function guessLocale(codes: Iterable<string>, detected: string): string {
  const counts = new Map<string, number>();
  for (const code of codes) {
    for (const [mark, locale] of formatMarks)
      if (mark.test(code)) counts.set(locale, (counts.get(locale) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best?.[0] ?? (detected === 'und' ? 'en' : detected);
}
