/** Which amounts does a piece give, in figures or in words, and of what? */
import type { Language, Range } from '../../api/types.ts';
import { readDates } from '../language/dates.ts';
import { readNumberWords, readSingular } from '../language/number-words.ts';
import { readNumbers } from '../language/numbers.ts';
import { words } from '../language/words.ts';

/** What an amount is measured in; '' for pieces and for bare numbers. */
export type AmountUnit = 'money' | 'percent' | 'time' | 'size' | '';

/** A number with its currency or unit; `start` and `end` enclose them. */
export interface Amount extends Range {
  value: number;
  unit: AmountUnit;
  /** Where the number ends and its unit begins. */
  numberEnd: number;
  /** Folded word right behind it, which says what is counted; '' where none follows. */
  noun: string;
  isSpelled: boolean;
}

/** A clause or list number that begins a piece: "4.1 The", "(3) The", "12. The", "§ 5 The". */
const startLabel =
  /^\s*(?:§+\s*\d[\d.]*|\(\d+(?:\.\d+)*\)|\d+(?:\.\d+)*[.)](?!\d)|\d+(?:\.\d+)+(?=\s+(?:\p{Lu}\p{Ll}|[AIАВИКОСУЯ]\s)))(?=\s)/u;
/** What makes the number after it a reference to another place. */
const reference =
  /(?:§|№|(?<!\p{L})(?:no|nr|section|clause|article|paragraph|annex|appendix|page|chapter|пункт\p{L}{0,2}|п|стать\p{L}{1,2}|ст|раздел\p{L}{0,2}|приложени\p{L}{1,2}|страниц\p{L}{1,2}|стр|abschnitt|artikel|anlage|seite|rozdział\p{L}*|artykuł\p{L}*|załącznik\p{L}*|strona|artículo|sección|anexo|página)\.?)\s*$/iu;

const timeUnits =
  'milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|quarters?|years?|decades?|centur(?:y|ies)|миллисекунд\\p{L}*|секунд\\p{L}*|минут\\p{L}*|час(?:а|ов|ам|ами|ах)?|дн(?:я|ей|ям|ями|ях|и)|день|суток|сутки|ноч\\p{L}{1,3}|недел\\p{L}*|месяц\\p{L}*|год(?:а|ов|у)?|лет|Sekunden?|Minuten?|Stunden?|Tagen?|Tage?|Nächten?|Wochen?|Monaten?|Monate?|Jahren?|Jahre?|sekund\\p{L}*|minut\\p{L}*|godzin\\p{L}*|dni|dzień|tygod\\p{L}*|miesi\\p{L}*|lat\\p{L}{0,2}|rok\\p{L}{0,2}|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?';
const sizeUnits =
  'miles?|feet|foot|inch(?:es)?|yards?|acres?|(?:milli|centi|kilo)?met(?:er|re)s?|(?:kilo)?grams?|tons?|tonnes?|lit(?:er|re)s?|degrees?|volts?|watts?|pages?|кв\\.\\s?м|куб\\.\\s?м|(?:кило|санти|милли)?метр\\p{L}{0,2}|(?:кило)?грамм\\p{L}{0,2}|тонн\\p{L}{0,2}|литр\\p{L}{0,2}|градус\\p{L}{0,2}|вольт|ватт|страниц\\p{L}{0,2}|Met(?:er|ern)|Kilomet(?:er|ern)|Zentimet(?:er|ern)|Tonnen?|Seiten?|metr\\p{L}{0,2}|kilometr\\p{L}{0,2}|ton\\p{L}?|stron\\p{L}?|metros?|kilómetros?|toneladas?|páginas?';
/** Signs of units stand right behind their figure, in this very case: "5 A" is a current and "a day" is none. */
const timeSigns = 'ms|s|min|h|мс|с|мин|ч';
const sizeSigns =
  'km\\/h|km²|km|m²|m³|mm|cm|dm|m|kg|mg|g|t|ml|l|ha|°\\s?[CF]|[KMGT]i?B|kW|V|W|A|[kMG]?Hz|км\\/ч|км²|км|м²|м³|мм|см|дм|м|кг|мг|т|мл|л|га|°';
/** At most one word, "working days", «угловые секунды», and the area and volume that a unit makes. */
const behind = (units: string, signs: string): RegExp =>
  new RegExp(
    `^(?:\\s*\\(\\d+\\))?(?:[\\s-]*(?:\\p{L}{3,}[\\s-]+)?(?<unit>(?:${units}))(?![\\p{L}\\d])|[\\s\\u00a0]?(?<sign>${signs})(?![\\p{L}\\d]))`,
    'u',
  );
const timeBehind = behind(timeUnits, timeSigns);
const sizeBehind = behind(sizeUnits, sizeSigns);

