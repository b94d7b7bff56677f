/** Which formatting have the paragraphs and characters of an old Word document? Runs in pages of 512 bytes, after [MS-DOC] 2.9. */
import { type Place, parts, type WordFile } from './word-file.ts';

/** Formatting of the stretch of bytes `[from, to)`. */
export interface Run {
  from: number;
  to: number;
  /** Index of the paragraph's style; 0 for characters. */
  style: number;
  properties: Buffer;
}

/** One change of formatting: its code and its operand. */
export interface Property {
  code: number;
  operand: Buffer;
}

/** Codes of the properties that are read. */
export const codes = {
  inTable: 0x2416,
  rowEnd: 0x2417,
  tableDepth: 0x6649,
  outlineLevel: 0x2640,
  listUse: 0x460b,
  listLevel: 0x260a,
  tableHeader: 0x3404,
  tableDefinition: 0xd608,
  deleted: 0x0800,
  vanish: 0x083c,
  bold: 0x0835,
} as const;

const PAGE_BYTES = 512;
const PARAGRAPH_ENTRY_BYTES = 13;
const TABS_CHANGE = 0xc615;
/** Operand bytes by the three upper bits of a code; 6 says its own length. */
const operandBytes = [1, 1, 2, 4, 2, 2, -1, 3];

/** Paragraphs' runs in ascending order. */
export function readParagraphRuns(file: WordFile): Run[] {
  return readRuns(file, file.placeOf(parts.paragraphs), (page, at, crun) => {
    const entry = (crun + 1) * 4 + at * PARAGRAPH_ENTRY_BYTES;
    const start = (page[entry] ?? 0) * 2;
    if (start === 0) return { style: 0, properties: Buffer.alloc(0) };
    const words = page[start] ?? 0;
    const from = words === 0 ? start + 2 : start + 1;
    const length = words === 0 ? (page[start + 1] ?? 0) * 2 : words * 2 - 1;
    const body = page.subarray(from, Math.min(from + length, PAGE_BYTES));
    return body.length < 2
      ? { style: 0, properties: Buffer.alloc(0) }
      : { style: body.readUInt16LE(0), properties: body.subarray(2) };
  });
}

/** Characters' runs in ascending order. */
export function readCharacterRuns(file: WordFile): Run[] {
  return readRuns(file, file.placeOf(parts.characters), (page, at, crun) => {
    const start = (page[(crun + 1) * 4 + at] ?? 0) * 2;
    const length = start === 0 ? 0 : (page[start] ?? 0);
    return { style: 0, properties: page.subarray(start + 1, start + 1 + length) };
  });
}

function readRuns(
  { main, table }: WordFile,
  { offset, length }: Place,
  readEntry: (page: Buffer, at: number, count: number) => Pick<Run, 'style' | 'properties'>,
): Run[] {
  const runs: Run[] = [];
  const end = Math.min(offset + length, table.length);
  const count = Math.floor((end - offset - 4) / 8);
  for (let i = 0; i < count; i++) {
    const number = table.readUInt32LE(offset + (count + 1) * 4 + i * 4) & 0x3f_ffff;
    const page = main.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    if (page.length < PAGE_BYTES) continue;
    const crun = page[PAGE_BYTES - 1]!;
    if ((crun + 1) * 4 > PAGE_BYTES - 1) continue;
    for (let at = 0; at < crun; at++) {
      const [from, to] = [page.readUInt32LE(at * 4), page.readUInt32LE(at * 4 + 4)];
      if (to > from) runs.push({ from, to, ...readEntry(page, at, crun) });
    }
  }
  return runs.sort((one, other) => one.from - other.from);
}

/** The run that holds a byte. */
export function runAt(runs: readonly Run[], offset: number): Run | undefined {
  let [low, high] = [0, runs.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle]!;
    if (run.from > offset) high = middle - 1;
    else if (run.to <= offset) low = middle + 1;
    else return run;
  }
  return undefined;
}

/** The changes in their order; a broken one ends the reading. */
export function* propertiesOf(bytes: Buffer): Generator<Property> {
  for (let at = 0; at + 2 < bytes.length; ) {
    const code = bytes.readUInt16LE(at);
    at += 2;
    let length = operandBytes[code >> 13]!;
    if (code === codes.tableDefinition) {
      if (at + 2 > bytes.length) return;
      length = bytes.readUInt16LE(at) - 1;
      at += 2;
    } else if (length < 0) {
      length = bytes[at]!;
      at += 1;
      if (code === TABS_CHANGE && length === 255) return;
    }
    if (length < 0 || at + length > bytes.length) return;
    yield { code, operand: bytes.subarray(at, at + length) };
    at += length;
  }
}
