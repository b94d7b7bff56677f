/** Which characters of a page stand together on one line without a wide gap, and what do they read? */
import type { Box } from '../../../api/anchor.ts';
import { aslant, type Direction, directions, type GlyphPage } from './glyphs.ts';
import type { Rule } from './page-marks.ts';
import { isParted } from './rules.ts';
import type { TableShape } from './table-shape.ts';

/**
 * A stretch of one line. `u` grows in reading direction and `v` from line to line: the page as the reader of
 * this text sees it, whatever way the text runs in user space.
 */
export interface Piece {
  text: string;
  /** In user space. */
  box: Box;
  /** Offset and coordinate pairs, see Span; empty where the text runs aslant. */
  stops: number[];
  direction: Direction;
  u0: number;
  u1: number;
  v0: number;
  v1: number;
  /** Points. */
  size: number;
  isBold: boolean;
  isRightToLeft: boolean;
  /** Position of its first character in the page's content. */
  order: number;
  /** A table that is drawn with lines, in place of its pieces. */
  table?: TableShape;
}

/** A run of glyphs, by index, in reading order. */
interface Run {
  glyphs: number[];
  u0: number;
  u1: number;
  v0: number;
  v1: number;
  size: number;
  isRightToLeft: boolean;
}

function addGlyph(run: Run, index: number, frame: ArrayLike<number>, size: number): void {
  const at = index * 4;
  run.glyphs.push(index);
  run.u0 = Math.min(run.u0, frame[at]!);
  run.u1 = Math.max(run.u1, frame[at + 1]!);
  run.v0 = Math.min(run.v0, frame[at + 2]!);
  run.v1 = Math.max(run.v1, frame[at + 3]!);
  run.size = Math.max(run.size, size);
}

/** All, in ems (the size of the letters). */
const widestGap = 1.2; // inside a line of the page's own order: justified lines reach one em
const widestNumberGap = 0.62; // between two numbers: columns of figures come nearer to each other than words of a line
const widestJoin = 0.6; // between runs that the page draws apart: columns come as near as one em
const deepestOverlap = 0.5; // kerning and overprinting

/**
 * Pieces of the page by direction: first the direction that is upright as shown, then the others, then aslant text
 * (direction 4). `downOf` gives the rules that part the cells of a table, for a direction.
 */
export function piecesOfPage(
  page: GlyphPage,
  downOf: (direction: number) => Rule[],
): { direction: number; pieces: Piece[] }[] {
  const groups: { direction: number; pieces: Piece[] }[] = [];
  const used = new Set(page.direction.subarray(0, page.count));
  for (let turn = 0; turn < 4; turn += 1) {
    const direction = (page.quarterTurns + turn) % 4;
    if (!used.has(direction)) continue;
    const frame = frameOf(page, direction);
    const down = downOf(direction);
    const runs = joinRuns(readRuns(page, frame, direction, down), down);
    if (runs.length > 0)
      groups.push({ direction, pieces: runs.map((run) => pieceOf(page, frame, run, direction)) });
  }
  const slanted = used.has(aslant) ? readSlanted(page) : [];
  if (slanted.length > 0) groups.push({ direction: aslant, pieces: slanted });
  return groups;
}

/** Where u0, u1, v0, v1 stand among left, bottom, right, top, and with which sign, for each direction. */
const frames = [
  { from: [0, 2, 3, 1], sign: [1, 1, -1, -1] },
  { from: [1, 3, 0, 2], sign: [1, 1, 1, 1] },
  { from: [2, 0, 1, 3], sign: [-1, -1, 1, 1] },
  { from: [3, 1, 2, 0], sign: [-1, -1, -1, -1] },
] as const;

/** u0, u1, v0, v1 of a rectangle (left, bottom, right, top) for text that runs in this direction. */
export function frameOfBox(
  box: readonly [number, number, number, number],
  direction: number,
): [u0: number, u1: number, v0: number, v1: number] {
  const { from, sign } = frames[direction]!;
  return [box[from[0]] * sign[0], box[from[1]] * sign[1], box[from[2]] * sign[2], box[from[3]] * sign[3]];
}

