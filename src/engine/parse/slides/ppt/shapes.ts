/** Which shapes does the drawing of an old slide hold? After [MS-ODRAW] 2.2 and [MS-PPT] 2.7. */
import { slides as limits } from '../../../config.ts';
import type { Box, Outline, Shape, SlideCell, SlideTable } from '../deck.ts';
import { isOpenOutline, outlineOf } from '../outlines.ts';
import { type PictureShelf, wholePicture } from '../pictures.ts';
import { type Record, type } from './records.ts';
import {
  type LetterContext,
  type PptText,
  readParagraphs,
  readTexts,
  textKind,
  toCss,
  UNIT,
} from './text.ts';

/** Names of types of shapes, as [MS-ODRAW] 2.4.24 numbers them. */
const presets: { [number: number]: string } = {
  1: 'rect',
  2: 'roundRect',
  3: 'ellipse',
  4: 'diamond',
  5: 'triangle',
  6: 'rtTriangle',
  7: 'parallelogram',
  8: 'trapezoid',
  9: 'hexagon',
  10: 'octagon',
  11: 'plus',
  12: 'star5',
  13: 'rightArrow',
  15: 'homePlate',
  20: 'line',
  32: 'straightConnector1',
  34: 'bentConnector3',
  38: 'curvedConnector3',
  55: 'chevron',
  56: 'pentagon',
  66: 'leftArrow',
  67: 'downArrow',
  68: 'upArrow',
  75: 'rect',
  202: 'rect',
};
/** Text boxes and pictures have neither a fill nor a line unless they say so. */
const bareTypes = new Set([0, 75, 202]);
/** Placeholders by their number. */
const titles = new Set([1, 3, 13, 15, 17]);
const margins = new Set([7, 8, 9, 10]);
/** Properties of shapes. */
const property = {
  picture: 0x104,
  fillColor: 0x181,
  fillFlags: 0x1bf,
  lineColor: 0x1c0,
  lineWidth: 0x1cb,
  lineFlags: 0x1ff,
  anchorText: 0x87,
  tableFlags: 0x39f,
  drawnText: 0xc0,
};
const EMU = 1 / 9525;
const GROUP_OR_PATRIARCH = 0x5;
const FLIP_X = 0x40;
const FLIP_Y = 0x80;

export interface DrawingContext {
  letters: LetterContext;
  /** Texts that the list of slides holds for this slide. */
  outline: readonly PptText[];
  /** Those that a shape took. */
  taken: Set<number>;
  shelf: PictureShelf;
  /** Of a master: shapes without a place to fill. */
  isBackdrop: boolean;
}

type Place = (box: Box) => Box;

export function readDrawing(drawing: Record | undefined, context: DrawingContext): Shape[] {
  const patriarch = drawing?.child(0xf002)?.child(type.shapeGroup);
  let count = 0;
  return patriarch ? group(patriarch, (box) => box) : [];

  function group(record: Record, place: Place): Shape[] {
    const shapes: Shape[] = [];
    for (const child of record.children) {
      count += 1;
      if (count > limits.maxShapes) break;
      if (child.type === type.shape) shapes.push(...readShape(child, place, context));
      else if (child.type === type.shapeGroup) {
        const children = group(child, inner(child, place));
        if (children.length === 0) continue;
        const box = anchorOf(child.child(type.shape), place);
        const table = isTable(child) ? tableOf(children) : undefined;
        const base = { ...bare('text', context.isBackdrop), ...(box ? { box } : {}) };
        shapes.push(table ? { ...base, table } : { ...base, children });
      }
    }
    return shapes;
  }
}

/** From a group's coordinates to those around it. */
function inner(record: Record, place: Place): Place {
  const head = record.child(type.shape);
  const frame = head?.child(type.groupFrame);
  const outer = anchorOf(head, place);
  if (!frame || !outer) return place;
  const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => frame.i32(at) * UNIT) as [
    number,
    number,
    number,
    number,
  ];
  const across = right > left ? outer.width / (right - left) : 1;
  const down = bottom > top ? outer.height / (bottom - top) : 1;
  return (box) => ({
    x: outer.x + (box.x - left) * across,
    y: outer.y + (box.y - top) * down,
    width: box.width * across,
    height: box.height * down,
  });
}

