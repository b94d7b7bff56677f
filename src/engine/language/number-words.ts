/** Which numbers does a text spell out, "sixty", «сорок пять»? */
import type { Range } from '../../api/types.ts';

/** A number in words as it stands in a text. */
export interface SpelledNumber extends Range {
  value: number;
}

/** Words of English, Russian, German, Polish and Spanish by value, inflected forms as patterns. Ordinals are no numbers. */
const forms: [value: number, pattern: string][] = [
  [1.5, 'полтор(?:а|ы|ых)|anderthalb|półtor(?:a|ej)'],
  [2, 'two|дв(?:а|е|ух|ум|умя)|zwei|dwa|dwie|dwóch|dwu|dos'],
  [3, 'three|тр(?:и|ёх|ех|ём|ем|емя)|drei|trzy|trzech|tres'],
  [4, 'four|четыр(?:е|ёх|ех|ём|ем|ьмя)|vier|cztery|czterech|cuatro'],
  [5, 'five|пят(?:ь|и|ью)|fünf|pięć|pięciu|cinco'],
  [6, 'six|шест(?:ь|и|ью)|sechs|sześć|sześciu|seis'],
  [7, 'seven|сем(?:ь|и|ью)|sieben|siedem|siedmiu|siete'],
  [8, 'eight|вос(?:емь|ьми|емью)|acht|osiem|ośmiu|ocho'],
  [9, 'nine|девят(?:ь|и|ью)|neun|dziewięć|dziewięciu|nueve'],
  [10, 'ten|десят(?:ь|и|ью)|zehn|dziesięć|dziesięciu|diez'],
  [11, 'eleven|одиннадцат(?:ь|и|ью)|elf|jedenaście|jedenastu|once'],
  [12, 'twelve|dozen|двенадцат(?:ь|и|ью)|zwölf|dwanaście|dwunastu|doce'],
  [13, 'thirteen|тринадцат(?:ь|и|ью)|dreizehn|trzynaście|trzynastu|trece'],
  [14, 'fourteen|четырнадцат(?:ь|и|ью)|vierzehn|czternaście|czternastu|catorce'],
  [15, 'fifteen|пятнадцат(?:ь|и|ью)|fünfzehn|piętnaście|piętnastu|quince'],
  [16, 'sixteen|шестнадцат(?:ь|и|ью)|sechzehn|szesnaście|szesnastu|dieciséis'],
  [17, 'seventeen|семнадцат(?:ь|и|ью)|siebzehn|siedemnaście|siedemnastu|diecisiete'],
  [18, 'eighteen|восемнадцат(?:ь|и|ью)|achtzehn|osiemnaście|osiemnastu|dieciocho'],
  [19, 'nineteen|девятнадцат(?:ь|и|ью)|neunzehn|dziewiętnaście|dziewiętnastu|diecinueve'],
  [20, 'twenty|двадцат(?:ь|и|ью)|zwanzig|dwadzieścia|dwudziestu|veinte'],
  [30, 'thirty|тридцат(?:ь|и|ью)|dreißig|trzydzieści|trzydziestu|treinta'],
  [40, 'forty|сорока?|vierzig|czterdzieści|czterdziestu|cuarenta'],
  [50, 'fifty|пят(?:ьдесят|идесяти)|fünfzig|pięćdziesiąt|pięćdziesięciu|cincuenta'],
  [60, 'sixty|шест(?:ьдесят|идесяти)|sechzig|sześćdziesiąt|sześćdziesięciu|sesenta'],
  [70, 'seventy|сем(?:ьдесят|идесяти)|siebzig|siedemdziesiąt|siedemdziesięciu|setenta'],
  [80, 'eighty|восем(?:ьдесят|идесяти)|восьмидесяти|achtzig|osiemdziesiąt|osiemdziesięciu|ochenta'],
  [90, 'ninety|девяност[оа]|neunzig|dziewięćdziesiąt|dziewięćdziesięciu|noventa'],
  [100, 'hundred|ст[оа]|hundert|stu|cien(?:to)?'],
  [200, 'двести|двухсот|zweihundert|dwieście|dwustu|doscientos'],
  [300, 'триста|трёхсот|трехсот|trzysta|trzystu|trescientos'],
  [400, 'четыреста|четырёхсот|четырехсот|czterysta|cuatrocientos'],
  [500, 'пятьсот|пятисот|fünfhundert|pięćset|pięciuset|quinientos'],
];

/** "One" and its like are articles and pronouns more often than numbers: they count only before a unit. */
const singular =
  'one|од(?:ин|на|но|ного|ной|ну)|ein(?:e|er|em|en)?|jed(?:en|na|ną|nego|nej)|un[oa]?|half an?|an?';

const byWord: [number, RegExp][] = forms.map(([value, pattern]) => [
  value,
  new RegExp(`^(?:${pattern})$`, 'iu'),
]);
const anyForm = forms.map(([, pattern]) => pattern).join('|');
const spelled = new RegExp(
  `(?<!\\p{L})(?:${anyForm})(?:[\\s-]+(?:and\\s+|und\\s+|y\\s+)?(?:${anyForm}))*(?!\\p{L})`,
  'giu',
);
const leadingOne = new RegExp(`(?<!\\p{L})(?:${singular})(?=[\\s-])`, 'giu');

/** Numbers in words in order; "twenty-five" is one, "two hundred" is 200. Those of one thing are left to `readSingular`. */
export function readNumberWords(text: string): SpelledNumber[] {
  return [...text.matchAll(spelled)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: numberOf(match[0]),
  }));
}

/** "One", "a", «один» and the like, each perhaps only an article. */
export function readSingular(text: string): SpelledNumber[] {
  return [...text.matchAll(leadingOne)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: 1,
  }));
}

function numberOf(written: string): number {
  let sum = 0;
  for (const part of written.split(/[\s-]+/)) {
    const value = byWord.find(([, pattern]) => pattern.test(part))?.[0];
    if (value === undefined) continue;
    // "Two hundred" multiplies, "hundred and two" adds.
    sum = value === 100 && sum > 0 && sum < 10 ? sum * 100 : sum + value;
  }
  return sum;
}
