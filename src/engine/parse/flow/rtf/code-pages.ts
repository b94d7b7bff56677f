/** Which letters are the bytes of rich text? */
import iconv from 'iconv-lite';
import { toSymbol } from '../../docx/symbols.ts';

/** By the character set of a font. */
const byCharacterSet: Record<number, string> = {
  ...{ 77: 'macintosh', 128: 'shift_jis', 129: 'cp949', 134: 'gb18030', 136: 'big5' },
  ...{ 161: 'windows-1253', 162: 'windows-1254', 163: 'windows-1258', 177: 'windows-1255' },
  ...{ 178: 'windows-1256', 186: 'windows-1257', 204: 'windows-1251', 222: 'windows-874' },
  ...{ 238: 'windows-1250', 254: 'cp437', 255: 'cp850' },
};
const byNumber: Record<number, string> = {
  ...{ 932: 'shift_jis', 936: 'gb18030', 949: 'cp949', 950: 'big5', 10000: 'macintosh' },
  ...{ 10007: 'maccyrillic', 65001: 'utf-8', 28591: 'iso-8859-1', 28595: 'iso-8859-5', 20866: 'koi8-r' },
};
/** Fonts of old programs say in their names which letters they have. */
const byName: [RegExp, string][] = [
  [/\b(?:cyr|cyrillic)$/iu, 'windows-1251'],
  [/\bce$/iu, 'windows-1250'],
  [/\bgreek$/iu, 'windows-1253'],
  [/\btur$/iu, 'windows-1254'],
  [/\bbaltic$/iu, 'windows-1257'],
];
const SYMBOL_SET = 2;

export interface RtfFont {
  name: string;
  characterSet: number;
  /** A code page of its own, where it has one. */
  codePage?: string;
}

/** Name of a code page by its number, or undefined for one that isn't known. */
export function codePageOf(number: number): string | undefined {
  const name = byNumber[number] ?? `cp${number}`;
  return iconv.encodingExists(name) ? name : undefined;
}

/** Decodes bytes as a font of a document with this code page shows them. */
export function decodeBytes(bytes: Buffer, font: RtfFont | undefined, documentPage: string): string {
  if (font?.characterSet === SYMBOL_SET) {
    return [...bytes].map((byte) => (byte <= 0x20 ? ' ' : toSymbol(font.name, byte.toString(16)))).join('');
  }
  const named = font && byName.find(([pattern]) => pattern.test(font.name))?.[1];
  const codePage = font?.codePage ?? byCharacterSet[font?.characterSet ?? 0] ?? named ?? documentPage;
  return iconv.decode(bytes, codePage, { stripBOM: false });
}
