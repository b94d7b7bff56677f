/** Which text does a workbook's string number n hold? */
import { sheet as limits } from '../../config.ts';
import { localName, readXml, type XmlListener, type XmlOutcome } from '../zip/read-xml.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';

const FIRST_CAPACITY = 64 * 1024;

/** All strings of a workbook as UTF-8 in one buffer outside the JavaScript heap; each is decoded when asked for. */
export class SharedStrings {
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  #ends = new Uint32Array(1024);
  #count = 0;
  #used = 0;
  /** The workbook has more text than the limit; later strings are missing. */
  isCut = false;

  get count(): number {
    return this.#count;
  }

  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined;
    const start = index === 0 ? 0 : this.#ends[index - 1]!;
    return this.#bytes.toString('utf8', start, this.#ends[index]!);
  }

  add(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.isCut || this.#used + bytes > limits.maxSharedStringBytes) {
      this.isCut = true;
      return;
    }
    if (this.#used + bytes > this.#bytes.length) this.#bytes = grow(this.#bytes, this.#used + bytes);
    if (this.#count === this.#ends.length) {
      const ends = new Uint32Array(this.#ends.length * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#used += this.#bytes.write(text, this.#used);
    this.#ends[this.#count++] = this.#used;
  }

  /** Text of the first strings, for judging the language; at most `length` UTF-16 units. */
  sample(length: number): string {
    let text = '';
    for (let index = 0; index < this.#count && text.length < length; index++) text += `${this.get(index)} `;
    return text.slice(0, length);
  }
}

function grow(bytes: Buffer, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(Math.max(needed, bytes.length * 2));
  bytes.copy(larger);
  return larger;
}

export async function readSharedStrings(
  archive: ZipArchive,
  part: string,
  signal: AbortSignal,
): Promise<{ strings: SharedStrings; outcome: XmlOutcome }> {
  const strings = new SharedStrings();
  const listener = new StringsListener(strings);
  const outcome = await readXml(archive, part, listener, signal);
  return { strings, outcome };
}

class StringsListener implements XmlListener {
  readonly #strings: SharedStrings;
  readonly #text = new RichText();

  constructor(strings: SharedStrings) {
    this.#strings = strings;
  }

  open(name: string): void {
    this.#text.open(localName(name));
  }

  close(name: string): void {
    const local = localName(name);
    this.#text.close(local);
    if (local === 'si') this.#strings.add(this.#text.take());
  }

  text(text: string): void {
    this.#text.text(text);
  }
}

/** Gathers the text of a string with runs; the reading aid above East Asian words is no part of it. */
export class RichText {
  #text = '';
  #isText = false;
  #phoneticDepth = 0;

  open(local: string): void {
    if (local === 'rPh') this.#phoneticDepth += 1;
    else if (local === 't' && this.#phoneticDepth === 0) this.#isText = true;
  }

  close(local: string): void {
    if (local === 'rPh') this.#phoneticDepth -= 1;
    else if (local === 't') this.#isText = false;
  }

  text(text: string): void {
    if (this.#isText && this.#text.length < limits.maxCellLength) this.#text += text;
  }

  take(): string {
    const text = this.#text.slice(0, limits.maxCellLength);
    this.#text = '';
    return unescapeString(text);
  }
}

/** Excel writes characters that XML forbids as _x000D_, and an underscore of its own before such a form as _x005F_. */
export function unescapeString(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
