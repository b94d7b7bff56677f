/** Which text do the runs of one block make, and where does each of its characters stand? */
import type { Span } from '../../document.ts';
import type { TextPlace } from './number-blocks.ts';

const SPACES = /[ \t\n\r\f]{2,}/g;
/** With the no-break space: it separates words like any other. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u00a0]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS_BUT_LINE_FEED = /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0]/g;

/** Gathers runs, collapses white space as a browser does, and keeps a span for every stretch that maps one to one. */
export class InlineText {
  private text = '';
  private spans: Span[] = [];

  get length(): number {
    return this.text.length;
  }

  get isEmpty(): boolean {
    return this.text.trim() === '';
  }

  /** Adds the text of one node. */
  add(raw: string, place: TextPlace, isPreformatted: boolean): void {
    if (isPreformatted) {
      this.append(raw, place, 0, true);
      return;
    }
    let from = this.endsWithSpace() ? leadingSpaces(raw) : 0;
    SPACES.lastIndex = from;
    for (let match = SPACES.exec(raw); match; match = SPACES.exec(raw)) {
      this.append(raw.slice(from, match.index + 1), place, from, false);
      from = match.index + match[0].length;
    }
    if (from < raw.length) this.append(raw.slice(from), place, from, false);
  }

  /** A line break inside the block. */
  breakLine(): void {
    this.trimEnd();
    if (this.text !== '') this.text += '\n';
  }

  /** A gap between two pieces that stand apart on the page. */
  breakWord(): void {
    if (!this.endsWithSpace()) this.text += ' ';
  }

  /** What was gathered, without white space at its ends; starts anew. */
  take(isPreformatted = false): { text: string; spans: Span[] } {
    this.trimEnd();
    const lead = isPreformatted
      ? (/^\s*\n/.exec(this.text)?.[0].length ?? 0)
      : this.text.length - this.text.trimStart().length;
    const text = this.text.slice(lead);
    const spans = lead === 0 ? this.spans : cutSpans(this.spans, lead);
    this.text = '';
    this.spans = [];
    return { text, spans };
  }

  private endsWithSpace(): boolean {
    return this.text === '' || this.text.endsWith(' ') || this.text.endsWith('\n');
  }

  /** Letters with marks of their own are composed one by one, so that all around them still maps one to one. */
  private append(raw: string, place: TextPlace, from: number, isPreformatted: boolean): void {
    let done = 0;
    if (/[\u0300-\uffff]/.test(raw)) {
      for (const match of raw.matchAll(/\P{M}\p{M}+/gu)) {
        this.appendRun(raw.slice(done, match.index), place, from + done, isPreformatted);
        this.appendRun(match[0], place, from + match.index, isPreformatted);
        done = match.index + match[0].length;
      }
    }
    this.appendRun(done === 0 ? raw : raw.slice(done), place, from + done, isPreformatted);
  }

  private appendRun(raw: string, place: TextPlace, from: number, isPreformatted: boolean): void {
    if (raw === '') return;
    const to = from + raw.length;
    const text = composed(raw.replace(isPreformatted ? CONTROLS_BUT_LINE_FEED : CONTROLS, ' '));
    const start = this.text.length;
    this.text += text;
    const last = this.spans.at(-1);
    const [anchorStart, anchorEnd] = [place.start + from, place.start + to];
    const isExact = text.length === to - from;
    if (
      isExact &&
      last?.end === start &&
      last.anchor.kind === 'element' &&
      continues(last, place.path, anchorStart)
    ) {
      last.end = this.text.length;
      last.anchor.end = anchorEnd;
      return;
    }
    const anchor = { kind: 'element' as const, path: place.path, start: anchorStart, end: anchorEnd };
    this.spans.push({ start, end: this.text.length, anchor });
  }

  private trimEnd(): void {
    const length = this.text.trimEnd().length;
    if (length === this.text.length) return;
    this.text = this.text.slice(0, length);
    while (this.spans.length > 0 && this.spans.at(-1)!.start >= length) this.spans.pop();
    const last = this.spans.at(-1);
    if (last && last.end > length && last.anchor.kind === 'element') {
      if (isOneToOne(last)) last.anchor.end -= last.end - length;
      last.end = length;
    }
  }
}

const composed = (text: string): string => (/[\u0300-\uffff]/.test(text) ? text.normalize('NFC') : text);

const leadingSpaces = (raw: string): number => /^[ \t\n\r\f]*/.exec(raw)![0].length;

function isOneToOne(span: Span): boolean {
  return span.anchor.kind === 'element' && span.anchor.end - span.anchor.start === span.end - span.start;
}

function continues(span: Span, path: string, start: number): boolean {
  return (
    span.anchor.kind === 'element' &&
    span.anchor.path === path &&
    span.anchor.end === start &&
    isOneToOne(span)
  );
}

/** Spans of the text without its first `lead` units, which are white space. */
function cutSpans(spans: Span[], lead: number): Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    if (span.end <= lead || span.anchor.kind !== 'element') continue;
    const over = Math.max(0, lead - span.start);
    const start = isOneToOne(span) ? span.anchor.start + over : span.anchor.start;
    kept.push({
      ...span,
      start: span.start + over - lead,
      end: span.end - lead,
      anchor: { ...span.anchor, start },
    });
  }
  return kept;
}
