/** Which of many vectors are nearest, when each is kept as one byte a dimension and all of them are compared? */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { exactSearch, type Matches, MetricKind } from 'usearch';
import type { Run } from './scope-extent.ts';

/** A vector as the library holds it: float32, little endian. */
export interface VectorRow {
  chunkId: number;
  vector: Uint8Array;
}

interface Rows {
  /** One vector after the other. */
  codes: Int8Array<ArrayBuffer>;
  chunkIds: Float64Array<ArrayBuffer>;
}

/** Share by which the room grows when it is full. */
const growth = 1.25;
const leastRoom = 1_024;
/** Of a signed byte. */
const largest = 127;
/**
 * Largest value that is told apart, in standard deviations of a value of a unit vector; beyond it all are one. A scale that is
 * the same for all makes the product of two vectors their cosine, for which nothing else need be computed.
 */
const widest = 6;

/**
 * Vectors in memory, of unit length and one byte a value: a cosine differs from that of the vectors themselves by some 0.001.
 * The file is the bytes of all vectors, then the chunks' numbers as float64, both in ascending order of these numbers.
 */
export class PackedVectors {
  readonly dimensions: number;
  /** With room for more. */
  private held: Rows;
  private rows: number;
  /** Rows from the first on whose numbers ascend. */
  private ascending: number;
  /** Rows of the numbers that came out of order. */
  private readonly others = new Map<number, number>();

  private constructor(dimensions: number, held: Rows, rows: number) {
    this.dimensions = dimensions;
    this.held = held;
    this.rows = rows;
    this.ascending = rows;
  }

  static create(dimensions: number): PackedVectors {
    return new PackedVectors(dimensions, room(leastRoom, dimensions), 0);
  }

  /** Undefined when the file's length is not that of so many vectors. */
  static read(path: string, dimensions: number, count: number): PackedVectors | undefined {
    const file = openSync(path, 'r');
    try {
      const held = room(count, dimensions);
      const { codes, chunkIds } = held;
      if (fstatSync(file).size !== codes.byteLength + chunkIds.byteLength) return undefined;
      readInto(file, codes, 0);
      readInto(file, chunkIds, codes.byteLength);
      return new PackedVectors(dimensions, held, count);
    } finally {
      closeSync(file);
    }
  }

  get count(): number {
    return this.rows;
  }

  /** Vectors of chunks that it does not hold. */
  add(rows: VectorRow[]): void {
    this.replace(rows);
  }

  /** Adds vectors, or puts them in the place of those that their chunks had. */
  replace(rows: Iterable<VectorRow>): void {
    for (const { chunkId, vector } of rows) {
      const at = this.rowFor(chunkId) * this.dimensions;
      pack(vector, this.held.codes, at);
    }
  }

  save(path: string): void {
    const ordered = this.inOrder();
    const file = openSync(path, 'w');
    try {
      writeFrom(file, ordered.codes.subarray(0, this.rows * this.dimensions));
      writeFrom(file, ordered.chunkIds.subarray(0, this.rows));
    } finally {
      closeSync(file);
    }
  }

