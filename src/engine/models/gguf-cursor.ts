/** How are the values of a GGUF file read, one after another, within limits? */
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../api/errors.ts';
import { models } from '../config.ts';

/** Sizes of the format's scalar values by type number; 8 is text, 9 an array. */
const scalarBytes: Record<number, number> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const TEXT = 8;
const ARRAY = 9;
const U32 = 4;
const I32 = 5;
const MAX_LAYERS = 1024;
const WINDOW_BYTES = 256 * 1024;

/** Reads forward through a file, a window at a time, never past the header's limit. */
export class Cursor {
  private readonly file: FileHandle;
  private readonly name: string;
  private readonly limit: number;
  private buffer: Buffer = Buffer.alloc(0);
  private bufferStart = 0;
  position = 0;

  constructor(file: FileHandle, name: string, sizeBytes: number) {
    this.file = file;
    this.name = name;
    this.limit = Math.min(sizeBytes, models.maxGgufHeaderBytes);
  }

  invalid(why: string): AppError {
    return new AppError(
      'MODEL_INVALID',
      `Model file can’t be used: ${this.name}: ${why}: fetch the file again from where it came.`,
    );
  }

  async take(bytes: number): Promise<Buffer> {
    if (this.position + bytes > this.limit)
      throw this.invalid('its GGUF header is cut off or larger than allowed');
    const offset = this.position - this.bufferStart;
    if (offset < 0 || offset + bytes > this.buffer.length) {
      const window = Buffer.alloc(Math.min(Math.max(bytes, WINDOW_BYTES), this.limit - this.position));
      const { bytesRead } = await this.file.read(window, 0, window.length, this.position);
      if (bytesRead < bytes) throw this.invalid('it ends inside its GGUF header');
      this.buffer = window.subarray(0, bytesRead);
      this.bufferStart = this.position;
    }
    const from = this.position - this.bufferStart;
    this.position += bytes;
    return this.buffer.subarray(from, from + bytes);
  }

  skip(bytes: number): void {
    if (this.position + bytes > this.limit)
      throw this.invalid('its GGUF header is cut off or larger than allowed');
    this.position += bytes;
  }

  async u32(): Promise<number> {
    return (await this.take(4)).readUInt32LE();
  }

  async count(limit: number, what: string): Promise<number> {
    const value = (await this.take(8)).readBigUInt64LE();
    if (value > BigInt(limit)) throw this.invalid(`its GGUF header claims ${value} ${what}`);
    return Number(value);
  }

  async text(): Promise<string> {
    const length = await this.count(models.maxGgufText, 'bytes in one text');
    return (await this.take(length)).toString('utf8');
  }
}

/** Lists are walked over, not kept, but for short ones of whole numbers, which tell of each layer apart. */
export type Value = string | number | boolean | { length: number; numbers?: number[] };

async function readScalar(cursor: Cursor, type: number): Promise<number | boolean> {
  const bytes = await cursor.take(scalarBytes[type]!);
  switch (type) {
    case 0:
      return bytes.readUInt8();
    case 1:
      return bytes.readInt8();
    case 2:
      return bytes.readUInt16LE();
    case 3:
      return bytes.readInt16LE();
    case 4:
      return bytes.readUInt32LE();
    case 5:
      return bytes.readInt32LE();
    case 6:
      return bytes.readFloatLE();
    case 7:
      return bytes.readUInt8() !== 0;
    case 10:
      return Number(bytes.readBigUInt64LE());
    case 11:
      return Number(bytes.readBigInt64LE());
    default:
      return bytes.readDoubleLE();
  }
}

async function readArray(cursor: Cursor): Promise<{ length: number; numbers?: number[] }> {
  const type = await cursor.u32();
  const length = await cursor.count(models.maxGgufArray, 'entries in one list');
  const size = scalarBytes[type];
  if ((type === U32 || type === I32) && length <= MAX_LAYERS) {
    const bytes = await cursor.take(4 * length);
    const numbers = Array.from({ length }, (_, index) => bytes.readInt32LE(4 * index));
    return { length, numbers };
  }
  if (size !== undefined) {
    cursor.skip(size * length);
  } else if (type === TEXT) {
    for (let index = 0; index < length; index += 1) {
      cursor.skip(await cursor.count(models.maxGgufText, 'bytes in one text'));
    }
  } else {
    throw cursor.invalid(`its GGUF header holds a list of unknown type ${type}`);
  }
  return { length };
}

export async function readValue(cursor: Cursor): Promise<Value> {
  const type = await cursor.u32();
  if (type === TEXT) return cursor.text();
  if (type === ARRAY) return readArray(cursor);
  if (scalarBytes[type] === undefined)
    throw cursor.invalid(`its GGUF header holds a value of unknown type ${type}`);
  return readScalar(cursor, type);
}
