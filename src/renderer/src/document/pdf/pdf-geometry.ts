/** Where on screen do a page and its lit boxes stand? Pure, in CSS pixels. */
import type { Box } from '../../../../api/anchor.ts';

/** A page as pdf.js names it: visible area in user space, and the clockwise turn when shown. */
export interface PageBox {
  /** Left, bottom, right, top. */
  view: [number, number, number, number];
  /** 0, 90, 180 or 270. */
  rotation: number;
  /** Points per user space unit; 1 but for very large pages. */
  userUnit: number;
}

/** A rectangle from the page's top left corner as shown. */
export interface ScreenBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PageSize {
  width: number;
  height: number;
}

/** Size of a page as shown; `scale` is pixels per point. */
export function pageSize({ view, rotation, userUnit }: PageBox, scale: number): PageSize {
  const width = Math.abs(view[2] - view[0]) * userUnit * scale;
  const height = Math.abs(view[3] - view[1]) * userUnit * scale;
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Boxes of user space on the page as shown, cut to its edges; boxes outside it are left out. */
export function boxesOnScreen(boxes: Box[], page: PageBox, scale: number): ScreenBox[] {
  const size = pageSize(page, scale);
  const unit = page.userUnit * scale;
  const found: ScreenBox[] = [];
  for (const box of boxes) {
    const left = (box.x - page.view[0]) * unit;
    const right = (box.x + box.width - page.view[0]) * unit;
    const bottom = (box.y - page.view[1]) * unit;
    const top = (box.y + box.height - page.view[1]) * unit;
    const [x0, x1, y0, y1] = turned(page.rotation, size, left, right, bottom, top);
    const cut = {
      left: Math.max(x0, 0),
      top: Math.max(y0, 0),
      width: Math.min(x1, size.width) - Math.max(x0, 0),
      height: Math.min(y1, size.height) - Math.max(y0, 0),
    };
    if (cut.width > 0 && cut.height > 0) found.push(cut);
  }
  return found;
}

/** Left, right, top, bottom on screen of a rectangle that counts from the page's lower left corner in user space. */
function turned(
  rotation: number,
  { width, height }: PageSize,
  left: number,
  right: number,
  bottom: number,
  top: number,
): [number, number, number, number] {
  switch (((rotation % 360) + 360) % 360) {
    case 90: // user space's left edge is on top, its lower edge at the left
      return [bottom, top, left, right];
    case 180:
      return [width - right, width - left, bottom, top];
    case 270: // user space's right edge is on top, its upper edge at the left
      return [width - top, width - bottom, height - right, height - left];
    default:
      return [left, right, height - top, height - bottom];
  }
}

/** Distance between pages and around them. */
const pageGap = 12;

/** Upper edge of each page in the scrolled area, and at the end its whole height. */
export function pageTops(sizes: PageSize[]): number[] {
  const tops = [pageGap];
  for (const size of sizes) tops.push(tops.at(-1)! + size.height + pageGap);
  return tops;
}

/** Index of the page that stands at `y`: the last one that begins above it. */
export function pageAt(tops: number[], y: number): number {
  let low = 0;
  let high = Math.max(tops.length - 2, 0);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle]! <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Half-open range of the pages to draw: those on screen and half a screen around. */
export function pagesToDraw(tops: number[], scrollTop: number, height: number): { from: number; to: number } {
  if (tops.length < 2) return { from: 0, to: 0 };
  return { from: pageAt(tops, scrollTop - height / 2), to: pageAt(tops, scrollTop + height * 1.5) + 1 };
}

/** Largest scale of a fitted page: on a wide pane a page as wide as the pane is too large to read. */
const maxFitScale = 2;

/**
 * Pixels per point of each page. At zoom 1 the first page fills the pane's width and the others have its scale, but
 * for wider ones, which fit by themselves: a scale that depended on all pages would jump while they become known.
 */
export function fittedScales(pages: PageBox[], paneWidth: number, zoom: number): number[] {
  const scaleOf = (page: PageBox): number => {
    const fitted = (paneWidth - 2 * pageGap) / Math.max(pageSize(page, 1).width, 1);
    return Math.min(Math.max(fitted, 0.02), maxFitScale);
  };
  const usual = pages[0] ? scaleOf(pages[0]) : 1;
  return pages.map((page) => Math.min(scaleOf(page), usual) * zoom);
}

/** Scroll position that brings the lit boxes of a page into the upper third of the pane, or whole where they fit. */
export function scrollToBoxes(
  boxes: ScreenBox[],
  pageTop: number,
  pageLeft: number,
  pane: PageSize,
): { top: number; left: number } {
  const first = boxes[0];
  if (!first) return { top: Math.max(pageTop - pageGap, 0), left: 0 };
  const top = pageTop + Math.min(...boxes.map((box) => box.top));
  const bottom = pageTop + Math.max(...boxes.map((box) => box.top + box.height));
  const left = pageLeft + Math.min(...boxes.map((box) => box.left));
  const right = pageLeft + Math.max(...boxes.map((box) => box.left + box.width));
  const above = Math.max((pane.height - (bottom - top)) / 3, pageGap * 2);
  const beside = Math.max((pane.width - (right - left)) / 2, pageGap);
  return { top: Math.max(top - above, 0), left: Math.max(left - beside, 0) };
}

/** Device pixels of one canvas: a 4K screen at 4 × zoom would otherwise ask for a gigabyte. */
const maxCanvasPixels = 16_000_000;

/** Device pixels per CSS pixel for a page of this size. */
export function canvasRatio(size: PageSize, devicePixelRatio: number): number {
  const most = Math.sqrt(maxCanvasPixels / Math.max(size.width * size.height, 1));
  return Math.min(Math.max(devicePixelRatio, 1), most);
}
