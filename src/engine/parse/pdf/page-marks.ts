/** Which straight lines and pictures does a page show besides its text? */
import type { Box } from '../../../api/anchor.ts';
import { pdf } from '../../config.ts';
import type { RawPdfium } from './pdfium.ts';

/** A straight line that is level or upright in user space; the edge of a frame counts as one. Points. */
export interface Rule {
  /** y of a level one, x of an upright one. */
  at: number;
  /** Ends: x of a level one, y of an upright one. */
  from: number;
  to: number;
}

export interface PageMarks {
  level: Rule[];
  upright: Rule[];
  /** Share of the visible area that the largest picture covers, 0 to 1. */
  pictureShare: number;
  /** Something is drawn that is no text. */
  isDrawn: boolean;
}

// Kinds of page objects, fpdf_edit.h.
const textObject = 1;
const pathObject = 2;
const imageObject = 3;
const formObject = 5;
// Kinds of path segments, fpdf_edit.h.
const lineTo = 0;
const moveTo = 2;

const thickest = 3; // points; a thicker bar is a drawing
const shortest = 4; // points; shorter marks are letters, ticks or dashes
const maxSegments = 400; // of one path; more is a drawing
const maxNesting = 4; // forms inside forms
const askew = 0.7; // points by which the ends of a level line may differ

/** a, b, c, d, e, f as in PDF 32000-1, 8.3.3. */
type Matrix = readonly [number, number, number, number, number, number];
const unchanged: Matrix = [1, 0, 0, 1, 0, 0];

interface Look {
  raw: RawPdfium;
  /** `scratchBytes` of PDFium's memory. */
  scratch: number;
  marks: PageMarks;
  visible: Box;
  /** Objects that may still be looked at: a map is made of a million. */
  left: number;
}

/** Rules and pictures of a loaded page. `scratch` points to `scratchBytes` of PDFium's memory. */
export function readMarks(raw: RawPdfium, page: number, scratch: number, visible: Box): PageMarks {
  const marks: PageMarks = { level: [], upright: [], pictureShare: 0, isDrawn: false };
  const look: Look = { raw, scratch, marks, visible, left: pdf.maxObjectsPerPage };
  const count = raw._FPDFPage_CountObjects!(page);
  for (let index = 0; index < count && look.left > 0; index += 1) {
    readObject(look, raw._FPDFPage_GetObject!(page, index), unchanged, 0);
  }
  return marks;
}

function readObject(look: Look, object: number, outer: Matrix, depth: number): void {
  const { raw } = look;
  look.left -= 1;
  const type = raw._FPDFPageObj_GetType!(object);
  if (type !== textObject && type !== formObject) look.marks.isDrawn = true;
  if (type === pathObject) readPath(look, object, outer);
  else if (type === imageObject) readPicture(look, object, outer);
  else if (type === formObject && depth < maxNesting) {
    const inner = times(matrixOf(look, object), outer);
    const count = raw._FPDFFormObj_CountObjects!(object);
    for (let index = 0; index < count && look.left > 0; index += 1) {
      readObject(look, raw._FPDFFormObj_GetObject!(object, index), inner, depth + 1);
    }
  }
}

function readPath(look: Look, object: number, outer: Matrix): void {
  const { raw, scratch } = look;
  const count = raw._FPDFPath_CountSegments!(object);
  if (count < 2 || count > maxSegments) return;
  raw._FPDFPath_GetDrawMode!(object, scratch, scratch + 4);
  const isFilled = raw.HEAPU32[scratch >> 2]! !== 0;
  const isStroked = raw.HEAPU32[(scratch >> 2) + 1]! !== 0;
  if (!isStroked && !isFilled) return;
  const matrix = times(matrixOf(look, object), outer);
  const points = pointsOf(look, object, count, matrix);
  if (!isStroked) addBar(look, points);
  else {
    for (const { from, to } of points) addRule(look, from, to);
  }
}

interface Step {
  from: [number, number];
  to: [number, number];
}

/** The path's straight strokes in user space, closing strokes included. */
function pointsOf(look: Look, object: number, count: number, matrix: Matrix): Step[] {
  const { raw, scratch } = look;
  const steps: Step[] = [];
  let start: [number, number] = [0, 0];
  let last = start;
  for (let index = 0; index < count; index += 1) {
    const segment = raw._FPDFPath_GetPathSegment!(object, index);
    const type = raw._FPDFPathSegment_GetType!(segment);
    if (!raw._FPDFPathSegment_GetPoint!(segment, scratch, scratch + 4)) continue;
    const x = raw.HEAPF32[scratch >> 2]!;
    const y = raw.HEAPF32[(scratch >> 2) + 1]!;
    const point: [number, number] = [
      matrix[0] * x + matrix[2] * y + matrix[4],
      matrix[1] * x + matrix[3] * y + matrix[5],
    ];
    if (type === moveTo) start = point;
    else if (type === lineTo) steps.push({ from: last, to: point });
    last = point;
    if (raw._FPDFPathSegment_GetClose!(segment) && type !== moveTo) steps.push({ from: last, to: start });
  }
  return steps;
}

/** A filled shape is a line where it is thin; shades behind cells are none. */
function addBar(look: Look, steps: Step[]): void {
  const xs = steps.flatMap(({ from, to }) => [from[0], to[0]]);
  const ys = steps.flatMap(({ from, to }) => [from[1], to[1]]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  if (y1 - y0 <= thickest && x1 - x0 > y1 - y0) addRule(look, [x0, (y0 + y1) / 2], [x1, (y0 + y1) / 2]);
  else if (x1 - x0 <= thickest) addRule(look, [(x0 + x1) / 2, y0], [(x0 + x1) / 2, y1]);
}

function addRule({ marks }: Look, [x0, y0]: [number, number], [x1, y1]: [number, number]): void {
  const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  const isFree = marks.level.length + marks.upright.length < pdf.maxRulesPerPage;
  if (!isFree || Math.max(width, height) < shortest) return;
  if (height <= askew) marks.level.push({ at: (y0 + y1) / 2, from: Math.min(x0, x1), to: Math.max(x0, x1) });
  else if (width <= askew) {
    marks.upright.push({ at: (x0 + x1) / 2, from: Math.min(y0, y1), to: Math.max(y0, y1) });
  }
}

/** A picture is the unit square, turned and stretched by its matrix. */
function readPicture(look: Look, object: number, outer: Matrix): void {
  const { visible, marks } = look;
  const [a, b, c, d, e, f] = times(matrixOf(look, object), outer);
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const width = Math.min(Math.max(...xs), visible.x + visible.width) - Math.max(Math.min(...xs), visible.x);
  const height = Math.min(Math.max(...ys), visible.y + visible.height) - Math.max(Math.min(...ys), visible.y);
  const share = (Math.max(width, 0) * Math.max(height, 0)) / Math.max(visible.width * visible.height, 1);
  marks.pictureShare = Math.max(marks.pictureShare, Math.min(share, 1));
}

function matrixOf({ raw, scratch }: Look, object: number): Matrix {
  if (!raw._FPDFPageObj_GetMatrix!(object, scratch)) return unchanged;
  const at = scratch >> 2;
  return [0, 1, 2, 3, 4, 5].map((index) => raw.HEAPF32[at + index]!) as unknown as Matrix;
}

/** First `inner`, then `outer`. */
function times(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [g, h, i, j, k, l] = outer;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}