function anchorOf(shape: Record | undefined, place: Place): Box | undefined {
  const child = shape?.child(type.childAnchor);
  if (child) return sound(place(toBox(child.i32(4), child.i32(0), child.i32(8), child.i32(12))));
  const client = shape?.child(type.clientAnchor);
  if (!client) return undefined;
  const isShort = client.data.length < 16;
  const at = (index: number): number => (isShort ? client.i16(index * 2) : client.i32(index * 4));
  return sound(place(toBox(at(0), at(1), at(2), at(3))));
}

function toBox(top: number, left: number, right: number, bottom: number): Box {
  const [width, height] = [Math.abs(right - left), Math.abs(bottom - top)];
  return {
    x: Math.min(left, right) * UNIT,
    y: Math.min(top, bottom) * UNIT,
    width: width * UNIT,
    height: height * UNIT,
  };
}

function sound(box: Box): Box | undefined {
  return Object.values(box).every((value) => Number.isFinite(value) && Math.abs(value) < 20_000)
    ? box
    : undefined;
}

function bare(role: Shape['role'], isBackdrop: boolean): Shape {
  return { role, isBackdrop, rotation: 0, isFlippedX: false, isFlippedY: false };
}

function readShape(record: Record, place: Place, context: DrawingContext): Shape[] {
  const atom = record.child(type.shapeAtom);
  const flags = atom?.u32(4) ?? 0;
  if ((flags & GROUP_OR_PATRIARCH) !== 0) return [];
  const holder = record.child(type.clientData)?.child(type.placeholder)?.u8(4) ?? 0;
  if (context.isBackdrop && holder > 0) return [];
  const box = anchorOf(record, place);
  const options = readOptions(record.child(type.options));
  const source = textOf(record, context);
  const isTitle =
    titles.has(holder) || source?.kind === textKind.title || source?.kind === textKind.centerTitle;
  const role = margins.has(holder) ? 'margin' : isTitle ? 'title' : 'text';
  const outline = box && outlineFor(atom?.instance ?? 0, options, box, context);
  const picture = options.get(property.picture);
  const shape: Shape = {
    ...bare(role, context.isBackdrop),
    ...(box ? { box } : {}),
    isFlippedX: (flags & FLIP_X) !== 0,
    isFlippedY: (flags & FLIP_Y) !== 0,
    ...(outline ? { outline } : {}),
    ...(picture && box
      ? { picture: { name: context.shelf.ask(String(picture)), label: '', crop: wholePicture } }
      : {}),
    ...(source ? { text: frameOf(source, options, context) } : {}),
  };
  return [shape];
}

/** A text of its own, one of the slide's outline by its number, or words that are drawn as a picture (WordArt). */
function textOf(record: Record, { outline, taken, letters }: DrawingContext): PptText | undefined {
  const box = record.child(type.textbox);
  if (!box) {
    const drawn = readString(record.child(type.options), property.drawnText);
    return drawn
      ? { kind: textKind.other, text: drawn.replaceAll(/\r\n?|\n/gu, '\r'), style: undefined }
      : undefined;
  }
  const reference = box.child(type.outlineText);
  if (!reference) return readTexts(box.children, letters.fields)[0];
  const at = reference.u32(0);
  taken.add(at);
  return outline[at];
}

function frameOf(
  source: PptText,
  options: ReadonlyMap<number, number>,
  { letters }: DrawingContext,
): NonNullable<Shape['text']> {
  const anchor = (options.get(property.anchorText) ?? defaultAnchor(source.kind)) % 3;
  return {
    paragraphs: readParagraphs(source, letters),
    vertical: anchor === 1 ? 'middle' : anchor === 2 ? 'bottom' : 'top',
    insets: { left: 9.6, top: 4.8, right: 9.6, bottom: 4.8 },
    isUnwrapped: false,
    turn: 0,
    columns: 1,
    scale: 1,
  };
}

const defaultAnchor = (kind: number): number =>
  kind === textKind.title || kind === textKind.centerTitle ? 1 : 0;

/** Values by number; those of variable length are left out. */
function readOptions(record: Record | undefined): Map<number, number> {
  const options = new Map<number, number>();
  for (let at = 0; record && at < record.instance; at++) {
    const head = record.u16(at * 6);
    if ((head & 0x8000) === 0) options.set(head & 0x3fff, record.u32(at * 6 + 2));
  }
  return options;
}

