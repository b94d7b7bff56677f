/** How do tests make a message as Outlook saves it (MS-OXMSG)? */
import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js';
import iconv from 'iconv-lite';

/** [property identifier, its value]: text as the message's own type of text, bytes, or a number of 32 bits. */
export type Property = readonly [id: number, value: string | Uint8Array | number];

export interface MsgParts {
  properties: Property[];
  recipients?: Property[][];
  /** `embedded`: a message instead of bytes. */
  attachments?: { properties: Property[]; embedded?: MsgParts }[];
  /** Code page of its texts; default Unicode. */
  codePage?: string;
}

const ROOT = 5;
const FOLDER = 1;
const STREAM = 2;
const [INTEGER, STRING8, UNICODE, BINARY, OBJECT] = [0x03, 0x1e, 0x1f, 0x102, 0x0d];
const ATTACH_DATA = 0x3701;
const ATTACH_METHOD = 0x3705;

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

export function makeMsg(parts: MsgParts): Uint8Array {
  const entries: Entry[] = [{ name: 'Root Entry', type: ROOT, length: 0, children: [] }];
  addMessage(entries, entries[0]!, parts, 32, parts.codePage);
  return burn(entries);
}

function add(entries: Entry[], folder: Entry, entry: Entry): Entry {
  folder.children!.push(entries.length);
  entries.push(entry);
  return entry;
}

const folderNamed = (name: string): Entry => ({ name, type: FOLDER, length: 0, children: [] });

function streamOf(name: string, bytes: Uint8Array): Entry {
  // The library writes all of the memory that bytes stand in.
  return { name, type: STREAM, length: bytes.length, binaryProvider: () => Uint8Array.from(bytes) };
}

function addMessage(
  entries: Entry[],
  folder: Entry,
  parts: MsgParts,
  headBytes: number,
  codePage?: string,
): void {
  const { recipients = [], attachments = [] } = parts;
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(recipients.length, 16);
  head.writeUInt32LE(attachments.length, 20);
  addProperties(entries, folder, parts.properties, head, codePage);
  for (const [at, properties] of recipients.entries()) {
    const inside = add(entries, folder, folderNamed(`__recip_version1.0_#${hex(at, 8)}`));
    addProperties(entries, inside, properties, Buffer.alloc(8), codePage);
  }
  for (const [at, { properties, embedded }] of attachments.entries()) {
    const inside = add(entries, folder, folderNamed(`__attach_version1.0_#${hex(at, 8)}`));
    const method: Property = [ATTACH_METHOD, embedded ? 5 : 1];
    addProperties(entries, inside, [...properties, method], Buffer.alloc(8), codePage);
    if (!embedded) continue;
    const message = add(entries, inside, folderNamed(`__substg1.0_${hex(ATTACH_DATA, 4)}${hex(OBJECT, 4)}`));
    addMessage(entries, message, embedded, 24, codePage);
  }
}

function addProperties(
  entries: Entry[],
  folder: Entry,
  properties: Property[],
  head: Buffer,
  codePage?: string,
): void {
  const rows = properties.map(([id, value]) => {
    const row = Buffer.alloc(16);
    const type =
      typeof value === 'number' ? INTEGER : typeof value !== 'string' ? BINARY : codePage ? STRING8 : UNICODE;
    row.writeUInt32LE(id * 0x10000 + type, 0);
    row.writeUInt32LE(6, 4);
    if (typeof value === 'number') row.writeUInt32LE(value, 8);
    else {
      const bytes = typeof value === 'string' ? iconv.encode(value, codePage ?? 'utf-16le') : value;
      row.writeUInt32LE(bytes.length, 8);
      add(entries, folder, streamOf(`__substg1.0_${hex(id, 4)}${hex(type, 4)}`, bytes));
    }
    return row;
  });
  add(entries, folder, streamOf('__properties_version1.0', Buffer.concat([head, ...rows])));
}

/** Rich text in the form that says it is not compressed. */
export function uncompressedRtf(rtf: string): Uint8Array {
  const bytes = Buffer.from(rtf, 'latin1');
  const head = Buffer.alloc(16);
  head.writeUInt32LE(bytes.length + 12, 0);
  head.writeUInt32LE(bytes.length, 4);
  head.write('MELA', 8, 'latin1');
  return Buffer.concat([head, bytes]);
}