/** u0, u1, v0, v1 of every glyph for text that runs in this direction. */
function frameOf(page: GlyphPage, direction: number): Float32Array {
  const frame = new Float32Array(page.count * 4);
  const { from, sign } = frames[direction]!;
  const { box } = page;
  for (let at = 0; at < page.count * 4; at += 4) {
    frame[at] = box[at + from[0]]! * sign[0];
    frame[at + 1] = box[at + from[1]]! * sign[1];
    frame[at + 2] = box[at + from[2]]! * sign[2];
    frame[at + 3] = box[at + from[3]]! * sign[3];
  }
  return frame;
}

/** Splits the page's own order where the next character does not continue the line. */
function readRuns(page: GlyphPage, frame: Float32Array, direction: number, down: Rule[]): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  let last = -1;
  for (let index = 0; index < page.count; index += 1) {
    if (page.direction[index] !== direction) continue;
    const at = index * 4;
    const isRtl = isRightToLeft(page.code[index]!);
    if (!run || !continues(page, frame, run, last, index, isRtl) || isCut(frame, last, index, down)) {
      run = {
        glyphs: [],
        u0: frame[at]!,
        u1: frame[at + 1]!,
        v0: frame[at + 2]!,
        v1: frame[at + 3]!,
        size: page.size[index]!,
        isRightToLeft: isRtl,
      };
      runs.push(run);
    }
    addGlyph(run, index, frame, page.size[index]!);
    last = index;
  }
  return runs;
}

function continues(
  page: GlyphPage,
  frame: Float32Array,
  run: Run,
  last: number,
  next: number,
  isRtl: boolean,
): boolean {
  if (isCombining(page.code[next]!)) return true;
  const a = last * 4;
  const b = next * 4;
  const overlap = Math.min(frame[a + 3]!, frame[b + 3]!) - Math.max(frame[a + 2]!, frame[b + 2]!);
  const lower = Math.min(frame[a + 3]! - frame[a + 2]!, frame[b + 3]! - frame[b + 2]!);
  if (overlap < lower * 0.5) return false;
  const em = Math.max(page.size[last]!, page.size[next]!);
  const gap = frame[b]! - frame[a + 1]!;
  // The letters of a ligature share its box.
  const isForward = gap >= -deepestOverlap * em || frame[b]! >= frame[a]! - 0.05 * em;
  const isApart = gap > widestNumberGap * em && isOfNumber(page.code[last]!) && isOfNumber(page.code[next]!);
  if (isForward && gap >= -widestGap * em && gap <= widestGap * em) return !isApart;
  const backGap = frame[a]! - frame[b + 1]!;
  return (isRtl || run.isRightToLeft) && backGap >= -deepestOverlap * em && backGap <= widestGap * em;
}

/** Digits, and what stands before or after them: $ % ( ) + - . – — € £. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x24 && code <= 0x2e && code !== 0x27 && code !== 0x2a) ||
    code === 0x2013 ||
    code === 0x2014 ||
    code === 0x20ac ||
    code === 0xa3
  );
}

/** A line of a table stands between the middles of two characters. */
function isCut(frame: Float32Array, last: number, next: number, down: Rule[]): boolean {
  if (down.length === 0) return false;
  const u0 = (frame[last * 4]! + frame[last * 4 + 1]!) / 2;
  const u1 = (frame[next * 4]! + frame[next * 4 + 1]!) / 2;
  const v = (frame[next * 4 + 2]! + frame[next * 4 + 3]!) / 2;
  return isParted(down, Math.min(u0, u1), Math.max(u0, u1), v);
}

