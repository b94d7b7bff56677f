/** In which character encoding were these bytes written? */
import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { guessCodePage } from './code-pages.ts';

export interface DetectedEncoding {
  /** As shown to the user and understood by the decoder, such as "utf-8" or "windows-1251". */
  encoding: string;
  /** Bytes of the byte order mark to skip. */
  markBytes: number;
}

/**
 * Mean log-likelihood above which bytes are a text in a one-byte code page. Measured: sentences in Latin, Cyrillic and
 * Greek score −1.4 to −4.1, Chinese, Japanese and Korean ones −6.9 to −8.6.
 */
const READS_WELL = -5.5;

/** The encoding of a sample from the start of a file, or undefined when the bytes are no text. */
export function detectEncoding(sample: Uint8Array): DetectedEncoding | undefined {
  const marked = byMark(sample);
  if (marked) return marked;
  const wide = withoutMark(sample);
  if (wide) return { encoding: wide, markBytes: 0 };
  if (isBinary(sample)) return undefined;
  if (isMostlyUtf8(sample)) return { encoding: 'utf-8', markBytes: 0 };
  const { codePage, score } = guessCodePage(highLines(sample));
  const encoding = score > READS_WELL ? codePage : (manyByte(sample) ?? codePage);
  return { encoding, markBytes: 0 };
}

function byMark(bytes: Uint8Array): DetectedEncoding | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return { encoding: 'utf-32le', markBytes: 4 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { encoding: 'utf-32be', markBytes: 4 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  return undefined;
}

/** Text of two or four bytes a character without a mark has zero bytes in a pattern that no other text has. */
function withoutMark(sample: Uint8Array): string | undefined {
  if (sample.length < 4 || !sample.includes(0)) return undefined;
  const bytes = sample.subarray(0, 16_384);
  for (const encoding of ['utf-32le', 'utf-32be', 'utf-16le', 'utf-16be']) {
    const unit = encoding.startsWith('utf-32') ? 4 : 2;
    const whole = bytes.subarray(0, bytes.length - (bytes.length % unit));
    if (readsAsText(iconv.decode(whole, encoding))) return encoding;
  }
  return undefined;
}

function readsAsText(text: string): boolean {
  let good = 0;
  let total = 0;
  let common = 0;
  for (const character of text) {
    total++;
    const code = character.codePointAt(0)!;
    if (code === 0 || code === 0xfffd) continue;
    if (/[\p{L}\p{M}\p{N}\p{P}\p{S}\s]/u.test(character)) good++;
    if (code < 0x80 || (code >= 0x400 && code < 0x500)) common++;
  }
  return total > 0 && good / total > 0.97 && common / total > 0.4;
}

/** Zero bytes, or many control characters, stand in no one-byte text. */
function isBinary(sample: Uint8Array): boolean {
  let controls = 0;
  let zeros = 0;
  let lineEnds = 0;
  let ats = 0;
  let high = 0;
  for (const byte of sample) {
    if (byte === 0x40) ats++;
    else if (byte >= 0x80) high++;
    else if (byte === 10 || byte === 13) lineEnds++;
    if (byte === 0) zeros++;
    else if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1b)
      controls++;
  }
  // EBCDIC, of mainframes: its letters lie above ASCII, its space is ASCII's "@", its lines have no ends.
  if (lineEnds === 0 && ats > sample.length / 20 && high > sample.length / 4) return true;
  return zeros > sample.length / 1000 || controls > sample.length / 50 + 2;
}

/** Valid UTF-8, or nearly: one broken place in a long file must not turn all its letters into another code page's. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const whole = withoutCutEnd(sample);
  if (isUtf8(whole)) return true;
  let sequences = 0;
  for (let i = 0; i < whole.length - 1; i++) {
    if (whole[i]! >= 0xc2 && whole[i]! <= 0xf4 && (whole[i + 1]! & 0xc0) === 0x80) sequences++;
  }
  if (sequences === 0) return false;
  let broken = 0;
  for (const character of new TextDecoder('utf-8').decode(whole)) if (character === '\ufffd') broken++;
  return broken * 20 <= sequences;
}

/** A sample may end inside a character. */
function withoutCutEnd(sample: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= sample.length; back++) {
    const byte = sample[sample.length - back]!;
    if (byte < 0x80) return sample;
    if (byte >= 0xc0) {
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needs > back ? sample.subarray(0, sample.length - back) : sample;
    }
  }
  return sample;
}

/** Chinese, Japanese and Korean encodings, accepted only when nothing in the sample contradicts them. */
function manyByte(sample: Uint8Array): string | undefined {
  if (fits(sample, 'shift_jis')) return 'shift_jis';
  const possible = ['gb18030', 'big5', 'euc-kr', 'euc-jp'].filter((encoding) => fits(sample, encoding));
  if (possible.length < 2) return possible[0];
  // Their tables overlap; which characters are frequent tells them apart.
  const likely = analyse(sample).map((match) => match.name.toLowerCase());
  return likely.find((encoding) => possible.includes(encoding)) ?? possible[0];
}

const EAST_ASIAN = /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/;

function fits(sample: Uint8Array, encoding: string): boolean {
  const text = iconv.decode(sample, encoding);
  let wide = 0;
  let broken = 0;
  let kana = 0;
  let other = 0;
  for (const character of text) {
    if (character < '\u0080') continue;
    if (character === '\ufffd') broken++;
    else if (EAST_ASIAN.test(character)) wide++;
    else other++;
    if (character >= '\u3040' && character <= '\u30ff') kana++;
  }
  if (wide < 2 || broken > wide / 500 + 1 || other > wide / 10) return false;
  if (encoding === 'shift_jis' || encoding === 'euc-jp') return kana >= wide / 5;
  if (encoding === 'gb18030' || encoding === 'big5') return broken === 0 && hasCommonPairs(sample, encoding);
  return broken === 0;
}

/** Everyday characters fill the first half of both Chinese tables; other languages' bytes read as Chinese do not. */
function hasCommonPairs(sample: Uint8Array, encoding: string): boolean {
  const [from, to] = encoding === 'gb18030' ? [0xb0, 0xd7] : [0xa4, 0xc6];
  let pairs = 0;
  let common = 0;
  for (let i = 0; i < sample.length - 1; i++) {
    const lead = sample[i]!;
    if (lead < 0x81) continue;
    pairs++;
    if (lead >= from! && lead <= to!) common++;
    i++;
  }
  return pairs > 0 && common / pairs > 0.6;
}

/** The lines with bytes beyond ASCII: the rest says nothing. At most 8 KiB. */
function highLines(sample: Uint8Array): Uint8Array {
  const limit = 8_192;
  const out = new Uint8Array(Math.min(sample.length, limit));
  let length = 0;
  let start = 0;
  for (let i = 0; i <= sample.length && length < limit; i++) {
    if (i < sample.length && sample[i] !== 10 && i - start < 2_000) continue;
    const line = sample.subarray(start, Math.min(i + 1, sample.length));
    start = i + 1;
    if (!line.some((byte) => byte >= 0x80)) continue;
    const kept = line.subarray(0, limit - length);
    out.set(kept, length);
    length += kept.length;
  }
  return out.subarray(0, length);
}
