/** How does a test get an archive of any format, right or lying? Files in them are stored, not packed, where the format allows. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A file for an archive; every field but the first two lies where it is given. */
export interface Given {
  /** Bytes where it is no UTF-8. */
  name: string | Buffer;
  content: string | Buffer;
  isEncrypted?: boolean;
  /** Mode of a Unix system, with the type of the file. */
  mode?: number;
  /** Says that it unpacks to so many bytes. */
  statedBytes?: number;
  isDeflated?: boolean;
  /** zip: sizes stand in the fields for large archives. */
  isZip64?: boolean;
  /** zip: says that the name is UTF-8. */
  isUtf8?: boolean;
  /** tar: kind of the entry, default '0'. */
  type?: string;
}

const bytesOf = (value: string | Buffer): Buffer => (typeof value === 'string' ? Buffer.from(value) : value);

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value & 0xffff);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** APPNOTE.TXT 4.3: local headers with their data, the central directory, its end. */
export function makeZip(files: Given[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = bytesOf(file.name);
    const content = bytesOf(file.content);
    const packed = file.isDeflated ? deflateRawSync(content, { level: 9 }) : content;
    // A locked file begins with twelve bytes that prove the password.
    const data = file.isEncrypted ? Buffer.concat([Buffer.alloc(12), packed]) : packed;
    const stated = file.statedBytes ?? content.length;
    const sizes = file.isZip64 ? [0xffffffff, 0xffffffff] : [data.length, stated];
    const extra = file.isZip64
      ? Buffer.concat([u16(1), u16(16), u64(stated), u64(data.length)])
      : Buffer.alloc(0);
    const shared = Buffer.concat([
      u16(file.isZip64 ? 45 : 20),
      u16((file.isEncrypted ? 1 : 0) | (file.isUtf8 ? 0x800 : 0)),
      u16(file.isDeflated ? 8 : 0),
      ...[
        u16(0x3904),
        u16(0x58a6),
        u32(crc32(content)),
        ...sizes.map(u32),
        u16(name.length),
        u16(extra.length),
      ],
    ]);
    local.push(u32(0x04034b50), shared, name, extra, data);
    const madeBy = file.mode === undefined ? 0 : 3 << 8;
    central.push(
      ...[u32(0x02014b50), u16(madeBy | 20), shared, u16(0), u16(0), u16(0)],
      ...[u32((file.mode ?? 0) * 0x10000), u32(offset), name, extra],
    );
    offset += 30 + name.length + extra.length + data.length;
  }
  const directory = Buffer.concat(central);
  const count = u16(files.length);
  const end = [u32(0x06054b50), u16(0), u16(0), count, count, u32(directory.length), u32(offset), u16(0)];
  return Buffer.concat([...local, directory, ...end]);
}

/** POSIX ustar, or the form of version 7 without its mark. */
export function makeTar(files: Given[], isOld = false): Buffer {
  const parts = files.flatMap((file) => {
    const content = bytesOf(file.content);
    const header = Buffer.alloc(512);
    bytesOf(file.name).copy(header, 0, 0, 100);
    header.write('0000644\0', 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    header.write(`${(file.statedBytes ?? content.length).toString(8).padStart(11, '0')}\0`, 124);
    header.write(`${(1_700_000_000).toString(8).padStart(11, '0')}\0`, 136);
    header.write('        ', 148);
    header.write(file.type ?? (isOld ? '\0' : '0'), 156);
    if (!isOld) header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** RAR 2.9 to 4, as unrar's own notes describe it. */
export function makeRar4(files: Given[]): Buffer {
  const header = (type: number, flags: number, rest: Buffer[]): Buffer => {
    const body = Buffer.concat(rest);
    const checked = Buffer.concat([Buffer.from([type]), u16(flags), u16(7 + body.length), body]);
    return Buffer.concat([u16(crc32(checked)), checked]);
  };
  const parts = files.flatMap((file) => {
    const name = bytesOf(file.name);
    const content = bytesOf(file.content);
    const sizes = [u32(content.length), u32(file.statedBytes ?? content.length)];
    const facts = [Buffer.from([3]), u32(crc32(content)), u32(0x58a63904), Buffer.from([20, 0x30])];
    const rest = [...sizes, ...facts, u16(name.length), u32(file.mode ?? 0o100644), name];
    return [header(0x74, 0x8000 | (file.isEncrypted ? 4 : 0), rest), content];
  });
  const mark = Buffer.from('Rar!\x1a\x07\0', 'latin1');
  return Buffer.concat([mark, header(0x73, 0, [Buffer.alloc(6)]), ...parts, header(0x7b, 0x4000, [])]);
}

/** RAR 5, as its technical note describes it. */
export function makeRar5(files: Given[]): Buffer {
  const vint = (value: number): Buffer => {
    const bytes: number[] = [];
    for (let rest = value; ; rest = Math.floor(rest / 128)) {
      if (rest < 128) return Buffer.from([...bytes, rest]);
      bytes.push((rest % 128) | 128);
    }
  };
  const header = (...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const checked = Buffer.concat([vint(body.length), body]);
    return Buffer.concat([u32(crc32(checked)), checked]);
  };
  const entries = files.flatMap((file) => {
    const name = bytesOf(file.name);
    const content = bytesOf(file.content);
    const facts = [vint(4), vint(file.statedBytes ?? content.length), vint(file.mode ?? 0o100644)];
    const packing = [u32(crc32(content)), vint(0), vint(1), vint(name.length), name];
    return [header(vint(2), vint(2), vint(content.length), ...facts, ...packing), content];
  });
  const mark = Buffer.from('Rar!\x1a\x07\x01\0', 'latin1');
  return Buffer.concat([
    mark,
    header(vint(1), vint(0), vint(0)),
    ...entries,
    header(vint(5), vint(0), vint(0)),
  ]);
}

/** 7z with one folder and the coder that copies, as 7zFormat.txt describes it. */
export function make7z(files: Given[]): Buffer {
  const number = (value: number): Buffer =>
    value < 128
      ? Buffer.from([value])
      : Buffer.concat([Buffer.from([0xc0 | 0x20]), u32(value).subarray(0, 3)]);
  const contents = files.map(({ content }) => bytesOf(content));
  const data = Buffer.concat(contents);
  const names = Buffer.from(`${files.map(({ name }) => name.toString()).join('\0')}\0`, 'utf16le');
  const header = Buffer.concat([
    Buffer.from([1, 4, 6, 0, 1, 9]),
    number(data.length),
    Buffer.from([0, 7, 0x0b, 1, 0, 1, 1, 0, 0x0c]),
    number(data.length),
    Buffer.from([0, 8, 0x0d, files.length, 9]),
    ...contents.slice(0, -1).map(({ length }) => number(length)),
    Buffer.from([0x0a, 1]),
    ...contents.map((content) => u32(crc32(content))),
    Buffer.from([0, 0, 5, files.length, 0x11]),
    number(names.length + 1),
    Buffer.from([0]),
    names,
    Buffer.from([0, 0]),
  ]);
  const start = Buffer.concat([u64(data.length), u64(header.length), u32(crc32(header))]);
  const mark = Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]);
  return Buffer.concat([mark, u32(crc32(start)), start, data, header]);
}
