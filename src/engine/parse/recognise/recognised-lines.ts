/** Where do recognised words stand on their page, and which lines do they make? */
import type { Box } from '../../../api/anchor.ts';
import { directions } from '../pdf/glyphs.ts';
import { type Line, linesOfPieces } from '../pdf/lines.ts';
import { frameOfBox, type Piece } from '../pdf/pieces.ts';
import type { RecognisedLine, RecognisedPage, RecognisedWord } from './recognised-page.ts';

/** The page that the picture shows. */
export interface ShownPage {
  /** Visible area in user space. */
  visible: Box;
  /** Clockwise turn when shown, in quarters. */
  quarterTurns: number;
}

// In ems, see the pieces of a PDF's page.
const widestGap = 1.2;
const widestNumberGap = 0.62;
const flat = 0.15; // rise of a line over its own length that a single box may cover
const sameSize = 0.12; // share by which the measured heights of equal letters differ
const mostAskew = 0.2; // slope; steeper lines are not those of a page
const number = /^[^\p{L}]*\d[^\p{L}]*$/u;

type Corners = [left: number, top: number, right: number, bottom: number];

/** Lines in reading order, as those of a page with text. */
export function linesOfRecognised(recognised: RecognisedPage, shown: ShownPage): Line[] {
  const place = placeOf(recognised, shown);
  const pieces = recognised.lines.flatMap((line) => piecesOfLine(line, place));
  evenSizes(pieces);
  for (const [order, piece] of pieces.entries()) piece.order = order;
  return linesOfPieces(pieces, recognised.page, { visible: shown.visible, quarterTurns: place.turns });
}

interface Place {
  /** Slope of the page's lines: pixels down for each to the right. */
  slope: number;
  /** Quarter turns of the picture against user space. */
  turns: number;
  width: number;
  height: number;
  /** Pixels for each unit of user space. */
  scale: number;
  visible: Box;
}

function placeOf(page: RecognisedPage, { visible, quarterTurns }: ShownPage): Place {
  const turns = (quarterTurns + page.turns) % 4;
  const across = turns % 2 === 0 ? visible.width : visible.height;
  return {
    slope: slopeOf(page.lines),
    turns,
    width: page.width,
    height: page.height,
    scale: page.width / Math.max(across, 1),
    visible,
  };
}

/** Of the line in the middle, by length: short ones tell little. */
function slopeOf(lines: RecognisedLine[]): number {
  const slopes = lines.flatMap(({ baseline: [x0, y0, x1, y1] }) => {
    const slope = (y1 - y0) / Math.max(x1 - x0, 1);
    return Math.abs(slope) > mostAskew ? [] : { slope, length: x1 - x0 };
  });
  slopes.sort((a, b) => a.slope - b.slope);
  let left = slopes.reduce((sum, { length }) => sum + length, 0) / 2;
  for (const { slope, length } of slopes) {
    left -= length;
    if (left <= 0) return slope;
  }
  return 0;
}

/** Stretches of one line without a wide gap; where the page is askew each word, since one box would cover its neighbours. */
function piecesOfLine(line: RecognisedLine, place: Place): Piece[] {
  const [x0, , x1] = line.baseline;
  const size = sizeOf(line);
  const isFlat = Math.abs(place.slope) * (x1 - x0) < flat * size;
  const pieces: RecognisedWord[][] = [];
  for (const word of line.words) {
    const open = pieces.at(-1);
    const last = open?.at(-1);
    const widest = last && number.test(last.text) && number.test(word.text) ? widestNumberGap : widestGap;
    if (open && last && isFlat && word.box[0] - last.box[2] <= widest * size) open.push(word);
    else pieces.push([word]);
  }
  return pieces.map((words) => pieceOf(words, line, size, place));
}

/** Height of the letters in pixels; a measured row that its words contradict has theirs. */
function sizeOf({ above, below, words }: RecognisedLine): number {
  const heights = words.map(({ box }) => box[3] - box[1]).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 1;
  const size = above + below;
  return size > 0.6 * usual && size < 2.5 * usual ? size : Math.max(usual, 1);
}

function pieceOf(words: RecognisedWord[], line: RecognisedLine, size: number, place: Place): Piece {
  const [x0, y0, x1, y1] = line.baseline;
  const corners: Corners = [
    Math.min(...words.map(({ box }) => box[0])),
    Math.min(...words.map(({ box }) => box[1])),
    Math.max(...words.map(({ box }) => box[2])),
    Math.max(...words.map(({ box }) => box[3])),
  ];
  // As if the page lay straight: the line's letters have one height, whatever stands in them.
  const base =
    straightY((x0 + x1) / 2, (y0 + y1) / 2, place) + (size * line.below) / (line.above + line.below || 1);
  const shift = place.slope * ((corners[1] + corners[3]) / 2 - place.height / 2);
  const straight: Corners = [corners[0] + shift, base - size, corners[2] + shift, base];
  const [u0, u1, v0, v1] = frameOfBox(toUserSpace(straight, place), place.turns);
  const direction = directions[place.turns]!;
  const stops: number[] = [];
  let text = '';
  for (const word of words) {
    if (text !== '') text += ' ';
    stops.push(text.length, startOf(toUserSpace(word.box, place), direction));
    text += word.text;
  }
  const [left, bottom, right, top] = toUserSpace(corners, place);
  return {
    text,
    box: { x: left, y: bottom, width: hundredths(right - left), height: hundredths(top - bottom) },
    stops,
    direction,
    ...{ u0, u1, v0, v1 },
    size: size / place.scale,
    isBold: false,
    isRightToLeft: false,
    order: 0,
  };
}

function straightY(x: number, y: number, { slope, width }: Place): number {
  return y - slope * (x - width / 2);
}

type UserBox = [left: number, bottom: number, right: number, top: number];

/** Pixels of the picture in the page's user space. */
function toUserSpace([left, top, right, bottom]: Corners, { turns, scale, visible }: Place): UserBox {
  const { x, y, width, height } = visible;
  const [l, t, r, b] = [left / scale, top / scale, right / scale, bottom / scale];
  const box: UserBox =
    turns === 0
      ? [x + l, y + height - b, x + r, y + height - t]
      : turns === 1
        ? [x + t, y + l, x + b, y + r]
        : turns === 2
          ? [x + width - r, y + t, x + width - l, y + b]
          : [x + width - b, y + height - r, x + width - t, y + height - l];
  return box.map(hundredths) as UserBox;
}

/** Where a word begins along its reading direction. */
function startOf([left, bottom, right, top]: UserBox, direction: Piece['direction']): number {
  return { right: left, up: bottom, left: right, down: top }[direction];
}

/** Measured heights of the same letters differ; those of the running text are made one, then those of the next size. */
function evenSizes(pieces: Piece[]): void {
  let rest = pieces;
  while (rest.length > 0) {
    const weights = new Map<number, number>();
    for (const { size, text } of rest) {
      const key = Math.round(Math.log(size) / sameSize);
      weights.set(key, (weights.get(key) ?? 0) + text.length);
    }
    const [key] = [...weights].reduce((best, found) => (found[1] > best[1] ? found : best));
    const common = Math.exp(key * sameSize);
    const isSame = ({ size }: Piece): boolean => Math.abs(size - common) <= sameSize * common;
    const same = rest.filter(isSame);
    const next = rest.filter((piece) => !isSame(piece));
    const mean = same.reduce((sum, { size }) => sum + size, 0) / Math.max(same.length, 1);
    for (const piece of same) piece.size = mean;
    if (same.length === 0) return;
    rest = next;
  }
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