/** A string among the options: those of variable length stand behind the others, in their order. */
function readString(record: Record | undefined, wanted: number): string | undefined {
  let start = (record?.instance ?? 0) * 6;
  for (let at = 0; record && at < record.instance; at++) {
    const head = record.u16(at * 6);
    if ((head & 0x8000) === 0) continue;
    const length = record.u32(at * 6 + 2);
    if ((head & 0x3fff) === wanted) {
      const text = record.data.toString(
        'utf16le',
        start,
        Math.min(record.data.length, start + (length & ~1)),
      );
      return text.split('\0')[0];
    }
    start += length;
  }
  return undefined;
}

function outlineFor(
  number: number,
  options: ReadonlyMap<number, number>,
  box: Box,
  context: DrawingContext,
): Outline | undefined {
  const isBare = bareTypes.has(number);
  const name = presets[number] ?? 'rect';
  const isOn = (flags: number, bit: number, otherwise: boolean): boolean => {
    const value = options.get(flags) ?? 0;
    return (value & (bit << 16)) === 0 ? otherwise : (value & bit) !== 0;
  };
  const { scheme } = context.letters;
  const isFilled =
    isOn(property.fillFlags, 0x10, !isBare && options.has(property.fillColor)) && !isOpenOutline(name);
  const isLined = isOn(
    property.lineFlags,
    0x8,
    !isBare && (options.has(property.lineColor) || isOpenOutline(name)),
  );
  if (!isFilled && !isLined) return undefined;
  const width = (options.get(property.lineWidth) ?? 9_525) * EMU;
  const fill = colorOf(options.get(property.fillColor), scheme) ?? scheme[4];
  const line = colorOf(options.get(property.lineColor), scheme) ?? scheme[1] ?? '#000000';
  return {
    path: outlineOf(name, box.width, box.height),
    ...(isFilled && fill ? { fill: { type: 'color' as const, color: fill } } : {}),
    ...(isLined
      ? {
          line: {
            color: line,
            width: Math.min(40, Math.max(0.75, width)),
            isDashed: false,
            hasHead: false,
            hasTail: false,
          },
        }
      : {}),
  };
}

function colorOf(value: number | undefined, scheme: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  const kind = value >>> 24;
  if (kind === 0) return toCss(value);
  return (kind & 0x08) === 0 ? undefined : scheme[value & 0xff];
}

function isTable(record: Record): boolean {
  const more = readOptions(record.child(type.shape)?.child(type.moreOptions));
  return ((more.get(property.tableFlags) ?? 0) & 1) !== 0;
}

/** Cells are boxes of text in a grid; lines between them are boxes without any. */
function tableOf(children: readonly Shape[]): SlideTable | undefined {
  const cells = children.filter(({ box, text }) => box && text);
  if (cells.length < 2) return undefined;
  const edges = (side: 'x' | 'y'): number[] =>
    [...new Set(cells.map(({ box }) => Math.round(box![side])))].sort((one, other) => one - other);
  const [lefts, tops] = [edges('x'), edges('y')];
  if (lefts.length > limits.maxColumns || lefts.length * tops.length > limits.maxCells) return undefined;
  const right = Math.max(...cells.map(({ box }) => box!.x + box!.width));
  const rows = tops.map((top, at) => {
    const inRow = cells
      .filter(({ box }) => Math.round(box!.y) === top)
      .sort((one, other) => one.box!.x - other.box!.x);
    return {
      height: (tops[at + 1] ?? top + (inRow[0]?.box?.height ?? 0)) - top,
      isHeader: false,
      cells: rowOf(inRow, lefts),
    };
  });
  return {
    columns: lefts.map((left, at) => (lefts[at + 1] ?? right) - left),
    rows,
    name: '',
    isChart: false,
  };
}

function rowOf(shapes: readonly Shape[], lefts: readonly number[]): SlideCell[] {
  const cells: SlideCell[] = [];
  let column = 0;
  for (const { box, text } of shapes) {
    const from = lefts.indexOf(Math.round(box!.x));
    for (; column < from; column++)
      cells.push({ paragraphs: [], span: 1, rowSpan: 1, merge: 'none', vertical: 'top' });
    const to = lefts.findIndex((left) => left >= box!.x + box!.width - 2);
    const span = Math.max(1, (to < 0 ? lefts.length : to) - from);
    cells.push({ paragraphs: text!.paragraphs, span, rowSpan: 1, merge: 'none', vertical: text!.vertical });
    column = from + span;
  }
  return cells;
}
