/** What was written onto a page: comments, notes of highlights, and values of fields without a drawn text? */
import type { Box } from '../../../api/anchor.ts';
import type { Block } from '../../document.ts';
import type { RawPdfium } from './pdfium.ts';
import { cleanText, fetchText, type Memory, withName } from './pdfium-text.ts';

export interface Note {
  text: string;
  /** Where it is fixed on the page, in user space. */
  box: Box;
}

// Kinds of annotations, fpdf_annot.h.
const link = 2;
const freeText = 3;
const popup = 16;
const widget = 20;
/** The kinds that show a text which is no part of the page until it is flattened. */
export const drawnKinds: ReadonlySet<number> = new Set([freeText, widget]);
// Annotation flags, PDF 32000-1 table 165: hidden, no view.
const unseen = 2 | 32;
// Field flags, PDF 32000-1 table 228: password.
const password = 1 << 13;
const longestNote = 20_000; // UTF-16 units

/** The note of one annotation; undefined where it has no words. `scratch` takes a rectangle. */
export function readNote(
  raw: RawPdfium,
  memory: Memory,
  annotation: number,
  kind: number,
  scratch: number,
): Note | undefined {
  if (kind === link || kind === popup || raw._FPDFAnnot_GetFlags!(annotation) & unseen) return undefined;
  const textAt = (name: string): string =>
    withName(raw, memory, name, (key) =>
      fetchText(raw, memory, (buffer, bytes) =>
        raw._FPDFAnnot_GetStringValue!(annotation, key, buffer, bytes),
      ),
    );
  if (kind === widget && (textAt('FT') === 'Btn' || isSecret(raw, memory, annotation, scratch)))
    return undefined;
  const text = cleanText(textAt(kind === widget ? 'V' : 'Contents')).slice(0, longestNote);
  if (!/[\p{L}\p{N}]/u.test(text) || !raw._FPDFAnnot_GetRect!(annotation, scratch)) return undefined;
  // FS_RECTF is left, top, right, bottom.
  const [left = 0, top = 0, right = 0, bottom = 0] = raw.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4);
  return {
    text,
    box: {
      x: rounded(Math.min(left, right)),
      y: rounded(Math.min(bottom, top)),
      width: rounded(Math.max(Math.abs(right - left), 1)),
      height: rounded(Math.max(Math.abs(top - bottom), 1)),
    },
  };
}

function isSecret(raw: RawPdfium, memory: Memory, annotation: number, scratch: number): boolean {
  const isFound = withName(raw, memory, 'Ff', (key) =>
    raw._FPDFAnnot_GetNumberValue!(annotation, key, scratch),
  );
  return isFound !== 0 && (raw.HEAPF32[scratch >> 2]! & password) !== 0;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Notes that the page's own text does not show already, as blocks. `page` is 1-based. */
export function noteBlocks(notes: Note[], text: string, visible: Box, page: number): Block[] {
  const shown = text.replace(/\s+/g, '');
  return notes
    .filter((note) => overlaps(note.box, visible) && !shown.includes(note.text.replace(/\s+/g, '')))
    .map(({ text: words, box }) => ({
      kind: 'paragraph',
      text: `${words}\n`,
      spans: [{ start: 0, end: words.length, anchor: { kind: 'page', page, boxes: [box] } }],
    }));
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y;
}
