/** Does a sentence hold a thing of the kind that the question asks for? */
import { readDates } from '../language/dates.ts';
import { words } from '../language/words.ts';
import type { EvidenceUnit } from './evidence-units.ts';
import type { QuestionFocus } from './question-focus.ts';
import { readFigures } from './read-figures.ts';

/** Numbers in words, as contracts write them. */
const numberWords =
  '(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|half|дв[аеу]\\p{L}*|тр[иёе]\\p{L}*|четыр\\p{L}*|пят\\p{L}*|шест\\p{L}*|сем[ьи]\\p{L}*|вос[ье]м\\p{L}*|девят\\p{L}*|десят\\p{L}*|полтор\\p{L}*|сорок\\p{L}*|сто|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|dw\\p{L}+|trzy|trzech|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce)(?!\\p{L})';
const spelledNumber = new RegExp(`(?<!\\p{L})${numberWords}`, 'iu');
/** "One" and its like are articles and pronouns more often than numbers: they count only before a unit. */
const articles = '(?:one|an?|од(?:ин|на|но|ного|ной)|eine[rnm]?|jed(?:en|na|ną|nego)|un[oa]?)(?!\\p{L})';
/** Units of time and length. */
const measureUnits =
  'seconds?|secs?|minutes?|mins?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur\\p{L}+|milliseconds?|ms|s|h|miles?|feet|foot|inch\\p{L}*|yards?|met(?:er|re)s?|kilomet(?:er|re)s?|mm|cm|m|km|pages?|секунд\\p{L}*|минут\\p{L}*|час\\p{L}{0,3}|дн[яейи]\\p{L}*|день|недел\\p{L}*|месяц\\p{L}*|год\\p{L}{0,3}|лет|метр\\p{L}*|километр\\p{L}*|мм|см|м|км|Sekunden?|Minuten?|Stunden?|Tage?n?|Wochen?|Monate?n?|Jahre?n?|Metern?|Kilometern?|sekund\\p{L}*|minut\\p{L}*|godzin\\p{L}*|dni|dzień|tygod\\p{L}*|miesi\\p{L}*|lat\\p{L}{0,2}|rok\\p{L}{0,2}|metr\\p{L}*|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?|metros?|kilómetros?';
/** A number, in figures or words, of a unit of time or length at most two words further on. */
const measure = new RegExp(
  `(?<![\\p{L}\\d])(?:\\d|${articles}|${numberWords})[\\p{L}\\d.,]*(?:[\\s-]+[\\p{L}\\d]+){0,2}[\\s-]*(?<![\\p{L}])(?:${measureUnits})(?!\\p{L})`,
  'iu',
);

/** A figure, duration, date or name that the question does not name itself. */
export function holdsAsked(focus: QuestionFocus, unit: EvidenceUnit): boolean {
  const known = new Set(words(focus.text).map(({ word }) => word));
  if (focus.asked === 'date' || focus.asked === 'year') {
    if (readDates(unit.text).length > 0) return true;
    return unit.words.some((word) => /^(?:1\d|20)\d\d$/.test(word) && !known.has(word));
  }
  if (focus.asked === 'duration') return measure.test(unit.text);
  if (focus.asked === 'person') return /(?<=\p{L}[\p{L},]* )\p{Lu}\p{Ll}+/u.test(unit.text);
  return readFigures(unit.text, unit.language).some(
    (number) =>
      !known.has(unit.text.slice(number.start, number.end)) &&
      !/\p{L}[-–]?$/u.test(unit.text.slice(0, number.start)) &&
      (focus.asked !== 'percent' || number.isPercent),
  );
}

/** The same, numbers in words included: "two teams" makes no sentence likelier, but it may be the answer. */
export function mayHoldAsked(focus: QuestionFocus, unit: EvidenceUnit): boolean {
  return holdsAsked(focus, unit) || (focus.asked === 'quantity' && spelledNumber.test(unit.text));
}
