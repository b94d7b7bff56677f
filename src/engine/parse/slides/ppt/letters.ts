/** Which format have the paragraphs and letters of an old presentation? After [MS-PPT] 2.9.20 and 2.9.44. */
import { type Record, type as records } from './records.ts';

export interface ParagraphFormat {
  level?: number;
  hasBullet?: boolean;
  bullet?: string;
  /** Number of the face that the bullet is a sign of. */
  bulletFont?: number;
  align?: number;
  /** Per cent of the letters' size, or negative: units of 1/576 inch. */
  lineSpacing?: number;
  spaceBefore?: number;
  spaceAfter?: number;
  /** 1/576 inch. */
  indent?: number;
  firstIndent?: number;
}

export interface LetterFormat {
  isBold?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  font?: number;
  /** Points. */
  size?: number;
  /** Red, green, blue and what they are: 0xfe for themselves, below 8 for a colour of the scheme. */
  color?: number;
  /** Per cent. */
  shift?: number;
}

interface Stretch<Format> {
  /** UTF-16 units. */
  length: number;
  format: Format;
}

export interface StyledText {
  paragraphs: Stretch<ParagraphFormat>[];
  letters: Stretch<LetterFormat>[];
}

/** Reads numbers one after the other; beyond the end they are 0. */
class Cursor {
  at = 0;
  readonly #record: Record;

  constructor(record: Record) {
    this.#record = record;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#record.data.length;
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  u16(): number {
    this.at += 2;
    return this.#record.u16(this.at - 2);
  }

  i16(): number {
    this.at += 2;
    return this.#record.i16(this.at - 2);
  }

  u32(): number {
    this.at += 4;
    return this.#record.u32(this.at - 4);
  }
}

/** Formats of a text of a length; they cover one unit more, its end. */
export function readTextStyle(record: Record, length: number): StyledText {
  const cursor = new Cursor(record);
  const paragraphs: StyledText['paragraphs'] = [];
  for (let left = length + 1; left > 0 && !cursor.isAtEnd; ) {
    const stretch = cursor.u32();
    const level = cursor.u16();
    paragraphs.push({ length: stretch, format: { ...readParagraphFormat(cursor), level } });
    if (stretch === 0) break;
    left -= stretch;
  }
  const letters: StyledText['letters'] = [];
  for (let left = length + 1; left > 0 && !cursor.isAtEnd; ) {
    const stretch = cursor.u32();
    letters.push({ length: stretch, format: readLetterFormat(cursor) });
    if (stretch === 0) break;
    left -= stretch;
  }
  return { paragraphs, letters };
}

/** What a master says of a kind of text, by level. */
export type MasterStyle = { paragraph: ParagraphFormat; letters: LetterFormat }[];

/** Kinds of text from here on name their levels. */
const NAMED_LEVELS = 5;
const MAX_LEVELS = 5;

export function readMasterStyle(record: Record): MasterStyle {
  const cursor = new Cursor(record);
  const levels: MasterStyle = [];
  const count = Math.min(MAX_LEVELS, cursor.u16());
  for (let level = 0; level < count; level++) {
    if (record.instance >= NAMED_LEVELS) cursor.u16();
    levels.push({ paragraph: readParagraphFormat(cursor), letters: readLetterFormat(cursor) });
  }
  return levels;
}

function readParagraphFormat(cursor: Cursor): ParagraphFormat {
  const mask = cursor.u32();
  const format: ParagraphFormat = {};
  const has = (bits: number): boolean => (mask & bits) !== 0;
  if (has(0xf)) {
    const flags = cursor.u16();
    if (has(1)) format.hasBullet = (flags & 1) !== 0;
  }
  if (has(0x80)) format.bullet = String.fromCharCode(cursor.u16());
  if (has(0x10)) format.bulletFont = cursor.u16();
  if (has(0x40)) cursor.u16();
  if (has(0x20)) cursor.u32();
  if (has(0x800)) format.align = cursor.u16();
  if (has(0x1000)) format.lineSpacing = cursor.i16();
  if (has(0x2000)) format.spaceBefore = cursor.i16();
  if (has(0x4000)) format.spaceAfter = cursor.i16();
  if (has(0x100)) format.indent = cursor.i16();
  if (has(0x400)) format.firstIndent = cursor.i16();
  if (has(0x8000)) cursor.u16();
  if (has(0x100000)) cursor.skip(cursor.u16() * 4);
  if (has(0x10000)) cursor.u16();
  if (has(0xe0000)) cursor.u16();
  if (has(0x200000)) cursor.u16();
  return format;
}

function readLetterFormat(cursor: Cursor): LetterFormat {
  const mask = cursor.u32();
  const format: LetterFormat = {};
  const has = (bits: number): boolean => (mask & bits) !== 0;
  if (has(0xffff)) {
    const flags = cursor.u16();
    if (has(1)) format.isBold = (flags & 1) !== 0;
    if (has(2)) format.isItalic = (flags & 2) !== 0;
    if (has(4)) format.isUnderlined = (flags & 4) !== 0;
  }
  if (has(0x10000)) format.font = cursor.u16();
  if (has(0x200000)) cursor.u16();
  if (has(0x400000)) cursor.u16();
  if (has(0x800000)) cursor.u16();
  if (has(0x20000)) format.size = Math.min(400, Math.max(1, cursor.u16()));
  if (has(0x40000)) format.color = cursor.u32();
  if (has(0x80000)) format.shift = cursor.i16();
  return format;
}

/** Names of faces by their number. */
export function readFonts(document: Record): string[] {
  const fonts: string[] = [];
  for (const record of document.deep(records.fontEntity)) {
    const name = record.data.toString('utf16le', 0, Math.min(64, record.data.length & ~1));
    fonts[record.instance] = name.split('\0')[0]!;
  }
  return fonts;
}
