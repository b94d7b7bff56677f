/** Which styles and lists does an old Word document define? After [MS-DOC] 2.9.271 (styles) and 2.9.147 (lists). */
import type { ListLevel, NumberFormat } from '../list-label.ts';
import { codes, propertiesOf } from './formatting.ts';
import { parts, type WordFile } from './word-file.ts';

export interface WordStyle {
  /** Built-in styles have fixed numbers: 1 to 9 are headings. */
  builtIn: number;
  base: number;
  /** Lower case. */
  name: string;
  properties: Buffer;
}

/** What a paragraph is by its formatting; later settings win. */
export interface ParagraphFormat {
  /** 0 to 8; 9 is body text. */
  outlineLevel?: number;
  listUse?: number;
  listLevel?: number;
}

const MAX_STYLES = 4_096;
/** No base, and no style at all. */
const NO_STYLE = 0xfff;
const PARAGRAPH_STYLE = 1;

export function readStyles(file: WordFile): (WordStyle | undefined)[] {
  const { offset, length } = file.placeOf(parts.styles);
  const bytes = file.table.subarray(offset, offset + length);
  if (file.isOld || bytes.length < 6) return [];
  const headBytes = bytes.readUInt16LE(0);
  const count = Math.min(MAX_STYLES, bytes.readUInt16LE(2));
  const baseBytes = bytes.readUInt16LE(4);
  const styles: (WordStyle | undefined)[] = [];
  let at = 2 + headBytes;
  for (let i = 0; i < count && at + 2 <= bytes.length; i++) {
    const size = bytes.readUInt16LE(at);
    styles.push(readStyle(bytes.subarray(at + 2, at + 2 + size), baseBytes));
    at += 2 + size + (size % 2);
  }
  return styles;
}

function readStyle(bytes: Buffer, baseBytes: number): WordStyle | undefined {
  if (bytes.length < baseBytes + 2 || baseBytes < 8) return undefined;
  const kind = bytes.readUInt16LE(2);
  const length = bytes.readUInt16LE(baseBytes);
  const name = bytes.toString('utf16le', baseBytes + 2, baseBytes + 2 + length * 2).toLowerCase();
  const style = {
    builtIn: bytes.readUInt16LE(0) & 0xfff,
    base: kind >> 4,
    name,
    properties: Buffer.alloc(0),
  };
  const at = baseBytes + 4 + length * 2;
  if ((kind & 0xf) !== PARAGRAPH_STYLE || at + 4 > bytes.length) return style;
  const size = bytes.readUInt16LE(at);
  // The style's own index stands before its changes.
  return { ...style, properties: bytes.subarray(at + 4, at + 2 + size) };
}

/** What a style and those that it is based on set. */
export function formatOfStyle(styles: readonly (WordStyle | undefined)[], index: number): ParagraphFormat {
  const chain: WordStyle[] = [];
  for (let at = index; at !== NO_STYLE && chain.length < 20; ) {
    const style = styles[at];
    if (!style) break;
    chain.unshift(style);
    at = style.base;
  }
  const format: ParagraphFormat = {};
  for (const { builtIn, properties } of chain) {
    if (builtIn >= 1 && builtIn <= 9) format.outlineLevel = builtIn - 1;
    Object.assign(format, formatOf(properties));
  }
  return format;
}

export function formatOf(properties: Buffer): ParagraphFormat {
  const format: ParagraphFormat = {};
  for (const { code, operand } of propertiesOf(properties)) {
    if (code === codes.outlineLevel) format.outlineLevel = operand[0]!;
    else if (code === codes.listUse) format.listUse = operand.readInt16LE(0);
    else if (code === codes.listLevel) format.listLevel = operand[0]!;
  }
  return format;
}

const LIST_BYTES = 28;
const USE_BYTES = 16;
const LEVELS = 9;
const formats: Record<number, NumberFormat> = {
  ...{ 0: 'decimal', 1: 'upper-roman', 2: 'lower-roman', 3: 'upper-letter', 4: 'lower-letter' },
  ...{ 22: 'decimal-zero', 23: 'bullet', 58: 'lower-russian', 59: 'upper-russian', 255: 'none' },
};

/** A list as paragraphs name it. */
export interface WordList {
  /** Lists of one identifier count on. */
  id: string;
  levels: ListLevel[];
}

/** Lists by the number that paragraphs name them with, from 1. */
export function readLists(file: WordFile): (WordList | undefined)[] {
  const lists = readListLevels(file);
  const { offset, length } = file.placeOf(parts.listUses);
  const bytes = file.table.subarray(offset, offset + length);
  if (file.isOld || bytes.length < 4) return [];
  const count = Math.min(bytes.readUInt32LE(0), Math.floor((bytes.length - 4) / USE_BYTES));
  const uses: (WordList | undefined)[] = [undefined];
  for (let i = 0; i < count; i++) {
    const id = String(bytes.readInt32LE(4 + i * USE_BYTES));
    const levels = lists.get(id);
    uses.push(levels ? { id, levels } : undefined);
  }
  return uses;
}

/** The lists' heads stand at their place; their levels follow right behind, outside of the length that is given. */
function readListLevels({ table, placeOf, isOld }: WordFile): Map<string, ListLevel[]> {
  const lists = new Map<string, ListLevel[]>();
  const { offset, length } = placeOf(parts.lists);
  if (isOld || length < 2 || offset + 2 > table.length) return lists;
  const count = Math.min(table.readUInt16LE(offset), Math.floor((table.length - offset - 2) / LIST_BYTES));
  let at = offset + 2 + count * LIST_BYTES;
  for (let i = 0; i < count; i++) {
    const head = offset + 2 + i * LIST_BYTES;
    const isSimple = (table[head + 26]! & 1) !== 0;
    const levels: ListLevel[] = [];
    for (let level = 0; level < (isSimple ? 1 : LEVELS); level++) {
      if (at + LIST_BYTES + 2 > table.length) return lists;
      const textAt = at + LIST_BYTES + table[at + 24]! + table[at + 25]!;
      if (textAt + 2 > table.length) return lists;
      const textLength = table.readUInt16LE(textAt);
      const text = table.toString('utf16le', textAt + 2, textAt + 2 + textLength * 2);
      levels.push({
        start: table.readInt32LE(at),
        format: formats[table[at + 4]!] ?? 'decimal',
        text: [...text].map(toPlaceholder).join(''),
      });
      at = textAt + 2 + textLength * 2;
    }
    lists.set(String(table.readInt32LE(head)), levels);
  }
  return lists;
}

/** Word writes the number of a level as a character with that code. */
function toPlaceholder(sign: string): string {
  const code = sign.charCodeAt(0);
  if (code < LEVELS) return `%${code + 1}`;
  return code < 0x20 || (code >= 0xe000 && code <= 0xf8ff) ? '' : sign;
}
