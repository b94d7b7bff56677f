/** Which text does a paragraph give to its block, and where in the view does each stretch stand? */
import { docx as limits } from '../../config.ts';
import type { Span } from '../../document.ts';
import type { StoryParagraph } from './paragraph-builder.ts';

/** The text without white space around it, composed, and where it stands in the view. */
export function toText(paragraph: StoryParagraph): { text: string; spans: Span[] } {
  const composed = paragraph.text.normalize('NFC');
  const lead = paragraph.text.length - paragraph.text.trimStart().length;
  const text = paragraph.text.trim().slice(0, limits.maxBlockLength);
  if (text === '') return { text, spans: [] };
  const path = paragraph.path;
  if (composed !== paragraph.text) {
    // Signs that compose across runs: the paragraph can be lit as a whole only.
    const whole = composed.trim().slice(0, limits.maxBlockLength);
    const end = paragraph.pieces.reduce((sum, piece) => sum + piece.viewLength, 0);
    return {
      text: whole,
      spans: [{ start: 0, end: whole.length, anchor: { kind: 'element', path, start: 0, end } }],
    };
  }
  const spans: Span[] = [];
  let at = -lead;
  for (const piece of paragraph.pieces) {
    const start = Math.max(at, 0);
    const end = Math.min(at + piece.text.length, text.length);
    const isExact = piece.text.length === piece.viewLength;
    const cutLeft = isExact ? start - at : 0;
    const viewStart = piece.viewStart + cutLeft;
    const viewEnd = isExact ? viewStart + end - start : piece.viewStart + piece.viewLength;
    at += piece.text.length;
    if (end <= start) continue;
    const last = spans.at(-1);
    if (last?.anchor.kind === 'element' && isExact && last.anchor.end === viewStart && isOneToOne(last)) {
      last.end = end;
      last.anchor.end = viewEnd;
    } else spans.push({ start, end, anchor: { kind: 'element', path, start: viewStart, end: viewEnd } });
  }
  return { text, spans };
}

function isOneToOne(span: Span): boolean {
  return span.anchor.kind === 'element' && span.anchor.end - span.anchor.start === span.end - span.start;
}