/** Joins runs that touch on one line: superscripts, changes of font, words drawn one by one in any order. */
function joinRuns(runs: Run[], down: Rule[]): Run[] {
  const sorted = runs.toSorted((a, b) => a.u0 - b.u0);
  const joined: Run[] = [];
  // Runs still open to the right, by rounded line; a page of scattered characters stays linear.
  const open = new Map<number, Run[]>();
  for (const run of sorted) {
    const line = Math.round((run.v0 + run.v1) / 2 / lineStep);
    const near = run.isRightToLeft ? undefined : nearestBefore(open, line, run);
    const v = (run.v0 + run.v1) / 2;
    const isSplit = near && down.length > 0 && isParted(down, near.u1 - 1, run.u0 + 1, v);
    const before = isSplit ? undefined : near;
    if (before) {
      before.glyphs.push(...run.glyphs);
      before.u1 = Math.max(before.u1, run.u1);
      before.v0 = Math.min(before.v0, run.v0);
      before.v1 = Math.max(before.v1, run.v1);
      before.size = Math.max(before.size, run.size);
    } else {
      joined.push(run);
      const list = open.get(line);
      if (list) list.push(run);
      else open.set(line, [run]);
    }
  }
  return joined;
}

const lineStep = 4; // points; neighbouring steps are looked at too

function nearestBefore(open: Map<number, Run[]>, line: number, run: Run): Run | undefined {
  for (const step of [0, -1, 1, -2, 2]) {
    const before = open.get(line + step)?.at(-1);
    if (!before || before.isRightToLeft) continue;
    const overlap = Math.min(before.v1, run.v1) - Math.max(before.v0, run.v0);
    if (overlap < 0.6 * Math.min(before.v1 - before.v0, run.v1 - run.v0)) continue;
    const em = Math.max(before.size, run.size);
    const gap = run.u0 - before.u1;
    if (gap >= -deepestOverlap * em * 0.5 && gap <= widestJoin * Math.min(before.size, run.size))
      return before;
  }
  return undefined;
}

function pieceOf(page: GlyphPage, frame: Float32Array, run: Run, direction: number): Piece {
  const { text, stops } = readText(page, frame, run);
  const isForward = !run.isRightToLeft;
  // The end of each word is a stop as well, so that a cut leaves no lit space behind.
  const runDirection = directions[isForward ? direction : (direction + 2) % 4]!;
  const sign = direction === 0 || direction === 1 ? 1 : -1;
  for (let index = 1; index < stops.length; index += 2) stops[index] = rounded(stops[index]! * sign);
  const bold = run.glyphs.reduce((sum, glyph) => sum + page.isBold[glyph]!, 0);
  return {
    text,
    stops,
    direction: runDirection,
    box: userBox(direction, run),
    u0: run.u0,
    u1: run.u1,
    v0: run.v0,
    v1: run.v1,
    size: mainSize(page, run.glyphs),
    isBold: bold > run.glyphs.length * 0.8,
    isRightToLeft: run.isRightToLeft,
    order: run.glyphs[0]!,
  };
}

/** Size of most characters; a superscript or a large initial does not decide. */
function mainSize(page: GlyphPage, glyphs: number[]): number {
  const middle = page.size[glyphs[glyphs.length >> 1]!]!;
  let same = 0;
  let sum = 0;
  for (const glyph of glyphs) {
    const size = page.size[glyph]!;
    sum += size;
    if (size === middle) same += 1;
  }
  return same * 2 >= glyphs.length ? middle : sum / glyphs.length;
}

/** Text with its stops in u: where each word begins, and where it ends before a space. */
function readText(page: GlyphPage, frame: Float32Array, run: Run): { text: string; stops: number[] } {
  const [first, last] = run.isRightToLeft ? [1, 0] : [0, 1];
  const { glyphs } = run;
  const stops: number[] = [0, frame[glyphs[0]! * 4 + first]!];
  let text = '';
  let cluster = 0; // where the last character with its marks begins
  for (let index = 0; index < glyphs.length; index += 1) {
    const glyph = glyphs[index]!;
    const code = page.code[glyph]!;
    if (code === 0xad && index < glyphs.length - 1) continue;
    if (index > 0 && hasSpace(page, frame, glyphs[index - 1]!, glyph, run.isRightToLeft)) {
      stops.push(text.length, frame[glyphs[index - 1]! * 4 + last]!);
      stops.push(text.length + 1, frame[glyph * 4 + first]!);
      text += ' ';
      cluster = text.length;
    }
    const letter = letterOf(code);
    if (code < 0x300) {
      cluster = text.length;
      text += letter;
      continue;
    }
    const whole = text.slice(cluster) + letter;
    const composed = whole.normalize('NFC');
    if (composed === whole && !isCombining(code)) {
      cluster = text.length;
      text += letter;
    } else text = text.slice(0, cluster) + composed;
  }
  return { text, stops };
}

