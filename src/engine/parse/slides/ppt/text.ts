/** Which paragraphs does a text of an old presentation hold? */
import iconv from 'iconv-lite';
import { slides as limits } from '../../../config.ts';
import { type Paragraph, plainParagraph, type Run } from '../deck.ts';
import {
  type LetterFormat,
  type MasterStyle,
  type ParagraphFormat,
  readTextStyle,
  type StyledText,
} from './letters.ts';
import { type Record, type } from './records.ts';

/** Kinds of text. */
export const textKind = { title: 0, body: 1, notes: 2, other: 4, centerBody: 5, centerTitle: 6 } as const;

/** The records of one text, in the list of slides or in a shape. */
export interface PptText {
  kind: number;
  /** Paragraphs end with a carriage return. */
  text: string;
  style: StyledText | undefined;
}

export interface LetterContext {
  fonts: readonly string[];
  /** Colours of the slide's scheme, as CSS. */
  scheme: readonly string[];
  /** What the master says, by kind of text. */
  styles: ReadonlyMap<number, MasterStyle>;
  /** Number of the slide, its date and its footer: what fields in a text stand for. */
  fields: { number: string; date: string; footer: string };
}

/** Pixels in a unit of the format, 1/576 inch. */
export const UNIT = 96 / 576;
const POINTS = 72 / 576;
const MAX_LEVEL = 4;
/** Of a master that says nothing. */
const sizes: { [kind: number]: number } = { 0: 44, 6: 44, 1: 28, 5: 32, 7: 24, 8: 20, 2: 12 };
const DEFAULT_SIZE = 18;
const bodyKinds = new Set<number>([textKind.body, 7, 8]);

/** Texts among records that follow each other: each begins with its header. */
export function readTexts(records: readonly Record[], fields: LetterContext['fields']): PptText[] {
  const texts: PptText[] = [];
  let isFilled = true;
  for (const record of records) {
    if (record.type === type.textHeader) {
      texts.push({ kind: record.u32(0), text: '', style: undefined });
      isFilled = false;
      continue;
    }
    const open = texts.at(-1);
    if (!open) continue;
    if (!isFilled && (record.type === type.textChars || record.type === type.textBytes)) {
      open.text = decode(record);
      isFilled = true;
    } else if (record.type === type.textStyle) open.style = readTextStyle(record, open.text.length);
    else open.text = withField(open.text, record, fields);
  }
  return texts;
}

/** In two bytes a letter, or in one: the low half of Unicode, where programs also left letters of Windows' Western page. */
function decode(record: Record): string {
  const { data } = record;
  const text =
    record.type === type.textChars
      ? data.toString('utf16le', 0, data.length & ~1)
      : iconv.decode(data, 'windows-1252');
  return text.slice(0, limits.maxParagraphLength * 10);
}

/** A field holds the place of a star. Lengths stay where the words are as long; formats behind may shift, which only looks. */
function withField(text: string, record: Record, fields: LetterContext['fields']): string {
  const words =
    record.type === type.slideNumberField
      ? fields.number
      : record.type === type.footerField
        ? fields.footer
        : record.type === type.dateField || record.type === type.genericDateField
          ? fields.date
          : undefined;
  if (words === undefined) return text;
  const at = record.u32(0);
  const star = text[at] === '*' ? at : text.indexOf('*');
  return star < 0 ? text : text.slice(0, star) + words + text.slice(star + 1);
}

export function readParagraphs(source: PptText, context: LetterContext): Paragraph[] {
  const { text, style } = source;
  const paragraphs: Paragraph[] = [];
  let at = 0;
  for (const line of text.replace(/\r$/, '').split('\r')) {
    const own = formatAt(style?.paragraphs, at);
    const level = Math.min(MAX_LEVEL, own?.level ?? 0);
    const master = context.styles.get(source.kind)?.[level] ?? context.styles.get(source.kind)?.[0];
    const format = { ...master?.paragraph, ...own };
    const runs = readRuns(line, at, source, context, master?.letters);
    paragraphs.push(toParagraph(runs, level, format, source.kind, signOf(format, context.fonts)));
    at += line.length + 1;
  }
  return paragraphs;
}

