/** Which words stand in shapes over the sheets of an old binary workbook? After [MS-XLS] 2.1.7.20.5 and 2.4.329, [MS-ODRAW] 2.2. */
import { sheet as limits } from '../../config.ts';
import { addNote, type Notes } from './sheet-notes.ts';

const BOF = 0x0809;
const EOF = 0x000a;
const BOUND_SHEET = 0x0085;
const CONTINUE = 0x003c;
const DRAWING = 0x00ec;
const OBJECT = 0x005d;
const TEXT = 0x01b6;
/** Version that a workbook of Excel 97 and later carries; the text of older shapes stands elsewhere. */
const BIFF8 = 0x0600;
/** Type of an object that is a comment: its words come with the cell. */
const NOTE_OBJECT = 0x19;
/** Anchor of a shape: its type in the drawing, and the offsets of its left column and top row. */
const CLIENT_ANCHOR = 0xf010;
const LEFT_AT = 2;
const TOP_AT = 6;
/** Bytes before the contents of a record, of the workbook and of the drawing. */
const HEAD_BYTES = 4;
const PART_HEAD_BYTES = 8;
/** Offset of the length in characters in a TEXT record. */
const LENGTH_AT = 10;
/** Offset of the type in an OBJECT record. */
const OBJECT_TYPE_AT = 4;

interface Record {
  type: number;
  data: Buffer;
}

/** Notes by the name of the sheet; none for workbooks before Excel 97. */
export function readXlsShapes(stream: Uint8Array): Map<string, Notes> {
  const found = new Map<string, Notes>();
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
  const isNew = bytes.length > 8 && bytes.readUInt16LE(0) === BOF && bytes.readUInt16LE(HEAD_BYTES) === BIFF8;
  if (!isNew) return found;
  for (const { type, data } of recordsFrom(bytes, 0)) {
    if (type === EOF) break;
    if (type !== BOUND_SHEET || data.length < 8 || found.size >= limits.maxSheets) continue;
    const isWide = (data[7]! & 1) === 1;
    const name = data.toString(isWide ? 'utf16le' : 'latin1', 8, 8 + data[6]! * (isWide ? 2 : 1));
    found.set(name, shapesOf(bytes, data.readUInt32LE(0)));
  }
  return found;
}

function* recordsFrom(bytes: Buffer, start: number): Generator<Record> {
  for (let at = start; at + HEAD_BYTES <= bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readUInt16LE(at + 2);
    yield {
      type: bytes.readUInt16LE(at),
      data: bytes.subarray(at + HEAD_BYTES, Math.min(end, bytes.length)),
    };
    at = end;
  }
}

/** Charts on the sheet are sheets inside it; their words are left to their cells. */
function shapesOf(bytes: Buffer, start: number): Notes {
  const notes: Notes = new Map();
  let depth = 0;
  let place = { row: 1, column: 0 };
  let isNote = false;
  /** Characters that the open text still lacks. */
  let missing = 0;
  let text = '';
  for (const { type, data } of recordsFrom(bytes, start)) {
    if (type !== CONTINUE) missing = 0;
    if (type === BOF) depth += 1;
    else if (type === EOF) depth -= 1;
    if (depth === 0) break;
    if (depth > 1) continue;
    if (type === DRAWING) place = anchorIn(data) ?? place;
    else if (type === OBJECT) isNote = data.length > 6 && data.readUInt16LE(OBJECT_TYPE_AT) === NOTE_OBJECT;
    else if (type === TEXT && !isNote && data.length >= LENGTH_AT + 2) {
      missing = data.readUInt16LE(LENGTH_AT);
      text = '';
    } else if (missing > 0) {
      const piece = data.toString((data[0] ?? 0) & 1 ? 'utf16le' : 'latin1', 1).slice(0, missing);
      text += piece;
      missing -= piece.length;
      if (missing === 0 || piece === '') addNote(notes, place.row, place.column, text);
    }
  }
  return notes;
}

/** The last anchor in a piece of the drawing; groups and their shapes have one each. */
function anchorIn(data: Buffer): { row: number; column: number } | undefined {
  let place: { row: number; column: number } | undefined;
  for (let at = 0; at + PART_HEAD_BYTES <= data.length; ) {
    const isGroup = (data[at]! & 15) === 15;
    const length = data.readUInt32LE(at + 4);
    const start = at + PART_HEAD_BYTES;
    if (data.readUInt16LE(at + 2) === CLIENT_ANCHOR && start + TOP_AT + 2 <= data.length)
      place = { row: data.readUInt16LE(start + TOP_AT) + 1, column: data.readUInt16LE(start + LEFT_AT) };
    at = isGroup ? start : start + length;
  }
  return place;
}
