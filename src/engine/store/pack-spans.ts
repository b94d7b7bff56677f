/** How are a block's anchors kept in few bytes? */
import type { Anchor, Box, SlideAnchor } from '../../api/anchor.ts';
import type { Span } from '../document.ts';

// Variable-length integers, each number as the difference to the one before it; coordinates in hundredths of a point. A PDF
// line with ten words takes about 50 bytes where its JSON takes 350.

const kinds = ['page', 'cells', 'slide', 'element', 'lines', 'time'] as const;
const directions = ['right', 'left', 'up', 'down'] as const;
const unitsPerPoint = 100;

const utf8 = new TextEncoder();

/** Bytes that grow as they are written. */
class ByteWriter {
  private bytes = new Uint8Array(256);
  private length = 0;
  private readonly strings = new Map<string, number>();

  /** Any integer within ±2^52. */
  integer(value: number): void {
    // Zigzag: the sign goes into the lowest bit, so that small negative numbers stay short.
    let rest = value < 0 ? -value * 2 - 1 : value * 2;
    this.reserve(8);
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  /** A string is written once between two `restart`s and named by its number afterwards. */
  string(value: string): void {
    const known = this.strings.get(value);
    if (known !== undefined) {
      this.integer(known);
      return;
    }
    this.strings.set(value, this.strings.size + 1);
    this.integer(0);
    if (!this.shortAscii(value)) {
      const encoded = utf8.encode(value);
      this.integer(encoded.length);
      this.reserve(encoded.length);
      this.bytes.set(encoded, this.length);
      this.length += encoded.length;
    }
  }

  /** Ranges of cells and names of sheets are mostly that; the encoder costs twenty times as much as writing them here. */
  private shortAscii(value: string): boolean {
    if (value.length > 40) return false;
    for (let at = 0; at < value.length; at++) if (value.charCodeAt(at) >= 0x80) return false;
    this.integer(value.length);
    this.reserve(value.length);
    for (let at = 0; at < value.length; at++) this.bytes[this.length++] = value.charCodeAt(at);
    return true;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes);
    this.bytes = larger;
  }

