/** How are texts passed to PDFium and fetched from it? */
import type { RawPdfium } from './pdfium.ts';

/** The two calls of PDFium's memory. */
export interface Memory {
  malloc(bytes: number): number;
  free(pointer: number): void;
}

const longest = 400_000; // bytes of one text; more is an attack
const decoder = new TextDecoder('utf-16le');

/** A text that PDFium writes as UTF-16 with a zero at its end; `write` returns its bytes and fills what it is given. */
export function fetchText(
  raw: RawPdfium,
  memory: Memory,
  write: (buffer: number, bytes: number) => number,
): string {
  const bytes = write(0, 0);
  if (bytes <= 2 || bytes > longest) return '';
  const buffer = memory.malloc(bytes);
  write(buffer, bytes);
  const text = decoder.decode(raw.HEAPU8.slice(buffer, buffer + bytes - 2));
  memory.free(buffer);
  return text;
}

/** Calls with an ASCII name in PDFium's memory. */
export function withName<T>(raw: RawPdfium, memory: Memory, name: string, call: (pointer: number) => T): T {
  const pointer = memory.malloc(name.length + 1);
  for (let index = 0; index < name.length; index += 1) raw.HEAPU8[pointer + index] = name.charCodeAt(index);
  raw.HEAPU8[pointer + name.length] = 0;
  const result = call(pointer);
  memory.free(pointer);
  return result;
}

/** White space as single spaces; control characters and lone surrogates gone; NFC. */
export function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .normalize('NFC');
}
