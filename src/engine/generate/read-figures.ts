/** Which numbers of a piece say something, and which of them mean the same kind of thing? */
import type { Language } from '../../api/types.ts';
import { type NumberMention, readNumbers } from '../language/numbers.ts';
import { words } from '../language/words.ts';

/** A clause or list number that begins a piece: "4.1 The", "(3) The", "12. The", "§ 5 The". */
const startLabel =
  /^\s*(?:§+\s*\d[\d.]*|\(\d+(?:\.\d+)*\)|\d+(?:\.\d+)*[.)](?!\d)|\d+(?:\.\d+)+(?=\s+(?:\p{Lu}\p{Ll}|[AIАВИКОСУЯ]\s)))(?=\s)/u;
/** What makes the number after it a reference to another place. */
const reference =
  /(?:§|№|(?<!\p{L})(?:no|nr|section|clause|article|paragraph|annex|appendix|page|chapter|пункт\p{L}{0,2}|п|стать\p{L}{1,2}|ст|раздел\p{L}{0,2}|приложени\p{L}{1,2}|страниц\p{L}{1,2}|стр|abschnitt|artikel|anlage|seite|rozdział\p{L}*|artykuł\p{L}*|załącznik\p{L}*|strona|artículo|sección|anexo|página)\.?)\s*$/iu;

/** Numbers without those that only name a place: the piece's own clause number and references to others. */
export function readFigures(text: string, language: Language): NumberMention[] {
  const label = startLabel.exec(text)?.[0] ?? '';
  return readNumbers(text, language).filter(({ start, end, scale, isPercent, currency }) => {
    const isLabel = start < label.length && end <= label.length;
    const isPlain = scale === 1 && !isPercent && currency === '';
    return !(isPlain && (isLabel || reference.test(text.slice(0, start))));
  });
}

/** True unless the two are known to measure different things: money and days, percent and pieces. */
export function mayShareUnit(text: string, a: NumberMention, b: NumberMention): boolean {
  if (a.isPercent !== b.isPercent) return false;
  if (a.currency !== '' && b.currency !== '') return true;
  if (a.currency !== '' || b.currency !== '') return false;
  const [left, right] = [wordAfter(text, a.end), wordAfter(text, b.end)];
  return left === right || left === '' || right === '';
}

function wordAfter(text: string, end: number): string {
  return /^[\s-]*\p{L}/u.test(text.slice(end)) ? (words(text.slice(end, end + 40))[0]?.word ?? '') : '';
}
