/** Which other files does an ONNX file pull in? Read from its structure, without loading it. */
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../api/errors.ts';
import { models } from '../config.ts';

/** Messages of the ONNX format that can lead to a tensor, and their fields that are messages of interest (onnx.proto3). */
type Message =
  | 'model'
  | 'graph'
  | 'node'
  | 'attribute'
  | 'tensor'
  | 'sparse'
  | 'function'
  | 'training'
  | 'entry';
const nested: Record<Message, Record<number, Message>> = {
  model: { 7: 'graph', 20: 'training', 25: 'function' },
  training: { 1: 'graph', 2: 'graph' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparse' },
  function: { 7: 'node', 11: 'attribute' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  tensor: { 13: 'entry' },
  entry: {},
};
const WINDOW_BYTES = 64 * 1024;
const MAX_TEXT_BYTES = 4096;

class Walker {
  private readonly file: FileHandle;
  private readonly name: string;
  private buffer: Buffer = Buffer.alloc(0);
  private bufferStart = 0;
  private messages = 0;
  readonly locations = new Set<string>();

  constructor(file: FileHandle, name: string) {
    this.file = file;
    this.name = name;
  }

  private invalid(why: string): AppError {
    return new AppError(
      'MODEL_INVALID',
      `Model file can’t be used: ${this.name}: ${why}: install the model again.`,
    );
  }

  private async bytes(position: number, length: number): Promise<Buffer> {
    const offset = position - this.bufferStart;
    if (offset < 0 || offset + length > this.buffer.length) {
      const window = Buffer.alloc(Math.max(length, WINDOW_BYTES));
      const { bytesRead } = await this.file.read(window, 0, window.length, position);
      if (bytesRead < length) throw this.invalid('it is not a whole ONNX file');
      this.buffer = window.subarray(0, bytesRead);
      this.bufferStart = position;
    }
    return this.buffer.subarray(position - this.bufferStart, position - this.bufferStart + length);
  }

  /** A base-128 number and the position after it. */
  private async varint(position: number, end: number): Promise<[value: number, next: number]> {
    let value = 0;
    let scale = 1;
    for (let at = position; at < Math.min(end, position + 10); at += 1) {
      const byte = (await this.bytes(at, 1))[0]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return [value, at + 1];
      scale *= 128;
    }
    throw this.invalid('it is not an ONNX file');
  }

  /** Walks the fields of one message in [start, end). */
  async walk(message: Message, start: number, end: number, depth: number): Promise<void> {
    this.messages += 1;
    if (depth > models.maxOnnxDepth || this.messages > models.maxOnnxMessages) {
      throw this.invalid('its graph is nested deeper or is larger than allowed');
    }
    let position = start;
    const entry = { key: '', value: '' };
    while (position < end) {
      const [tag, afterTag] = await this.varint(position, end);
      const field = Math.floor(tag / 8);
      position = afterTag;
      switch (tag % 8) {
        case 0:
          position = (await this.varint(position, end))[1];
          break;
        case 1:
          position += 8;
          break;
        case 5:
          position += 4;
          break;
        case 2: {
          const [length, from] = await this.varint(position, end);
          if (from + length > end) throw this.invalid('it is not a whole ONNX file');
          const next = nested[message][field];
          if (next) await this.walk(next, from, from + length, depth + 1);
          if (message === 'entry' && length <= MAX_TEXT_BYTES) {
            if (field === 1) entry.key = (await this.bytes(from, length)).toString('utf8');
            if (field === 2) entry.value = (await this.bytes(from, length)).toString('utf8');
          } else if (message === 'entry') {
            throw this.invalid('the name of an outside file in it is too long');
          }
          position = from + length;
          break;
        }
        default:
          throw this.invalid('it is not an ONNX file');
      }
    }
    if (position !== end) throw this.invalid('it is not a whole ONNX file');
    if (message === 'entry' && entry.key === 'location') this.locations.add(entry.value);
  }
}

/**
 * Paths of the external data that an ONNX file names, as written in it.
 * @throws AppError MODEL_INVALID when the file is no whole ONNX file
 */
export async function readOnnxReferences(file: string): Promise<string[]> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const walker = new Walker(handle, path.basename(file));
    await walker.walk('model', 0, size, 0);
    return [...walker.locations];
  } finally {
    await handle.close();
  }
}
