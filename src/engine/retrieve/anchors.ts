/** Which places in the original does a range of the text light? */
import type {
  Anchor,
  Box,
  CellsAnchor,
  ElementAnchor,
  LinesAnchor,
  PageAnchor,
  SlideAnchor,
  TimeAnchor,
} from '../../api/anchor.ts';
import type { Span } from '../document.ts';
import { type CellRectangle, fromA1, mergeRectangles, toA1 } from './cell-ranges.ts';

/** A block as far as its place matters: offset in the document's text, and its spans (relative to the block). */
export interface AnchoredBlock {
  start: number;
  text: string;
  spans: Span[];
}

/**
 * Anchors of the half-open range `[start, end)`, in the same offsets as the spans. Boxes of one page become one
 * anchor, cells become rectangles, lines and element runs that touch become one. Spans that can't be cut are
 * taken whole. Empty when no span overlaps the range.
 */
export function narrowSpans(spans: Span[], start: number, end: number): Anchor[] {
  const anchors: Anchor[] = [];
  const pages = new Map<number, PageAnchor>();
  const sheets = new Map<string, { at: number; cells: CellRectangle[] }>();
  for (const span of spans) {
    if (Math.max(span.start, start) >= Math.min(span.end, end)) continue;
    const { anchor } = span;
    switch (anchor.kind) {
      case 'page': {
        const page = pages.get(anchor.page);
        const boxes = cutBoxes(span, anchor.boxes, start, end);
        if (page) page.boxes.push(...boxes);
        else {
          const made: PageAnchor = { kind: 'page', page: anchor.page, boxes };
          pages.set(anchor.page, made);
          anchors.push(made);
        }
        break;
      }
      case 'cells': {
        const cells = fromA1(anchor.range);
        const sheet = sheets.get(anchor.sheet);
        if (!cells) anchors.push(anchor);
        else if (sheet) sheet.cells.push(cells);
        else {
          sheets.set(anchor.sheet, { at: anchors.length, cells: [cells] });
          anchors.push(anchor);
        }
        break;
      }
      default:
        addTouching(anchors, cutRun(span, anchor, start, end));
    }
  }
  return withRectangles(anchors, sheets);
}

/**
 * Anchors of a range of the document's text over the blocks that overlap it. A range of nothing but gaps
 * between spans lights the nearest span, so that a passage always has a place.
 */
export function anchorsOfRange(blocks: AnchoredBlock[], start: number, end: number): Anchor[] {
  const spans = blocks.flatMap((block) =>
    block.spans.map((span) => ({ ...span, start: span.start + block.start, end: span.end + block.start })),
  );
  const anchors = narrowSpans(spans, start, end);
  if (anchors.length > 0 || spans.length === 0) return anchors;
  const distance = (span: Span): number => Math.max(span.start - end, start - span.end, 0);
  const nearest = spans.reduce((best, span) => (distance(span) < distance(best) ? span : best));
  return narrowSpans([nearest], nearest.start, nearest.end);
}

function cutBoxes(span: Span, boxes: Box[], start: number, end: number): Box[] {
  const box = boxes[0];
  const stops = span.stops;
  if (!stops || !box || boxes.length !== 1 || (start <= span.start && end >= span.end)) return [...boxes];
  // Stops are word starts: the cut grows outwards to whole words, a lit half word looks like a fault.
  let from: number | undefined;
  let to: number | undefined;
  for (let index = 0; index + 1 < stops.at.length; index += 2) {
    const offset = span.start + stops.at[index]!;
    const place = stops.at[index + 1]!;
    if (offset <= start) from = place;
    if (offset >= end && to === undefined) to = place;
  }
  return [cutBox(box, stops.direction, from, to)];
}

