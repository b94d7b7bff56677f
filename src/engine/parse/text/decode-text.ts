/** Which lines does this file of text hold, whatever its encoding and size? */
import { type FileHandle, open } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { text as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { toIconvName } from './code-pages.ts';
import { detectEncoding } from './detect-encoding.ts';

/** One source line, or a piece of one that is over the limit. */
export interface Line {
  /** 1-based. */
  number: number;
  /** Without its line end; control characters are spaces; NFC. */
  text: string;
  /** The line goes on in the next piece. */
  isCut: boolean;
}

export interface DecodedText {
  /** Name of the encoding, such as "utf-8" or "windows-1251". */
  encoding: string;
  /** Pieces of at most a few hundred thousand UTF-16 units, line ends as in the file. */
  pieces(): AsyncIterable<string>;
}

/** Finds the encoding and returns the text in pieces. Throws ParseFailure for what is no text. */
export async function decodeText(file: SourceFile, signal: AbortSignal): Promise<DecodedText> {
  const sample = file.bytes ? sampleOf(file.bytes) : await readSample(file.path, signal);
  const detected = detectEncoding(sample);
  if (!detected) {
    throw new ParseFailure(
      'unsupported',
      `The file could not be read as text: ${file.name}: its content is binary; convert it to a format that Lectern reads.`,
    );
  }
  const { encoding, markBytes } = detected;
  return { encoding, pieces: () => decodePieces(file, encoding, markBytes, signal) };
}

interface Decoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

function createDecoder(encoding: string): Decoder {
  if (encoding === 'utf-8' || encoding === 'utf-16le') {
    // Several times as fast as iconv-lite.
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  }
  const decoder = iconv.getDecoder(toIconvName(encoding), { stripBOM: false });
  return { write: (bytes) => decoder.write(Buffer.from(bytes)), end: () => decoder.end() ?? '' };
}

/** A file may grow while it is read: at its known end this much is still asked for. */
const minReadBytes = 64;

async function* readBytes(
  { path, bytes }: SourceFile,
  from: number,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  if (bytes) {
    for (let at = from; at < bytes.length; at += limits.pieceBytes)
      yield bytes.subarray(at, at + limits.pieceBytes);
    return;
  }
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    let position = from;
    for (;;) {
      signal.throwIfAborted();
      // No larger than what is left: most files are small, and large buffers keep the collector busy.
      const rest = Math.max(size - position, minReadBytes);
      const buffer = Buffer.allocUnsafe(Math.min(limits.pieceBytes, rest));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function* decodePieces(
  file: SourceFile,
  encoding: string,
  markBytes: number,
  signal: AbortSignal,
): AsyncIterable<string> {
  const decoder = createDecoder(encoding);
  for await (const bytes of readBytes(file, markBytes, signal)) {
    const piece = decoder.write(bytes);
    if (piece !== '') yield piece;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

/** As readSample, of bytes that are at hand. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length; at += limits.sampleBytes) {
    const piece = bytes.subarray(at, at + limits.sampleBytes);
    if (!isAscii(piece)) return piece;
  }
  return bytes.subarray(0, limits.sampleBytes);
}

/** The start of the file and, while that is ASCII only, the first place that is not. */
async function readSample(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const head = await readAt(handle, size, 0);
    if (!isAscii(head)) return head;
    for (let position = head.length; ; ) {
      signal.throwIfAborted();
      const more = await readAt(handle, size, position);
      if (more.length === 0) return head;
      if (!isAscii(more)) return more;
      position += more.length;
    }
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, size: number, position: number): Promise<Uint8Array> {
  const rest = Math.max(size - position, minReadBytes);
  const buffer = Buffer.allocUnsafe(Math.min(limits.sampleBytes, rest));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}

function isAscii(bytes: Uint8Array): boolean {
  // A typed array has no faster test: 64 KiB take 50 µs.
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x80 || byte === 0) return false;
  }
  return true;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u009f\ufeff]/g;

/** Control characters become spaces, so that offsets stay; the rest is composed (NFC). */
function clean(line: string): string {
  const printable = line.replace(CONTROLS, ' ');
  return /[\u0300-\uffff]/.test(printable) ? printable.normalize('NFC') : printable;
}

/** Source lines in batches. CR, LF and CRLF end a line; an unended last line counts, an empty one after the last end does not. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncIterable<Line[]> {
  let number = 1;
  let rest = '';
  let skipsLineFeed = false;
  for await (let piece of pieces) {
    if (skipsLineFeed && piece.startsWith('\n')) piece = piece.slice(1);
    skipsLineFeed = piece.endsWith('\r');
    const parts = (rest + piece).split(/\r\n|\n|\r/);
    rest = parts.pop()!;
    const lines: Line[] = [];
    for (const part of parts) pushLine(lines, part, number++);
    while (rest.length > limits.maxLineLength) {
      const cut = cutPoint(rest, limits.maxLineLength);
      lines.push({ number, text: clean(rest.slice(0, cut)), isCut: true });
      rest = rest.slice(cut);
    }
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') {
    const lines: Line[] = [];
    pushLine(lines, rest, number);
    yield lines;
  }
}

function pushLine(lines: Line[], text: string, number: number): void {
  let from = 0;
  while (text.length - from > limits.maxLineLength) {
    const cut = cutPoint(text.slice(from, from + limits.maxLineLength + 1), limits.maxLineLength);
    lines.push({ number, text: clean(text.slice(from, from + cut)), isCut: true });
    from += cut;
  }
  lines.push({ number, text: clean(from === 0 ? text : text.slice(from)), isCut: false });
}

/** At most `limit`: after a space where one is near, never inside a surrogate pair or before a combining mark. */
function cutPoint(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  const space = text.lastIndexOf(' ', limit - 1);
  if (space > limit * 0.7) return space + 1;
  let cut = limit;
  while (cut > 1 && isJoined(text, cut)) cut--;
  return cut;
}

function isJoined(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  return (
    code === 0x200d ||
    text.charCodeAt(at - 1) === 0x200d ||
    /^(?:\p{M}|[\u{1f3fb}-\u{1f3ff}])/u.test(text.slice(at, at + 2))
  );
}
