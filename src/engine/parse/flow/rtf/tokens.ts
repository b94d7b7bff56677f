/** Which tokens does rich text hold? After the Rich Text Format specification 1.9.1. */

export interface RtfListener {
  open(): void;
  close(): void;
  /** A control word with its number, or undefined without one. */
  word(name: string, value: number | undefined): void;
  /** A control symbol other than \' and \*, such as "~". */
  symbol(sign: string): void;
  /** "\*": the destination that follows may be left out by readers that don't know it. */
  star(): void;
  /** Bytes `[from, to)` of text. */
  text(bytes: Buffer, from: number, to: number): void;
  /** One byte that was written as \'xx. */
  byte(value: number): void;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const SPACE = 0x20;
const MAX_WORD_LENGTH = 32;
const MAX_DIGITS = 10;

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isPlain = (byte: number): boolean =>
  byte !== OPEN && byte !== CLOSE && byte !== BACKSLASH && byte !== 0x0a && byte !== 0x0d && byte !== 0;

/** Reads bytes `[from, to)`; returns where it stopped, which is behind `to` where a word or a picture reaches over it. */
export function readTokens(bytes: Buffer, from: number, to: number, listener: RtfListener): number {
  let at = from;
  while (at < to) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH) at = readControl(bytes, at + 1, listener);
    else if (isPlain(byte)) {
      const start = at;
      while (at < to && isPlain(bytes[at]!)) at++;
      listener.text(bytes, start, at);
    } else {
      if (byte === OPEN) listener.open();
      else if (byte === CLOSE) listener.close();
      at++;
    }
  }
  return at;
}

/** Reads what stands behind a backslash; returns where the next token begins. */
function readControl(bytes: Buffer, from: number, listener: RtfListener): number {
  if (isLetter(bytes[from])) return readWord(bytes, from, listener);
  const sign = String.fromCharCode(bytes[from] ?? SPACE);
  if (sign === "'") {
    const value = Number.parseInt(bytes.toString('latin1', from + 1, from + 3), 16);
    if (!Number.isNaN(value)) listener.byte(value);
    return from + 3;
  }
  if (sign === '*') listener.star();
  else if (sign === '\n' || sign === '\r') listener.word('par', undefined);
  else listener.symbol(sign);
  return from + 1;
}

function readWord(bytes: Buffer, from: number, listener: RtfListener): number {
  let at = from;
  while (isLetter(bytes[at]) && at - from < MAX_WORD_LENGTH) at++;
  const name = bytes.toString('latin1', from, at);
  const isNegative = bytes[at] === MINUS && isDigit(bytes[at + 1]);
  if (isNegative) at++;
  const digitsAt = at;
  while (isDigit(bytes[at]) && at - digitsAt < MAX_DIGITS) at++;
  const digits = bytes.toString('latin1', digitsAt, at);
  const value = digits === '' ? undefined : Number(digits) * (isNegative ? -1 : 1);
  if (bytes[at] === SPACE) at++;
  // Pictures may stand as raw bytes.
  if (name === 'bin') return at + Math.max(0, value ?? 0);
  listener.word(name, value);
  return at;
}
