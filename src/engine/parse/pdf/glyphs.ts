/** Which characters does a page show, and where does each stand? */
import type { Box } from '../../../api/anchor.ts';
import { pdf } from '../../config.ts';
import type { RawPdfium } from './pdfium.ts';

/** Which way a line of text runs, in PDF user space. */
export const directions = ['right', 'up', 'left', 'down'] as const;
export type Direction = (typeof directions)[number];

/** The visible characters of one page in PDFium's order, white space left out. Parallel arrays of `count` entries. */
export interface GlyphPage {
  /** Visible area in user space: crop box within media box. */
  visible: Box;
  /** Clockwise turn when shown, in quarters: 0 to 3. */
  quarterTurns: number;
  count: number;
  /** Unicode code point or UTF-16 half. */
  code: Uint32Array;
  /** Left, bottom, right, top in user space: four numbers a character. */
  box: Float32Array;
  /** Size of the letters in points, as drawn. */
  size: Float32Array;
  /** Index into `directions`, or 4 for text that runs aslant. */
  direction: Uint8Array;
  /** 0: none; 1: PDFium takes the gap for white space; 2: the page has a white space character. */
  spaceBefore: Uint8Array;
  isBold: Uint8Array;
  /** Characters that are drawn but stand for no letter: unmapped, private, or control codes. */
  unknown: number;
  /** The page had more characters than are taken. */
  isCut: boolean;
}

export const aslant = 4;

/** Appearance shared by the characters of one text object. */
interface Style {
  size: number;
  direction: number;
  isBold: number;
}

/** PDFium's results are written here: rectangles, matrices and names of fonts. */
export const scratchBytes = 256;

/** Reads a loaded page. `scratch` points to `scratchBytes` of PDFium's memory. */
export function readGlyphs(raw: RawPdfium, page: number, text: number, scratch: number): GlyphPage {
  const total = raw._FPDFText_CountChars!(text);
  const taken = Math.min(Math.max(total, 0), pdf.maxCharactersPerPage);
  const glyphs = emptyPage(raw, page, scratch, taken, total > taken);
  const styleOf = makeStyles(raw, text, scratch);
  // Five calls a character: looked up once, the module has six hundred names.
  const unicodeOf = raw._FPDFText_GetUnicode!;
  const generated = raw._FPDFText_IsGenerated!;
  const looseBox = raw._FPDFText_GetLooseCharBox!;
  const { box, visible } = glyphs;
  const at = scratch >> 2;
  let heap = raw.HEAPF32;
  let count = 0;
  let spaceBefore = 0;
  for (let index = 0; index < taken; index += 1) {
    const code = unicodeOf(text, index) >>> 0;
    const isGenerated = generated(text, index) === 1;
    if (isGenerated || isSpace(code)) {
      spaceBefore = Math.max(spaceBefore, isGenerated ? 1 : 2);
      continue;
    }
    if (isUnknown(code)) glyphs.unknown += 1;
    if (isInvisible(code)) continue;
    const style = styleOf(index);
    if (!looseBox(text, index, scratch)) continue;
    // A view goes empty when PDFium's memory grows.
    if (heap.length === 0) heap = raw.HEAPF32;
    // FS_RECTF is left, top, right, bottom.
    const left = heap[at]!;
    const top = heap[at + 1]!;
    const right = heap[at + 2]!;
    const bottom = heap[at + 3]!;
    box[count * 4] = Math.min(left, right);
    box[count * 4 + 1] = Math.min(bottom, top);
    box[count * 4 + 2] = Math.max(left, right);
    box[count * 4 + 3] = Math.max(bottom, top);
    if (!isVisible(box, count * 4, visible)) continue;
    glyphs.code[count] = code === hyphenMark ? 0x2d : code;
    glyphs.size[count] = style.size;
    glyphs.direction[count] = style.direction;
    glyphs.isBold[count] = style.isBold;
    glyphs.spaceBefore[count] = spaceBefore;
    spaceBefore = 0;
    count += 1;
  }
  glyphs.count = count;
  return glyphs;
}

// PDFium writes this in place of a hyphen that ends a line.
const hyphenMark = 2;