/** Amounts in order. Dates, years, clause numbers and references to other places are left out. */
export function readAmounts(text: string, language: Language): Amount[] {
  const dates = readDates(text);
  const label = startLabel.exec(text)?.[0] ?? '';
  const figures = readNumbers(text, language)
    .filter(({ start, end, scale, isPercent, currency }) => {
      if (dates.some((date) => date.start < end && start < date.end)) return false;
      const isPlain = scale === 1 && !isPercent && currency === '';
      if (!isPlain) return true;
      if (start < label.length && end <= label.length) return false;
      if (reference.test(text.slice(0, start))) return false;
      // "SL-4", "x2" and "B3" are marks.
      return !/[\p{L}_][-–]?$/u.test(text.slice(0, start)) && !/^[-–]?\p{L}{1,2}\d/u.test(text.slice(end));
    })
    .map(({ start, end, value, isPercent, currency }) => {
      const given = currency === '' ? '' : 'money';
      return { start, end, value, unit: (isPercent ? 'percent' : given) as AmountUnit, isSpelled: false };
    });
  const spelled = [...readNumberWords(text), ...readSingular(text)]
    .filter(({ start, end }) => !figures.some((other) => start < other.end && other.start < end))
    .map((each) => ({ ...each, unit: '' as AmountUnit, isSpelled: true }));
  const all = [...figures, ...spelled]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start }, index, sorted) => index === 0 || start >= sorted[index - 1]!.end)
    .map((amount) => withUnit(text, amount))
    // "Two-thirds" and «две трети» are shares.
    .filter(
      ({ isSpelled, end }) =>
        !(
          isSpelled &&
          /^[\s-](?:thirds?|quarters?|fifths?|трет|четверт|пят[аы]|Drittel|Viertel)/u.test(text.slice(end))
        ),
    )
    // "A" and "one" are numbers only where a unit says so.
    .filter(({ value, isSpelled, unit }) => !(isSpelled && value === 1 && unit === ''))
    .filter(({ start, end, unit }) => !(unit === '' && /^(?:1[5-9]|20)\d\d$/.test(text.slice(start, end))));
  return mergeRepeated(mergeTimes(text, all));
}

function withUnit(text: string, amount: Omit<Amount, 'noun' | 'numberEnd'>): Amount {
  const rest = text.slice(amount.end, amount.end + 60);
  const noun = /^[\s-]*\p{L}/u.test(rest) ? (words(rest)[0]?.word ?? '') : '';
  const { end: numberEnd } = amount;
  if (amount.unit !== '') return { ...amount, numberEnd, noun };
  const time = timeBehind.exec(rest);
  if (time) return { ...amount, unit: 'time', numberEnd, end: numberEnd + time[0].length, noun };
  const size = sizeBehind.exec(rest);
  if (size) return { ...amount, unit: 'size', numberEnd, end: numberEnd + size[0].length, noun };
  return { ...amount, numberEnd, noun };
}

/** "Four hours twenty minutes" is one. */
function mergeTimes(text: string, amounts: Amount[]): Amount[] {
  const merged: Amount[] = [];
  for (const amount of amounts) {
    const before = merged.at(-1);
    const between = before && text.slice(before.end, amount.start);
    if (before?.unit === 'time' && amount.unit === 'time' && /^(?:\s+(?:and|и|und|i|y)?\s*)$/u.test(between!))
      merged[merged.length - 1] = { ...before, end: amount.end };
    else merged.push(amount);
  }
  return merged;
}

/** "Sixty (60) days": the figure in brackets says the same once more. */
function mergeRepeated(amounts: Amount[]): Amount[] {
  return amounts.filter((amount, index) => index === 0 || amount.start >= amounts[index - 1]!.end);
}

/** True unless the two are known to measure different things: money and days, percent and pieces. */
export function mayShareUnit(a: Amount, b: Amount): boolean {
  if (a.unit !== b.unit) return false;
  if (a.unit !== '') return true;
  return a.noun === b.noun || a.noun === '' || b.noun === '';
}

const bound =
  /(?<!\p{L})(?:more than|less than|fewer than|no (?:more|less|longer|fewer) than|not (?:more|less) than|at (?:least|most)|up to|over|under|above|below|не (?:более|менее|больше|меньше)(?: чем)?|более(?: чем)?|менее|больше|меньше|свыше|mindestens|höchstens|bis zu|mehr als|über|co najmniej|najwyżej|ponad|al menos|como máximo|hasta|más de|menos de)\s+$/iu;

/** Where an amount begins with the words that bound it, "more than 70,000": without them it would say another thing. */
export function boundedStart(text: string, start: number): number {
  const match = bound.exec(text.slice(0, start));
  return match ? match.index : start;
}
