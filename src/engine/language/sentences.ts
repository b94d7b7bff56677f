/** Where does a sentence end? */
import type { Range } from '../../api/types.ts';
import { language as limits } from '../config.ts';

/** Never end a sentence: a name, a number or the thing meant follows. */
const beforeName = new Set(
  `mr mrs ms dr prof st sr jr vs no nos art arts sec para fig figs eq vol pp cf approx dept gen col capt lt sgt rev hon gov
   e.g i.e viz al ed eds trans
   г-н г-жа гр им тов проф акад доц д-р ст ч п пп абз гл разд рис табл стр с см ср напр т.е т.н т.к т.ч т.наз
   ул пер пр просп пл д кв корп стр обл р-н пос дер пгт ред изд зам зав инж тел вып прим подп прил
   ок мин макс кв.м куб.м
   nr art ust pkt poz ul al pl im ks inż mgr dr hab prof np tzn tzw m.in red zob por św gen płk
   bzw z.b d.h u.a s abs art nr str hr fr dr prof bspw ggf inkl evtl ca sog vgl bzgl zzgl
   sra sres srta dra art núm pág págs cap fig av avda p.ej ej ud uds vol aprox tel`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Usually inside a sentence, yet one may end with them: followed by a capital letter, they end it. */
const mayEnd = new Set(
  `etc inc ltd co corp a.m p.m u.s u.k e.u jan feb mar apr jun jul aug sep sept oct nov dec est
   г гг в вв руб коп тыс млн млрд трлн др пр т.д т.п т.п. н.э экз чел шт час мин сек кг км м см мм л р
   itd itp r w zł gr tys mln mld godz min ok st godz
   usw etc jh mio mrd tsd std min z.t u.s.w o.ä u.ä
   etc ee.uu a.c d.c s.a s.l`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const closers = new Set([...'"\'»”’)]}›“*_']);
const letter = /\p{L}/u;
const lowerCase = /\p{Ll}/u;
const upperCase = /\p{Lu}/u;
const digit = /\p{Nd}/u;
const space = /\s/;

const isStop = (unit: string) => unit === '.' || unit === '!' || unit === '?' || unit === '…';
const isWideStop = (unit: string) => unit === '。' || unit === '！' || unit === '？';

const listMark = /^\d{1,3}(?:\.\d{1,3})*$/;
const longestMark = 15;
const germanMonth =
  /^\s+(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)/;
const lettersFollow = /^\s\p{L}\./u;

/** Longest abbreviation looked back for, with its dots and spaces. */
const longestAbbreviation = 12;

/** The word before a full stop, with inner dots ("т.е", "z. B" as "z.b"), lower case; empty after a space. */
function wordBefore(text: string, stop: number, from: number): string {
  let start = stop;
  const least = Math.max(from, stop - longestAbbreviation);
  while (start > least) {
    const unit = text[start - 1]!;
    if (letter.test(unit) || unit === '-') start--;
    else if (unit === '.' && letter.test(text[start - 2] ?? '')) start--;
    // "т. е." and "z. B.": a single letter, a stop and a space before a single letter.
    else if (unit === ' ' && isSpacedAbbreviation(text, start, stop)) start--;
    else break;
  }
  return text.slice(start, stop).replaceAll(' ', '').toLowerCase();
}

function isSpacedAbbreviation(text: string, start: number, stop: number): boolean {
  const follows = text.slice(start, stop);
  const isSingle = (at: number) => letter.test(text[at] ?? '') && !letter.test(text[at - 1] ?? '');
  return text[start - 2] === '.' && isSingle(start - 3) && (follows.length <= 1 || follows[1] === '.');
}

/** First unit at or after `at` that is no space and no opening quote or bracket. */
function firstOfNext(text: string, at: number): string {
  for (let i = at; i < Math.min(at + 8, text.length); i++) {
    const unit = text[i]!;
    if (!space.test(unit) && !'«„“"\'‘(['.includes(unit)) return unit;
  }
  return '';
}

/** Does the full stop at `stop` (with nothing but `start..stop` before it) end a sentence, its successor at `next`? */
function endsSentence(text: string, start: number, stop: number, next: number): boolean {
  const follows = firstOfNext(text, next);
  if (lowerCase.test(follows)) return false;
  const word = wordBefore(text, stop, start);
  if (word === '') {
    // A list mark "3." or "4.2." belongs to what follows, and so does a German day of the month.
    if (stop - start <= longestMark && listMark.test(text.slice(start, stop))) return false;
    return !(digit.test(text[stop - 1] ?? '') && germanMonth.test(text.slice(next, next + 12)));
  }
  if (beforeName.has(word)) return false;
  if (mayEnd.has(word)) return upperCase.test(follows) || follows === '' || '—–-•'.includes(follows);
  const last = word.split('.').at(-1)!;
  // Initials: "И. И. Иванов", "J. R. Smith"; also list marks "a." at the beginning.
  if (last.length === 1 && upperCase.test(text[stop - 1]!) && !isEndingLetter(text, stop)) return false;
  // "z. B.", "d. h.": a letter that stands alone before another one.
  if (last.length === 1 && (stop - start === 1 || lettersFollow.test(text.slice(next, next + 4))))
    return false;
  return !(word.includes('.') && digit.test(follows));
}

/** A single capital that ends a sentence: "vitamin C.", "пункт А." follow a lower-case word and no initial. */
function isEndingLetter(text: string, stop: number): boolean {
  const after = /^\s+(\p{Lu})(\p{L}*)/u.exec(text.slice(stop + 1, stop + 16));
  const isBeforeSurname = after !== null && after[2] !== '';
  const isBeforeInitial = after !== null && after[2] === '';
  const isAfterWord = text[stop - 2] === ' ' && lowerCase.test(text[stop - 3] ?? '');
  return after === null ? true : isAfterWord && !isBeforeSurname && !isBeforeInitial;
}

/** End of the run of stops and closing quotes that begins at `at`. */
function endOfStops(text: string, at: number): number {
  let end = at;
  while (end < text.length && (isStop(text[end]!) || closers.has(text[end]!))) end++;
  // A footnote mark glued to the stop: "…text.[12]".
  const note = /^\[\d{1,3}\]/.exec(text.slice(end, end + 5));
  return note === null ? end : end + note[0].length;
}

/** Where the sentence that begins at `start` ends; `start` is no space. */
function findEnd(text: string, start: number): number {
  const most = Math.min(text.length, start + limits.maxSentenceLength);
  for (let at = start; at < most; at++) {
    const unit = text[at]!;
    if (unit === '\n') {
      if (isParagraphBreak(text, at)) return at;
      continue;
    }
    if (isWideStop(unit)) return Math.min(endOfStops(text, at + 1), text.length);
    if (!isStop(unit)) continue;
    const end = endOfStops(text, at);
    if (end >= text.length) return text.length;
    if (!space.test(text[end]!)) {
      at = end - 1;
      continue;
    }
    if (unit === '.' && end === at + 1 ? endsSentence(text, start, at, end) : beginsNext(text, end))
      return end;
    at = end - 1;
  }
  return most === text.length ? most : cutAtSpace(text, start, most);
}

/** After "!", "?", "…" or a closing quote a sentence ends unless a lower-case word goes on. */
function beginsNext(text: string, at: number): boolean {
  return !lowerCase.test(firstOfNext(text, at));
}

/** A line feed ends a sentence: blocks end with one, and headings and list items carry no stop. */
function isParagraphBreak(text: string, at: number): boolean {
  const next = firstOfNext(text, at + 1);
  const before = text[at - 1] ?? '';
  // A line broken by its width goes on in lower case after a letter or comma.
  return !(lowerCase.test(next) && text[at + 1] !== '\n' && (letter.test(before) || ',;-–'.includes(before)));
}

/** A cut at or before `most` that splits neither a word nor a surrogate pair. */
function cutAtSpace(text: string, start: number, most: number): number {
  for (let at = most; at > start + limits.maxSentenceLength / 2; at--) if (space.test(text[at]!)) return at;
  const unit = text.charCodeAt(most);
  return unit >= 0xdc00 && unit <= 0xdfff ? most - 1 : most;
}

/**
 * The sentences of a text in order, without the white space around them. Knows the abbreviations, initials, list marks and
 * dotted numbers of Russian, English, Polish, German and Spanish. No sentence is longer than
 * `language.maxSentenceLength`. Linear in the text's length.
 */
export function sentences(text: string): Range[] {
  const found: Range[] = [];
  let at = 0;
  while (at < text.length) {
    if (space.test(text[at]!)) {
      at++;
      continue;
    }
    const end = findEnd(text, at);
    let last = end;
    while (last > at && space.test(text[last - 1]!)) last--;
    if (last > at) found.push({ start: at, end: last });
    at = Math.max(end, at + 1);
  }
  return found;
}