function readRuns(
  line: string,
  start: number,
  { style, kind }: PptText,
  context: LetterContext,
  master: LetterFormat | undefined,
): Run[] {
  const runs: Run[] = [];
  const whole = line.replaceAll('\v', '\n');
  let at = 0;
  while (at < line.length) {
    const { format, end } = stretchAt(style?.letters, start + at);
    const next = Math.min(line.length, Math.max(at + 1, end - start));
    runs.push({ text: whole.slice(at, next), ...toLetters({ ...master, ...format }, kind, context) });
    at = next;
  }
  if (runs.length === 0) runs.push({ text: '', ...toLetters({ ...master }, kind, context) });
  return runs;
}

function toLetters(format: LetterFormat, kind: number, { fonts, scheme }: LetterContext): Omit<Run, 'text'> {
  const { color = -1, shift = 0 } = format;
  const index = color < 0 ? -1 : color >>> 24;
  const own =
    index === 0xfe
      ? toCss(color)
      : (scheme[index] ?? scheme[kind === textKind.title || kind === textKind.centerTitle ? 3 : 1]);
  return {
    size: format.size ?? sizes[kind] ?? DEFAULT_SIZE,
    color: own,
    font: format.font === undefined ? undefined : fonts[format.font],
    isBold: format.isBold ?? false,
    isItalic: format.isItalic ?? false,
    isUnderlined: format.isUnderlined ?? false,
    isStruck: false,
    shift: shift > 0 ? 'up' : shift < 0 ? 'down' : 'none',
  };
}

/** Signs of symbol faces are letters in others. */
function signOf({ bullet = '•', bulletFont }: ParagraphFormat, fonts: readonly string[]): string {
  const font = bulletFont === undefined ? '' : (fonts[bulletFont] ?? '');
  return /[\ue000-\uf8ff]|^[\p{Cc} ]$/u.test(bullet) || /wingdings|symbol|webdings|monotype/i.test(font)
    ? '•'
    : bullet;
}

function toParagraph(
  runs: Run[],
  level: number,
  format: ParagraphFormat,
  kind: number,
  sign: string,
): Paragraph {
  const isBlank = runs.every(({ text }) => text.trim() === '');
  const hasBullet = (format.hasBullet ?? bodyKinds.has(kind)) && !isBlank;
  const size = runs[0]?.size ?? DEFAULT_SIZE;
  const line = format.lineSpacing ?? 100;
  const indent = (format.indent ?? level * 216) * UNIT;
  const space = (value = 0): number => (value >= 0 ? (value / 100) * size : -value * POINTS);
  return {
    ...plainParagraph(''),
    runs,
    level,
    isItem: (hasBullet || level > 0) && !isBlank,
    bullet: hasBullet ? sign : '',
    align:
      format.align === 1 ? 'center' : format.align === 2 ? 'right' : format.align === 3 ? 'justify' : 'left',
    indent: Math.max(0, indent) || (hasBullet ? 20 : 0),
    firstIndent: hasBullet
      ? Math.max(-40, Math.min(0, ((format.firstIndent ?? 0) - (format.indent ?? 0)) * UNIT)) || -20
      : 0,
    lineHeight: line > 20 && line < 400 ? line / 100 : 1,
    spaceBefore: Math.min(100, space(format.spaceBefore)),
    spaceAfter: Math.min(100, space(format.spaceAfter)),
  };
}

function formatAt<Format>(
  stretches: { length: number; format: Format }[] | undefined,
  at: number,
): Format | undefined {
  return stretchAt(stretches, at).format;
}

/** The format of a place, and where the next one begins. */
function stretchAt<Format>(
  stretches: { length: number; format: Format }[] | undefined,
  at: number,
): { format: Format | undefined; end: number } {
  let start = 0;
  for (const { length, format } of stretches ?? []) {
    if (at < start + length) return { format, end: start + length };
    start += length;
  }
  return { format: undefined, end: Infinity };
}

/** Red, green and blue from the lowest byte up. */
export function toCss(color: number): string {
  return `#${[0, 8, 16].map((bits) => ((color >> bits) & 0xff).toString(16).padStart(2, '0')).join('')}`;
}