function hasSpace(page: GlyphPage, frame: Float32Array, a: number, b: number, isRtl: boolean): boolean {
  const hint = page.spaceBefore[b]!;
  if (isCombining(page.code[b]!)) return false;
  const gap = isRtl ? frame[a * 4]! - frame[b * 4 + 1]! : frame[b * 4]! - frame[a * 4 + 1]!;
  const em = Math.min(page.size[a]!, page.size[b]!);
  if (b !== a + 1) return gap > 0.15 * em || (hint === 2 && gap > 0);
  return hint === 2 || (hint === 1 && gap > 0.05 * em) || gap > 0.3 * em;
}

/** Ligatures and presentation forms become letters; symbols of Word's bullet fonts become their Unicode kin. */
function letterOf(code: number): string {
  const isForm =
    (code >= 0xfb00 && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfefc) ||
    (code >= 0x132 && code <= 0x133);
  if (isForm) return String.fromCodePoint(code).normalize('NFKC');
  if (code >= 0xf000 && code <= 0xf0ff) return symbols[code] ?? String.fromCodePoint(code);
  return String.fromCodePoint(code);
}

const symbols: Record<number, string> = {
  61607: '▪',
  61623: '•',
  61656: '➢',
  61692: '✓',
  61553: '□',
  61550: '■',
};

function isCombining(code: number): boolean {
  return (
    (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x483 && code <= 0x489) ||
    (code >= 0x591 && code <= 0x5bd) ||
    (code >= 0x64b && code <= 0x65f) ||
    (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0xfe20 && code <= 0xfe2f)
  );
}

function isRightToLeft(code: number): boolean {
  return (
    (code >= 0x590 && code <= 0x8ff) ||
    (code >= 0xfb1d && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfefc)
  );
}

/** Aslant text (watermarks, stamps): the page's own order, one piece per stretch, lit as a whole. */
function readSlanted(page: GlyphPage): Piece[] {
  const frame = frameOf(page, 0);
  const pieces: Piece[] = [];
  let run: Run | undefined;
  let last = -1;
  const close = (): void => {
    if (run) pieces.push({ ...pieceOf(page, frame, run, 0), stops: [] });
  };
  for (let index = 0; index < page.count; index += 1) {
    if (page.direction[index] !== aslant) continue;
    const at = index * 4;
    const distance = run
      ? Math.hypot(frame[at]! - frame[last * 4]!, frame[at + 2]! - frame[last * 4 + 2]!)
      : 0;
    if (!run || distance > 2.5 * page.size[index]!) {
      close();
      run = {
        glyphs: [],
        u0: Infinity,
        u1: -Infinity,
        v0: Infinity,
        v1: -Infinity,
        size: 0,
        isRightToLeft: false,
      };
    }
    addGlyph(run, index, frame, page.size[index]!);
    last = index;
  }
  close();
  return pieces;
}

function userBox(direction: number, { u0, u1, v0, v1 }: Pick<Piece, 'u0' | 'u1' | 'v0' | 'v1'>): Box {
  const width = rounded(direction % 2 === 0 ? u1 - u0 : v1 - v0);
  const height = rounded(direction % 2 === 0 ? v1 - v0 : u1 - u0);
  if (direction === 0) return { x: rounded(u0), y: rounded(-v1), width, height };
  if (direction === 1) return { x: rounded(v0), y: rounded(u0), width, height };
  if (direction === 2) return { x: rounded(-u1), y: rounded(v0), width, height };
  return { x: rounded(-v1), y: rounded(-u1), width, height };
}

/** A hundredth of a point is far below a screen's pixel, and short to store. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