  /**
   * Chunks of the vectors nearest by cosine, nearest first.
   * @param count at most; all that there are where they are fewer
   * @param runs only chunks of these, ascending
   */
  search(vector: Float32Array, count: number, runs?: readonly Run[]): number[] {
    const { dimensions } = this;
    const question = new Int8Array(dimensions);
    pack(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), question, 0);
    const { codes, chunkIds } = runs ? this.within(runs) : this.held;
    const rows = runs ? chunkIds.length : this.rows;
    if (rows === 0) return [];
    const all = codes.subarray(0, rows * dimensions);
    // One thread: the others belong to those who work with the library meanwhile.
    const found = exactSearch(all, question, dimensions, Math.min(count, rows), MetricKind.IP, 1) as Matches;
    return Array.from(found.keys, (row) => chunkIds[Number(row)]!);
  }

  private rowFor(chunkId: number): number {
    const known = this.rowOf(chunkId);
    if (known !== undefined) return known;
    if (this.rows === this.held.chunkIds.length) this.grow();
    const row = this.rows++;
    this.held.chunkIds[row] = chunkId;
    const isNext = this.ascending === row && (row === 0 || chunkId > this.held.chunkIds[row - 1]!);
    if (isNext) this.ascending++;
    else this.others.set(chunkId, row);
    return row;
  }

  private rowOf(chunkId: number): number | undefined {
    const row = this.firstFrom(chunkId);
    return row < this.ascending && this.held.chunkIds[row] === chunkId ? row : this.others.get(chunkId);
  }

  /** The first of the ascending rows whose number is not below this one. */
  private firstFrom(chunkId: number): number {
    // Most come last.
    if (this.ascending > 0 && this.held.chunkIds[this.ascending - 1]! < chunkId) return this.ascending;
    let low = 0;
    let high = this.ascending;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.held.chunkIds[middle]! < chunkId) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private grow(): void {
    const grown = room(Math.max(leastRoom, Math.ceil(this.rows * growth)), this.dimensions);
    grown.codes.set(this.held.codes);
    grown.chunkIds.set(this.held.chunkIds);
    this.held = grown;
  }

  private within(runs: readonly Run[]): Rows {
    const pieces = runs
      .map(({ first, last }) => ({ from: this.firstFrom(first), to: this.firstFrom(last + 1) }))
      .filter(({ from, to }) => to > from);
    for (const [chunkId, row] of this.others) {
      if (isWithin(runs, chunkId)) pieces.push({ from: row, to: row + 1 });
    }
    return this.copied(pieces);
  }

  private inOrder(): Rows {
    if (this.others.size === 0) return this.held;
    const order = Array.from({ length: this.rows }, (_, row) => row).sort(
      (one, two) => this.held.chunkIds[one]! - this.held.chunkIds[two]!,
    );
    return this.copied(order.map((row) => ({ from: row, to: row + 1 })));
  }

  private copied(pieces: { from: number; to: number }[]): Rows {
    const { dimensions, held } = this;
    const copy = room(
      pieces.reduce((sum, { from, to }) => sum + to - from, 0),
      dimensions,
    );
    let at = 0;
    for (const { from, to } of pieces) {
      copy.codes.set(held.codes.subarray(from * dimensions, to * dimensions), at * dimensions);
      copy.chunkIds.set(held.chunkIds.subarray(from, to), at);
      at += to - from;
    }
    return copy;
  }
}

function room(rows: number, dimensions: number): Rows {
  return { codes: new Int8Array(rows * dimensions), chunkIds: new Float64Array(rows) };
}

function isWithin(runs: readonly Run[], chunkId: number): boolean {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.last < chunkId) low = middle + 1;
    else high = middle;
  }
  return low < runs.length && runs[low]!.first <= chunkId;
}

/** Brings a vector to unit length and to bytes; one without length stays zero. */
function pack(vector: Uint8Array, codes: Int8Array, at: number): void {
  // Copied where it begins at no multiple of four: the driver's bytes need not.
  const isAligned = vector.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0;
  const bytes = isAligned ? vector : vector.slice();
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let squares = 0;
  for (let index = 0; index < values.length; index++) squares += values[index]! ** 2;
  const most = Math.min(1, widest / Math.sqrt(values.length));
  const scale = squares > 0 ? largest / (most * Math.sqrt(squares)) : 0;
  for (let index = 0; index < values.length; index++) {
    const code = Math.round(values[index]! * scale);
    codes[at + index] = Math.max(-largest, Math.min(largest, code));
  }
}

function readInto(file: number, target: Int8Array | Float64Array, position: number): void {
  for (let at = 0; at < target.byteLength; ) {
    const read = readSync(file, target, at, target.byteLength - at, position + at);
    if (read === 0) throw new Error('the file ended early');
    at += read;
  }
}

function writeFrom(file: number, source: Int8Array | Float64Array): void {
  for (let at = 0; at < source.byteLength; ) at += writeSync(file, source, at, source.byteLength - at);
}
