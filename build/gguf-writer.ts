/** How is a GGUF file written? Version 3: header, metadata, tensor table, then the tensors' bytes. */
import { closeSync, openSync, writeSync } from 'node:fs';

/** A metadata value with its type in the format. */
export type GgufValue =
  | { type: 'u32' | 'i32' | 'f32'; value: number }
  | { type: 'bool'; value: boolean }
  | { type: 'string'; value: string }
  | { type: 'strings'; value: string[] }
  | { type: 'i32s'; value: number[] };

export interface GgufTensor {
  name: string;
  /** Fastest-running dimension first, as the format counts. */
  dims: number[];
  /** Little-endian values. */
  data: Float32Array | Uint16Array;
}

const ALIGNMENT = 32;
const typeNumbers = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8 } as const;
const ARRAY = 9;
const F32 = 0;
const F16 = 1;

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u64(bytes.length), bytes]);
}

/** All texts of a list in one buffer: a buffer each would be hundreds of thousands. */
function texts(values: string[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, value) => sum + 8 + Buffer.byteLength(value), 0));
  let offset = 0;
  for (const value of values) {
    const length = bytes.write(value, offset + 8);
    bytes.writeBigUInt64LE(BigInt(length), offset);
    offset += 8 + length;
  }
  return bytes;
}

function valueBytes(entry: GgufValue): Buffer[] {
  switch (entry.type) {
    case 'u32':
    case 'i32':
      return [u32(typeNumbers[entry.type]), u32(entry.value)];
    case 'f32': {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(entry.value);
      return [u32(typeNumbers.f32), bytes];
    }
    case 'bool':
      return [u32(typeNumbers.bool), Buffer.of(entry.value ? 1 : 0)];
    case 'string':
      return [u32(typeNumbers.string), text(entry.value)];
    case 'strings':
      return [u32(ARRAY), u32(typeNumbers.string), u64(entry.value.length), texts(entry.value)];
    case 'i32s':
      return [
        u32(ARRAY),
        u32(typeNumbers.i32),
        u64(entry.value.length),
        Buffer.from(Int32Array.from(entry.value).buffer),
      ];
  }
}

const padding = (length: number): number => (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;

/** Writes a whole file; an existing one is replaced. Half floats are given as the bits in a Uint16Array. */
export function writeGguf(file: string, metadata: Record<string, GgufValue>, tensors: GgufTensor[]): void {
  const entries = Object.entries(metadata);
  const parts: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(entries.length)];
  for (const [key, value] of entries) parts.push(text(key), ...valueBytes(value));
  let offset = 0;
  for (const tensor of tensors) {
    const kind = tensor.data instanceof Float32Array ? F32 : F16;
    parts.push(text(tensor.name), u32(tensor.dims.length), ...tensor.dims.map(u64), u32(kind), u64(offset));
    offset += tensor.data.byteLength + padding(tensor.data.byteLength);
  }
  const header = Buffer.concat(parts);
  const descriptor = openSync(file, 'w');
  try {
    writeSync(descriptor, header);
    writeSync(descriptor, Buffer.alloc(padding(header.length)));
    for (const { data } of tensors) {
      writeSync(descriptor, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      writeSync(descriptor, Buffer.alloc(padding(data.byteLength)));
    }
  } finally {
    closeSync(descriptor);
  }
}
