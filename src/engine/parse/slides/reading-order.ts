/** In which order are the shapes of a slide read? */
import type { Box, Shape } from './deck.ts';

/** Boxes may overlap by so many pixels and still stand beside or below each other. */
const OVERLAP = 4;
/** Cuts inside each other; beyond it shapes are read as they were drawn. */
const MAX_CUTS = 40;

/** What is said of a slide: the title first, the rest by place, a group's shapes together; then margins in their drawn order. */
export function inReadingOrder(shapes: readonly Shape[]): { body: Shape[]; margins: Shape[] } {
  const said = shapes.filter(hasWords);
  const margins = said.filter(isMargin).flatMap(leaves);
  const rest = said.filter((shape) => !isMargin(shape));
  const title = rest.find(({ role }) => role === 'title');
  const others = order(
    rest.filter((shape) => shape !== title),
    0,
  );
  return { body: [...(title ? [title] : []), ...others.flatMap(members)], margins };
}

const isMargin = (shape: Shape): boolean => shape.role === 'margin' || shape.isBackdrop;

function hasWords(shape: Shape): boolean {
  if (shape.children) return shape.children.some(hasWords);
  if (shape.table) return true;
  return shape.text?.paragraphs.some(({ runs }) => runs.some(({ text }) => text.trim() !== '')) ?? false;
}

function leaves(shape: Shape): Shape[] {
  return shape.children ? shape.children.filter(hasWords).flatMap(leaves) : [shape];
}

function members(shape: Shape): Shape[] {
  return shape.children ? order(shape.children.filter(hasWords), 0).flatMap(members) : [shape];
}

/** Cuts the shapes along the widest empty strips between them, again and again (an XY-cut). */
function order(shapes: readonly Shape[], depth: number): Shape[] {
  // Without a place: where it was drawn among the others.
  if (shapes.length < 2 || shapes.some(({ box }) => !box)) return [...shapes];
  const rows = widestGaps(shapes, (box) => [box.y, box.y + box.height]);
  const columns = widestGaps(shapes, (box) => [box.x, box.x + box.width]);
  const best = columns && (!rows || columns.width > rows.width) ? columns : rows;
  if (!best || depth > MAX_CUTS) return byCorner(shapes);
  return best.parts.flatMap((part) => order(part, depth + 1));
}

interface Gaps {
  width: number;
  parts: Shape[][];
}

/** The shapes as the widest gaps part them; undefined where none does. */
function widestGaps(shapes: readonly Shape[], edges: (box: Box) => [number, number]): Gaps | undefined {
  const sorted = [...shapes].sort((one, other) => edges(one.box!)[0] - edges(other.box!)[0]);
  const gaps: { width: number; at: number }[] = [];
  let reach = -Infinity;
  for (const [at, shape] of sorted.entries()) {
    const [from, to] = edges(shape.box!);
    if (at > 0 && from - reach > -OVERLAP) gaps.push({ width: from - reach, at });
    reach = Math.max(reach, to);
  }
  if (gaps.length === 0) return undefined;
  const width = gaps.reduce((most, gap) => Math.max(most, gap.width), -OVERLAP);
  const cuts = gaps.filter((gap) => gap.width > width - 1).map(({ at }) => at);
  return { width, parts: [0, ...cuts].map((from, index) => sorted.slice(from, cuts[index])) };
}

/** Overlapping shapes: from the top down, from the left among those that begin at the same height. */
function byCorner(shapes: readonly Shape[]): Shape[] {
  const tolerance = 8;
  return [...shapes].sort(
    (one, other) =>
      Math.round(one.box!.y / tolerance) - Math.round(other.box!.y / tolerance) || one.box!.x - other.box!.x,
  );
}
