/** Which text of a paragraph is both read and drawn? Offsets of the one are offsets of the other. */
import { slides as limits } from '../../config.ts';
import { toSymbol } from '../docx/symbols.ts';
import type { Paragraph, Run } from './deck.ts';

/** Makes the runs say exactly what the block of the paragraph will say: NFC, no control characters, no white space at the ends. */
export function cleanParagraph(paragraph: Paragraph): void {
  const label = cleanRun(paragraph.label).trim();
  let runs = paragraph.runs.map((run) => ({ ...run, text: cleanRun(withSymbols(run)) }));
  const whole = runs.map(({ text }) => text).join('');
  // Letters and their accents may stand in different runs: then the letter's form serves for all.
  if (whole.normalize('NFC') !== whole && runs[0]) runs = [{ ...runs[0], text: whole.normalize('NFC') }];
  paragraph.label = label;
  paragraph.runs = trimEnds(cutLong(runs));
}

/** Nothing but a number or less. */
export function isBlank({ runs }: Paragraph): boolean {
  return runs.every(({ text }) => text.trim() === '');
}

/** Signs of symbol faces stand in the private area: as the characters that they look like. */
function withSymbols({ text, font = '' }: Run): string {
  const face = /symbol/i.test(font) && !/segoe/i.test(font) ? 'Symbol' : 'Wingdings';
  return text.replaceAll(/[\uf020-\uf0ff]/gu, (sign) => toSymbol(face, sign.charCodeAt(0).toString(16)));
}

function cleanRun(text: string): string {
  return text
    .replaceAll(/\r\n?|[\v\u2028\u2029]/gu, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|\p{Cs}|\u00ad|\ufeff/gu, '')
    .normalize('NFC');
}

function cutLong(runs: Run[]): Run[] {
  let left: number = limits.maxParagraphLength;
  return runs.flatMap((run) => {
    if (left <= 0) return [];
    const text = run.text.slice(0, left).replace(/\p{Cs}$/u, '');
    left -= run.text.length;
    return [{ ...run, text }];
  });
}

/** A blank paragraph keeps a run for the size of its line. */
function trimEnds(runs: Run[]): Run[] {
  const kept = runs.filter(({ text }) => text !== '');
  while (kept[0] && kept[0].text.trim() === '') kept.shift();
  while (kept.length > 0 && kept.at(-1)!.text.trim() === '') kept.pop();
  const [first, last] = [kept[0], kept.at(-1)];
  if (!first || !last) return runs.slice(0, 1).map((run) => ({ ...run, text: '' }));
  first.text = first.text.trimStart();
  last.text = last.text.trimEnd();
  return kept;
}