  /** What follows can be read by itself; returns how much was written. */
  restart(): number {
    this.strings.clear();
    return this.length;
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}

class ByteReader {
  private readonly bytes: Uint8Array;
  private at = 0;
  private readonly strings: string[] = [];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  integer(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('packed spans end too early');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      factor *= 0x80;
    }
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  string(): string {
    const known = this.integer();
    if (known > 0) return this.strings[known - 1]!;
    const length = this.integer();
    const value = new TextDecoder().decode(this.bytes.subarray(this.at, this.at + length));
    this.at += length;
    this.strings.push(value);
    return value;
  }
}

/** What the next number is told against. */
interface Before {
  offset: number;
  page: number;
  box: [number, number, number, number];
  line: number;
}

const fresh = (): Before => ({ offset: 0, page: 0, box: [0, 0, 0, 0], line: 0 });

/** Spans as bytes; coordinates are rounded to 0.01 point, all else is exact. */
export function packSpans(spans: Span[]): Uint8Array {
  return packEach([spans]).bytes;
}

/** The spans of several blocks one after the other, with the number of bytes of each. */
export function packEach(blocks: Span[][]): { bytes: Uint8Array; lengths: number[] } {
  const out = new ByteWriter();
  let from = 0;
  const lengths = blocks.map((spans) => {
    packInto(out, spans);
    const end = out.restart();
    const length = end - from;
    from = end;
    return length;
  });
  return { bytes: out.finish(), lengths };
}

function packInto(out: ByteWriter, spans: Span[]): void {
  const before = fresh();
  out.integer(spans.length);
  for (const span of spans) {
    out.integer(kinds.indexOf(span.anchor.kind) * 2 + (span.stops === undefined ? 0 : 1));
    out.integer(span.start - before.offset);
    out.integer(span.end - span.start);
    before.offset = span.end;
    packAnchor(out, span.anchor, before);
    if (span.stops !== undefined) packStops(out, span.stops, before);
  }
}

function packAnchor(out: ByteWriter, anchor: Anchor, before: Before): void {
  switch (anchor.kind) {
    case 'page':
      out.integer(anchor.page - before.page);
      before.page = anchor.page;
      out.integer(anchor.boxes.length);
      for (const box of anchor.boxes) packBox(out, box, before);
      return;
    case 'cells':
      out.string(anchor.sheet);
      out.string(anchor.range);
      return;
    case 'slide':
      out.integer(anchor.slide);
      packShape(out, anchor);
      return;
    case 'element':
      out.string(anchor.path);
      out.integer(anchor.start);
      out.integer(anchor.end - anchor.start);
      return;
    case 'lines':
      out.integer(anchor.from - before.line);
      out.integer(anchor.to - anchor.from);
      before.line = anchor.to;
      return;
    case 'time':
      out.integer(Math.round(anchor.fromMs));
      out.integer(Math.round(anchor.toMs) - Math.round(anchor.fromMs));
  }
}

/** After the slide: 0 for no shape, 1 for a whole one, 2 for a range in one. */
function packShape(out: ByteWriter, { shape, start, end }: SlideAnchor): void {
  const hasRange = start !== undefined && end !== undefined;
  out.integer(shape === undefined ? 0 : hasRange ? 2 : 1);
  if (shape === undefined) return;
  out.string(shape);
  if (!hasRange) return;
  out.integer(start);
  out.integer(end - start);
}

function unpackShape(input: ByteReader): Pick<SlideAnchor, 'shape' | 'start' | 'end'> {
  const form = input.integer();
  if (form === 0) return {};
  const shape = input.string();
  if (form === 1) return { shape };
  const start = input.integer();
  return { shape, start, end: start + input.integer() };
}

function packBox(out: ByteWriter, box: Box, before: Before): void {
  const now = [box.x, box.y, box.width, box.height].map((value) => Math.round(value * unitsPerPoint));
  for (let i = 0; i < 4; i++) out.integer(now[i]! - before.box[i]!);
  before.box = now as Before['box'];
}

function packStops(out: ByteWriter, stops: NonNullable<Span['stops']>, before: Before): void {
  out.integer(directions.indexOf(stops.direction));
  out.integer(stops.at.length >> 1);
  let offset = 0;
  let coordinate = before.box[stops.direction === 'up' || stops.direction === 'down' ? 1 : 0];
  for (let i = 0; i + 1 < stops.at.length; i += 2) {
    const nextCoordinate = Math.round(stops.at[i + 1]! * unitsPerPoint);
    out.integer(stops.at[i]! - offset);
    out.integer(nextCoordinate - coordinate);
    offset = stops.at[i]!;
    coordinate = nextCoordinate;
  }
}

/** The spans that packSpans was given. */
export function unpackSpans(bytes: Uint8Array): Span[] {
  const input = new ByteReader(bytes);
  const before = fresh();
  const count = input.integer();
  const spans: Span[] = [];
  for (let i = 0; i < count; i++) {
    const head = input.integer();
    const start = before.offset + input.integer();
    const end = start + input.integer();
    before.offset = end;
    const anchor = unpackAnchor(input, kinds[head >> 1]!, before);
    const span: Span = { start, end, anchor };
    if (head % 2 === 1) span.stops = unpackStops(input, before);
    spans.push(span);
  }
  return spans;
}

function unpackAnchor(input: ByteReader, kind: Anchor['kind'], before: Before): Anchor {
  switch (kind) {
    case 'page': {
      before.page += input.integer();
      const boxes = Array.from({ length: input.integer() }, () => unpackBox(input, before));
      return { kind, page: before.page, boxes };
    }
    case 'cells':
      return { kind, sheet: input.string(), range: input.string() };
    case 'slide': {
      const slide = input.integer();
      return { kind, slide, ...unpackShape(input) };
    }
    case 'element': {
      const path = input.string();
      const start = input.integer();
      return { kind, path, start, end: start + input.integer() };
    }
    case 'lines': {
      const from = before.line + input.integer();
      before.line = from + input.integer();
      return { kind, from, to: before.line };
    }
    case 'time': {
      const fromMs = input.integer();
      return { kind, fromMs, toMs: fromMs + input.integer() };
    }
  }
}

function unpackBox(input: ByteReader, before: Before): Box {
  for (let i = 0; i < 4; i++) before.box[i]! += input.integer();
  const [x, y, width, height] = before.box.map((value) => value / unitsPerPoint) as Before['box'];
  return { x, y, width, height };
}

function unpackStops(input: ByteReader, before: Before): NonNullable<Span['stops']> {
  const direction = directions[input.integer()]!;
  const count = input.integer();
  let offset = 0;
  let coordinate = before.box[direction === 'up' || direction === 'down' ? 1 : 0];
  const at: number[] = [];
  for (let i = 0; i < count; i++) {
    offset += input.integer();
    coordinate += input.integer();
    at.push(offset, coordinate / unitsPerPoint);
  }
  return { direction, at };
}
