/** What did Outlook put into a winmail.dat (TNEF: MS-OXTNEF, its properties: MS-OXPROPS)? */
import iconv from 'iconv-lite';
import { mail as limits } from '../../config.ts';

export interface Tnef {
  files: { name: string; bytes: Uint8Array }[];
  html?: string;
  text?: string;
  /** Compressed rich text. */
  rtf?: Uint8Array;
}

const SIGNATURE = 0x223e9f78;
/** Attributes, with their type in the upper half. */
const attribute = {
  codePage: 0x00069007,
  properties: 0x00069003,
  attachment: 0x00069002,
  title: 0x00018010,
  data: 0x0006800f,
  attachmentProperties: 0x00069005,
};
const property = { body: 0x1000, rtf: 0x1009, html: 0x1013, data: 0x3701, longName: 0x3707 };
/** Bytes of a property's value by its type, where that is fixed. */
const fixedBytes: Record<number, number> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const UNICODE = 0x1f;
const STRING = 0x1e;
const BINARY = 0x102;
const OBJECT = 0x0d;
const MULTIPLE = 0x1000;

/** What can be read of it: a broken one ends where it breaks. */
export function readTnef(content: Uint8Array): Tnef {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const tnef: Tnef = { files: [] };
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== SIGNATURE) return tnef;
  let codePage = 'windows-1252';
  const decode = (value: Buffer, type: number): string =>
    iconv.decode(value, type === UNICODE ? 'utf-16le' : codePage).replace(/\0[\s\S]*$/, '');
  for (const { id, data } of attributesOf(bytes)) {
    const last = tnef.files.at(-1);
    if (id === attribute.codePage && data.length >= 4) codePage = pageOf(data.readUInt32LE(0), codePage);
    else if (id === attribute.properties) takeBody(tnef, data, decode);
    else if (id === attribute.attachment) tnef.files.push({ name: '', bytes: new Uint8Array(0) });
    else if (last) takeFile(last, id, data, decode);
    if (tnef.files.length > limits.maxAttachments) break;
  }
  return { ...tnef, files: tnef.files.filter((file) => file.bytes.length > 0) };
}

type Decode = (value: Buffer, type: number) => string;

function takeBody(tnef: Tnef, data: Buffer, decode: Decode): void {
  for (const { id, type, value } of propertiesOf(data)) {
    if (id === property.body) tnef.text = decode(value, type);
    else if (id === property.html) tnef.html = decode(value, type);
    else if (id === property.rtf) tnef.rtf = value;
  }
}

/** Names are said twice: short, and among the properties as long as they are. */
function takeFile(file: Tnef['files'][number], attributeId: number, data: Buffer, decode: Decode): void {
  if (attributeId === attribute.title) file.name ||= decode(data, STRING);
  else if (attributeId === attribute.data) file.bytes = data;
  else if (attributeId !== attribute.attachmentProperties) return;
  else {
    for (const { id, type, value } of propertiesOf(data)) {
      if (id === property.longName) file.name = decode(value, type);
      // Objects say first of which class they are.
      else if (id === property.data && file.bytes.length === 0)
        file.bytes = type === OBJECT ? value.subarray(16) : value;
    }
  }
}

function pageOf(page: number, otherwise: string): string {
  return iconv.encodingExists(`cp${page}`) ? `cp${page}` : otherwise;
}

/** Each: a level, what it is, its length, its bytes, a sum of them. */
function* attributesOf(bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  for (let at = 6; at + 9 <= bytes.length; ) {
    const start = at + 9;
    const end = start + bytes.readUInt32LE(at + 5);
    if (end > bytes.length) return;
    yield { id: bytes.readUInt32LE(at + 1), data: bytes.subarray(start, end) };
    at = end + 2;
  }
}

function* propertiesOf(bytes: Buffer): Generator<{ id: number; type: number; value: Buffer }> {
  if (bytes.length < 4) return;
  let at = 4;
  for (let left = bytes.readUInt32LE(0); left > 0 && at + 4 <= bytes.length; left -= 1) {
    const type = bytes.readUInt16LE(at);
    const id = bytes.readUInt16LE(at + 2);
    at += 4;
    if (id >= 0x8000) at = endOfName(bytes, at);
    const plain = type & ~MULTIPLE;
    const size = fixedBytes[plain];
    const isCounted = size === undefined || plain !== type;
    if (size === undefined && ![UNICODE, STRING, BINARY, OBJECT].includes(plain)) return;
    let count = 1;
    if (isCounted) {
      if (at + 4 > bytes.length) return;
      count = bytes.readUInt32LE(at);
      at += 4;
    }
    for (; count > 0; count -= 1) {
      let length = size ?? 0;
      if (size === undefined) {
        if (at + 4 > bytes.length) return;
        length = bytes.readUInt32LE(at);
        at += 4;
      }
      if (at + length > bytes.length) return;
      yield { id, type: plain, value: bytes.subarray(at, at + length) };
      at += Math.ceil(length / 4) * 4;
    }
  }
}

/** Names of properties that a program made up stand between their number and their value. */
function endOfName(bytes: Buffer, start: number): number {
  if (start + 24 > bytes.length) return bytes.length;
  const kind = bytes.readUInt32LE(start + 16);
  const length = kind === 1 ? bytes.readUInt32LE(start + 20) : 0;
  return start + 24 + Math.ceil(length / 4) * 4;
}
