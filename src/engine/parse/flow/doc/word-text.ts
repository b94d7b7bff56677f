/** Which characters does an old Word document hold, and where in its stream does each stand? */
import iconv from 'iconv-lite';
import { doc as limits, text as textLimits } from '../../../config.ts';
import { guessCodePage } from '../../text/code-pages.ts';
import { parts, type WordFile } from './word-file.ts';

/** A stretch of text that stands in one piece of the stream. */
export interface Piece {
  /** Half-open range of characters. */
  from: number;
  to: number;
  /** Byte where its text begins. */
  offset: number;
  bytesPerCharacter: 1 | 2;
}

export interface WordText {
  /** All stories, one UTF-16 unit a character. */
  text: string;
  pieces: Piece[];
}

const PIECES_TAG = 2;
const PROPERTIES_TAG = 1;
/** The flag of text with one byte a character. */
const COMPRESSED = 0x4000_0000;

export function readWordText(file: WordFile): WordText {
  const decode = decoderOf(file);
  const pieces = readPieces(file);
  let text = '';
  for (const piece of pieces) {
    const length = piece.to - piece.from;
    const bytes = file.main.subarray(piece.offset, piece.offset + length * piece.bytesPerCharacter);
    const decoded = piece.bytesPerCharacter === 2 ? bytes.toString('utf16le') : decode(bytes);
    // Every character has its place: broken lengths must not move those behind.
    text += decoded.length === length ? decoded : decoded.slice(0, length).padEnd(length, '\0');
  }
  return { text, pieces };
}

function readPieces(file: WordFile): Piece[] {
  const { offset, length } = file.placeOf(parts.pieces);
  const end = Math.min(offset + length, file.table.length);
  let at = offset;
  while (length > 0 && at + 5 <= end) {
    const tag = file.table[at];
    if (tag === PROPERTIES_TAG) at += 3 + file.table.readUInt16LE(at + 1);
    else if (tag === PIECES_TAG)
      return readPieceTable(file, at + 5, Math.min(end, at + 5 + file.table.readUInt32LE(at + 1)));
    else break;
  }
  const size = Math.min(file.text.length, limits.maxCharacters);
  return [{ from: 0, to: size, offset: file.text.offset, bytesPerCharacter: 1 }];
}

/** n + 1 positions of characters, then n descriptions of 8 bytes. */
function readPieceTable({ table, main, isOld }: WordFile, from: number, to: number): Piece[] {
  const count = Math.floor((to - from - 4) / 12);
  const pieces: Piece[] = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    const start = table.readUInt32LE(from + i * 4);
    const wanted = table.readUInt32LE(from + i * 4 + 4) - start;
    const place = table.readUInt32LE(from + (count + 1) * 4 + i * 8 + 2);
    const isCompressed = isOld || (place & COMPRESSED) !== 0;
    const offset = isOld ? place : isCompressed ? (place & ~COMPRESSED) >>> 1 : place;
    const bytesPerCharacter = isCompressed ? 1 : 2;
    const room = Math.floor((main.length - offset) / bytesPerCharacter);
    const length = Math.min(wanted, Math.max(0, room), limits.maxCharacters - total);
    if (start !== total || length <= 0) break;
    pieces.push({ from: total, to: total + length, offset, bytesPerCharacter });
    total += length;
    if (length < wanted) break;
  }
  return pieces;
}

/** Code pages of the primary languages of Windows; the others write in 1252. */
const codePages: Record<number, string> = {
  ...{ 1: 'windows-1256', 2: 'windows-1251', 5: 'windows-1250', 8: 'windows-1253' },
  ...{ 13: 'windows-1255', 14: 'windows-1250', 21: 'windows-1250', 24: 'windows-1250' },
  ...{ 25: 'windows-1251', 27: 'windows-1250', 31: 'windows-1254', 34: 'windows-1251' },
  ...{ 35: 'windows-1251', 36: 'windows-1250', 37: 'windows-1257', 38: 'windows-1257' },
  ...{ 39: 'windows-1257', 47: 'windows-1251', 63: 'windows-1251' },
};

/** One byte a character: in Word 97 always 1252; before, the code page of the program's language, or the one that its letters fit. */
function decoderOf({ isOld, language, main, text }: WordFile): (bytes: Buffer) => string {
  if (!isOld) return (bytes) => iconv.decode(bytes, 'windows-1252', { stripBOM: false });
  const named = codePages[language & 0x3ff];
  const sample = main.subarray(text.offset, text.offset + Math.min(text.length, textLimits.sampleBytes));
  const encoding = named ?? toWindows(guessCodePage(sample).codePage);
  return (bytes) => iconv.decode(bytes, encoding, { stripBOM: false });
}

/** The code page of Windows for the letters of another one: a short text may fit several. */
function toWindows(codePage: string): string {
  if (/koi8|cyrillic|8859-5|cp866/u.test(codePage)) return 'windows-1251';
  if (/8859-2|cp852/u.test(codePage)) return 'windows-1250';
  return codePage.startsWith('windows-') ? codePage : 'windows-1252';
}

/** Characters that stand at bytes `[from, to)` of the stream, as ranges in ascending order. */
export function charactersAt(
  pieces: readonly Piece[],
  from: number,
  to: number,
): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const piece of pieces) {
    const { offset, bytesPerCharacter } = piece;
    const end = offset + (piece.to - piece.from) * bytesPerCharacter;
    if (from >= end || to <= offset) continue;
    const first = piece.from + Math.floor((Math.max(from, offset) - offset) / bytesPerCharacter);
    const last = piece.from + Math.ceil((Math.min(to, end) - offset) / bytesPerCharacter);
    found.push({ from: first, to: last });
  }
  return found;
}