function isSpace(code: number): boolean {
  return (
    code === 0x20 ||
    (code >= 0x09 && code <= 0x0d) ||
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    (code >= 0x2028 && code <= 0x2029) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Private characters are counted and kept: fonts of bullets have some. */
function isUnknown(code: number): boolean {
  return (
    (code < 0x20 && code !== hyphenMark) ||
    (code >= 0x7f && code < 0xa0) ||
    (code >= 0xe000 && code <= 0xf8ff) ||
    code === 0xfffd ||
    code >= 0xf0000 ||
    (code & 0xfffe) === 0xfffe
  );
}

/** Control characters, marks of direction and width, byte order marks, and glyphs without a character. */
function isInvisible(code: number): boolean {
  return (
    (code < 0x20 && code !== hyphenMark) ||
    (code >= 0x7f && code < 0xa0) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff ||
    code >= 0x110000 ||
    (code & 0xfffe) === 0xfffe
  );
}

/** Half a point of tolerance: characters on the very edge are seen. Not a number is never visible. */
function isVisible(box: Float32Array, at: number, visible: Box): boolean {
  const x = (box[at]! + box[at + 2]!) / 2;
  const y = (box[at + 1]! + box[at + 3]!) / 2;
  return (
    x >= visible.x - 0.5 &&
    x <= visible.x + visible.width + 0.5 &&
    y >= visible.y - 0.5 &&
    y <= visible.y + visible.height + 0.5
  );
}

function emptyPage(raw: RawPdfium, page: number, scratch: number, length: number, isCut: boolean): GlyphPage {
  const found = raw._FPDF_GetPageBoundingBox!(page, scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = found
    ? raw.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4)
    : [];
  return {
    visible: {
      x: Math.min(left, right),
      y: Math.min(bottom, top),
      width: Math.abs(right - left),
      height: Math.abs(top - bottom),
    },
    quarterTurns: raw._FPDFPage_GetRotation!(page) & 3,
    count: 0,
    unknown: 0,
    code: new Uint32Array(length),
    box: new Float32Array(length * 4),
    size: new Float32Array(length),
    direction: new Uint8Array(length),
    spaceBefore: new Uint8Array(length),
    isBold: new Uint8Array(length),
    isCut,
  };
}

/** Size, direction and weight by text object: they are asked for once per object, not once per character. */
function makeStyles(raw: RawPdfium, text: number, scratch: number): (index: number) => Style {
  const weights = new Map<number, number>();
  const objectOf = raw._FPDFText_GetTextObject!;
  let object = -1;
  let style: Style = { size: 10, direction: 0, isBold: 0 };
  return (index) => {
    const next = objectOf(text, index);
    if (next === object && next !== 0) return style;
    object = next;
    const hasMatrix = raw._FPDFText_GetMatrix!(text, index, scratch);
    const [a = 1, b = 0, c = 0, d = 1] = hasMatrix
      ? raw.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4)
      : [];
    const fontSize = Math.abs(raw._FPDFText_GetFontSize!(text, index));
    const font = next === 0 ? 0 : raw._FPDFTextObj_GetFont!(next);
    let isBold = weights.get(font);
    if (isBold === undefined) {
      isBold = font !== 0 && isBoldFont(raw, font, scratch) ? 1 : 0;
      weights.set(font, isBold);
    }
    style = { size: fontSize * Math.hypot(c, d), direction: directionOf(a, b), isBold };
    return style;
  };
}

/** Quarter of the circle that the writing direction (a, b) points to; aslant when it is more than 4° off. */
function directionOf(a: number, b: number): number {
  const quarters = Math.atan2(b, a) / (Math.PI / 2);
  const nearest = Math.round(quarters);
  return Math.abs(quarters - nearest) > 4 / 90 ? aslant : (nearest + 4) % 4;
}

// Bit 19 of a font descriptor's flags, PDF 32000-1 table 123.
const forceBold = 1 << 18;

function isBoldFont(raw: RawPdfium, font: number, scratch: number): boolean {
  if (raw._FPDFFont_GetFlags!(font) & forceBold) return true;
  const lengthBytes = raw._FPDFFont_GetBaseFontName!(font, scratch, scratchBytes);
  if (lengthBytes < 2 || lengthBytes > scratchBytes) return false;
  const name = String.fromCharCode(...raw.HEAPU8.subarray(scratch, scratch + lengthBytes - 1));
  return /bold|black|heavy|demi/i.test(name);
}
