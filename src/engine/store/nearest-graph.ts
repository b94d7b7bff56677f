/** How are the nearest of very many vectors found without comparing all? By a graph of neighbours (HNSW) in a mapped file. */
import { Index, MetricKind, ScalarKind } from 'usearch';
import { nearest as limits } from '../config.ts';
import type { VectorRow } from './nearest-packed.ts';

export class NearestGraph {
  private readonly index: Index;
  /** Checksums of what was put since it was opened. */
  private readonly put = new Map<number, number>();

  private constructor(dimensions: number) {
    this.index = new Index({
      dimensions,
      metric: MetricKind.Cos,
      quantization: ScalarKind.F16,
      connectivity: limits.connectivity,
      expansion_add: limits.expansionAdd,
      expansion_search: limits.expansionSearch,
      multi: false,
    });
  }

  static create(dimensions: number): NearestGraph {
    return new NearestGraph(dimensions);
  }

  /** To be changed. */
  static load(path: string, dimensions: number): NearestGraph {
    const graph = new NearestGraph(dimensions);
    graph.index.load(path);
    return graph;
  }

  /** To be searched: the file is mapped. */
  static view(path: string, dimensions: number): NearestGraph {
    const graph = new NearestGraph(dimensions);
    graph.index.view(path);
    return graph;
  }

  get count(): number {
    return this.index.size();
  }

  /** A chunk's number may come again after its document went, and the same vector may be written twice. Returns how many were replaced. */
  replace(page: VectorRow[]): number {
    const rows = [...new Map(page.map((row) => [row.chunkId, row])).values()].filter(
      ({ chunkId, vector }) => this.put.get(chunkId) !== checksum(vector),
    );
    if (rows.length === 0) return 0;
    const held = BigUint64Array.from(rows, ({ chunkId }) => BigInt(chunkId)).filter((key) =>
      this.index.contains(key),
    );
    // Removing leaves the others' links to it: a graph of which half was replaced finds 0.62 of the nearest, not 0.99.
    if (held.length > 0) this.index.remove(held);
    this.add(rows);
    return held.length;
  }

  /** Vectors of chunks that it does not hold. */
  add(rows: VectorRow[]): void {
    const keys = BigUint64Array.from(rows, ({ chunkId }) => BigInt(chunkId));
    const dimensions = this.index.dimensions();
    const vectors = new Float32Array(rows.length * dimensions);
    const bytes = new Uint8Array(vectors.buffer);
    rows.forEach(({ chunkId, vector }, at) => {
      bytes.set(vector, at * vector.byteLength);
      this.put.set(chunkId, checksum(vector));
    });
    // One thread: the others belong to those who work with the library meanwhile.
    this.index.add(keys, vectors, 1);
  }

  save(path: string): void {
    this.index.save(path);
  }

  /** Chunks of the vectors nearest by cosine, nearest first. */
  search(vector: Float32Array, count: number): number[] {
    return Array.from(this.index.search(vector, Math.min(count, this.count), 1).keys, Number);
  }
}

/** FNV-1a. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
