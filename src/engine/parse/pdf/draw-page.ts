/** How does a page look, as a picture whose words can be recognised? */
import type { RawPdfium } from './pdfium.ts';

/** A page as shown, in shades of grey. */
export interface DrawnPage {
  width: number;
  height: number;
  /** A portable graymap (PNM, "P5"). */
  bytes: Uint8Array;
}

// Values of fpdfview.h.
const blueGreenRedUnused = 3; // FPDFBitmap_BGRx
const withAnnotations = 1; // FPDF_ANNOT
const white = 0xffffffff;

/** Draws a loaded page; undefined where it has no size or PDFium has no memory for it. */
export function drawPage(
  raw: RawPdfium,
  page: number,
  limits: { dpi: number; maxPixels: number },
): DrawnPage | undefined {
  const [points, high] = [raw._FPDF_GetPageWidthF!(page), raw._FPDF_GetPageHeightF!(page)];
  if (!(points > 0 && high > 0)) return undefined;
  const wanted = limits.dpi / 72;
  const scale = Math.min(wanted, Math.sqrt(limits.maxPixels / (points * high)));
  const width = Math.max(1, Math.round(points * scale));
  const height = Math.max(1, Math.round(high * scale));
  // A strip a million times as long as wide is no page.
  if (width * height > limits.maxPixels * 1.1) return undefined;
  const bitmap = raw._FPDFBitmap_CreateEx!(width, height, blueGreenRedUnused, 0, 0);
  if (bitmap === 0) return undefined;
  raw._FPDFBitmap_FillRect!(bitmap, 0, 0, width, height, white);
  raw._FPDF_RenderPageBitmap!(bitmap, page, 0, 0, width, height, 0, withAnnotations);
  const from = raw._FPDFBitmap_GetBuffer!(bitmap) >>> 0;
  const stride = raw._FPDFBitmap_GetStride!(bitmap);
  const bytes = greyPicture(raw.HEAPU8, from, stride, width, height);
  raw._FPDFBitmap_Destroy!(bitmap);
  return { width, height, bytes };
}

/** Luma of ITU-R BT.601, as graymaps have it. */
function greyPicture(
  heap: Uint8Array,
  from: number,
  stride: number,
  width: number,
  height: number,
): Uint8Array {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const bytes = new Uint8Array(head.length + width * height);
  bytes.set(head);
  let to = head.length;
  for (let row = 0; row < height; row += 1) {
    let at = from + row * stride;
    for (let column = 0; column < width; column += 1, at += 4) {
      bytes[to] = (29 * heap[at]! + 150 * heap[at + 1]! + 77 * heap[at + 2]!) >> 8;
      to += 1;
    }
  }
  return bytes;
}
