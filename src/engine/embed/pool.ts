/** How do the token vectors of a text become its one vector? (pure) */
import type { Pooling } from './encoder-spec.ts';

/** Output of an encoder run, row-major: [rows, tokens, width], or [rows, width] where the graph has pooled already. */
export interface EncoderOutput {
  data: Float32Array;
  dims: readonly number[];
  /** Side of a row on which padding stands. Default: right. */
  side?: 'left' | 'right';
}

/**
 * One vector per row of a batch, cut to `dimensions`.
 * @param lengths tokens of each row without padding
 */
export function pool(
  output: EncoderOutput,
  lengths: number[],
  pooling: Pooling,
  dimensions: number,
): Float32Array[] {
  const width = output.dims.at(-1)!;
  if (output.dims.length === 2) {
    return lengths.map((_, row) => output.data.slice(row * width, row * width + dimensions));
  }
  const tokens = output.dims[1]!;
  return lengths.map((length, row) => {
    const start = (row * tokens + (output.side === 'left' ? tokens - length : 0)) * width;
    if (pooling === 'mean') return mean(output.data, start, length, width, dimensions);
    const at = start + (pooling === 'cls' ? 0 : length - 1) * width;
    return output.data.slice(at, at + dimensions);
  });
}

function mean(
  data: Float32Array,
  start: number,
  length: number,
  width: number,
  dimensions: number,
): Float32Array {
  const vector = new Float32Array(dimensions);
  for (let token = 0; token < length; token += 1) {
    const at = start + token * width;
    for (let index = 0; index < dimensions; index += 1) vector[index]! += data[at + index]!;
  }
  for (let index = 0; index < dimensions; index += 1) vector[index]! /= length;
  return vector;
}

/** Brings a vector to unit length in place; one without length or with a value that is no number becomes zero. */
export function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = Number.isFinite(sum) && sum > 0 ? 1 / Math.sqrt(sum) : 0;
  if (scale === 0) return vector.fill(0);
  for (let index = 0; index < vector.length; index += 1) vector[index]! *= scale;
  return vector;
}

/** Values of a tensor as 32-bit floats. Quantized outputs keep their scale, which unit length removes. */
export function toFloats(data: unknown, type: string): Float32Array | undefined {
  if (data instanceof Float32Array) return data;
  if (type === 'float16' && data instanceof Uint16Array) return Float32Array.from(data, halfToFloat);
  if (type === 'uint8' && data instanceof Uint8Array) return Float32Array.from(data, (value) => value - 128);
  if (type === 'int8' && data instanceof Int8Array) return Float32Array.from(data);
  if (type === 'float64' && data instanceof Float64Array) return Float32Array.from(data);
  // Where the runtime has Float16Array, half floats arrive in one.
  if (type === 'float16' && ArrayBuffer.isView(data) && Symbol.iterator in data) {
    return Float32Array.from(data as unknown as Iterable<number>);
  }
  return undefined;
}

function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