function cutBox(
  box: Box,
  direction: 'right' | 'left' | 'up' | 'down',
  from: number | undefined,
  to: number | undefined,
): Box {
  const isHorizontal = direction === 'right' || direction === 'left';
  const low = isHorizontal ? box.x : box.y;
  const high = low + (isHorizontal ? box.width : box.height);
  const isForward = direction === 'right' || direction === 'up';
  const clamp = (value: number): number => Math.min(Math.max(value, low), high);
  const lower = clamp((isForward ? from : to) ?? low);
  const upper = clamp((isForward ? to : from) ?? high);
  // Stops that contradict the reading direction would light nothing: then the whole line is the honest place.
  if (upper <= lower) return box;
  return isHorizontal
    ? { ...box, x: lower, width: upper - lower }
    : { ...box, y: lower, height: upper - lower };
}

/** Runs of an element's or a shape's text are cut to the character; anything else is taken whole. */
function cutRun(span: Span, anchor: Anchor, start: number, end: number): Anchor {
  if (anchor.kind === 'element') return cutElement(span, anchor, start, end);
  if (anchor.kind !== 'slide' || anchor.start === undefined || anchor.end === undefined) return anchor;
  return cutElement(span, { ...anchor, start: anchor.start, end: anchor.end }, start, end);
}

function cutElement<Run extends { start: number; end: number }>(
  span: Span,
  anchor: Run,
  start: number,
  end: number,
): Run {
  if (anchor.end - anchor.start !== span.end - span.start) return anchor;
  return {
    ...anchor,
    start: anchor.start + Math.max(start - span.start, 0),
    end: anchor.end - Math.max(span.end - end, 0),
  };
}

/** Adds an anchor, or grows the last one when both touch. */
function addTouching(anchors: Anchor[], anchor: Anchor): void {
  const last = anchors.at(-1);
  const joined = last && join(last, anchor);
  if (joined) anchors[anchors.length - 1] = joined;
  else anchors.push(anchor);
}

function join(a: Anchor, b: Anchor): Anchor | undefined {
  if (a.kind === 'element' && b.kind === 'element') return joinElements(a, b);
  if (a.kind === 'lines' && b.kind === 'lines') return joinLines(a, b);
  if (a.kind === 'time' && b.kind === 'time') return joinTimes(a, b);
  if (a.kind === 'slide' && b.kind === 'slide') return joinSlides(a, b);
  return undefined;
}

function joinSlides(a: SlideAnchor, b: SlideAnchor): SlideAnchor | undefined {
  if (a.slide !== b.slide || a.shape !== b.shape) return undefined;
  if (a.start === undefined || a.end === undefined) return a;
  if (b.start === undefined || b.end === undefined) return b;
  if (b.start > a.end || a.start > b.end) return undefined;
  return { ...a, start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

function joinElements(a: ElementAnchor, b: ElementAnchor): ElementAnchor | undefined {
  if (a.path !== b.path || b.start > a.end || a.start > b.end) return undefined;
  return { ...a, start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

function joinLines(a: LinesAnchor, b: LinesAnchor): LinesAnchor | undefined {
  if (b.from > a.to + 1 || a.from > b.to + 1) return undefined;
  return { kind: 'lines', from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}

function joinTimes(a: TimeAnchor, b: TimeAnchor): TimeAnchor | undefined {
  if (b.fromMs > a.toMs || a.fromMs > b.toMs) return undefined;
  return { kind: 'time', fromMs: Math.min(a.fromMs, b.fromMs), toMs: Math.max(a.toMs, b.toMs) };
}

/** Puts each sheet's rectangles where its first cell stood. */
function withRectangles(
  anchors: Anchor[],
  sheets: Map<string, { at: number; cells: CellRectangle[] }>,
): Anchor[] {
  if (sheets.size === 0) return anchors;
  const places = new Map([...sheets].map(([sheet, { at, cells }]) => [at, { sheet, cells }]));
  return anchors.flatMap((anchor, index): Anchor[] => {
    const place = places.get(index);
    if (!place) return [anchor];
    return mergeRectangles(place.cells).map(
      (cells): CellsAnchor => ({ kind: 'cells', sheet: place.sheet, range: toA1(cells) }),
    );
  });
}
