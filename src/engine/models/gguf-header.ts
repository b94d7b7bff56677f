/** What does a GGUF file say of itself, read with limits and without loading it? */
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../api/errors.ts';
import { models } from '../config.ts';

/** What Lectern needs to know before it hands a file to llama.cpp. */
export interface GgufHeader {
  /** 2 or 3. */
  version: number;
  /** Such as "qwen3". */
  architecture: string;
  name?: string;
  /** Tokens that the model was trained on. */
  contextTokens?: number;
  layers?: number;
  embeddingLength?: number;
  /** Kind of tokenizer, such as "gpt2". */
  tokenizer?: string;
  vocabulary?: number;
  hasChatTemplate: boolean;
  /** The file pools its outputs: an encoder, not a writer. */
  isEncoder: boolean;
  tensors: number;
  sizeBytes: number;
}

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
const WINDOW_BYTES = 256 * 1024;

/** Reads forward through a file, a window at a time, never past the header's limit. */
class Cursor {
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

type Value = string | number | boolean | { length: number };

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

/** Arrays are walked over, not kept: only their length matters here. */
async function skipArray(cursor: Cursor): Promise<{ length: number }> {
  const type = await cursor.u32();
  const length = await cursor.count(models.maxGgufArray, 'entries in one list');
  const size = scalarBytes[type];
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

async function readValue(cursor: Cursor): Promise<Value> {
  const type = await cursor.u32();
  if (type === TEXT) return cursor.text();
  if (type === ARRAY) return skipArray(cursor);
  if (scalarBytes[type] === undefined)
    throw cursor.invalid(`its GGUF header holds a value of unknown type ${type}`);
  return readScalar(cursor, type);
}

async function readPairs(
  cursor: Cursor,
): Promise<{ version: number; tensors: number; pairs: Map<string, Value> }> {
  if ((await cursor.take(4)).toString('latin1') !== 'GGUF') throw cursor.invalid('it is not a GGUF file');
  const version = await cursor.u32();
  if (version !== 2 && version !== 3) throw cursor.invalid(`GGUF version ${version} is not known`);
  const tensors = await cursor.count(1_000_000, 'tensors');
  const keys = await cursor.count(models.maxGgufKeys, 'entries');
  const pairs = new Map<string, Value>();
  for (let index = 0; index < keys; index += 1) {
    const key = await cursor.text();
    pairs.set(key, await readValue(cursor));
  }
  return { version, tensors, pairs };
}

/**
 * Reads the metadata of a GGUF file.
 * @throws AppError MODEL_INVALID when the header is broken, lies about lengths, or passes a limit
 */
export async function readGgufHeader(file: string): Promise<GgufHeader> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const cursor = new Cursor(handle, path.basename(file), size);
    return { ...describe(cursor, await readPairs(cursor)), sizeBytes: size };
  } finally {
    await handle.close();
  }
}

function describe(
  cursor: Cursor,
  header: Awaited<ReturnType<typeof readPairs>>,
): Omit<GgufHeader, 'sizeBytes'> {
  const { version, tensors, pairs } = header;
  const text = (key: string) => {
    const value = pairs.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const number = (key: string) => {
    const value = pairs.get(key);
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  const architecture = text('general.architecture');
  if (architecture === undefined || !/^[a-z0-9_.-]{1,64}$/i.test(architecture)) {
    throw cursor.invalid('it does not name its architecture');
  }
  const tokens = pairs.get('tokenizer.ggml.tokens');
  return {
    version,
    architecture,
    name: text('general.name')?.slice(0, 200),
    contextTokens: number(`${architecture}.context_length`),
    layers: number(`${architecture}.block_count`),
    embeddingLength: number(`${architecture}.embedding_length`),
    tokenizer: text('tokenizer.ggml.model'),
    vocabulary: typeof tokens === 'object' ? tokens.length : undefined,
    hasChatTemplate: text('tokenizer.chat_template') !== undefined,
    isEncoder:
      pairs.has(`${architecture}.pooling_type`) || pairs.get(`${architecture}.attention.causal`) === false,
    tensors,
  };
}
