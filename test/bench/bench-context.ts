/** What does every section of the benchmark get? */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median, type Row } from './report.ts';

export interface BenchContext {
  /** Share of the fixed sizes; 1 is what results are quoted for. */
  scale: number;
  /** Also at a million passages. */
  withMillion: boolean;
  /** A new empty folder, removed when all is done. */
  folder(name: string): string;
  /** Says what is being done. */
  note(line: string): void;
}

/** Measures and returns its rows. */
export type Section = (context: BenchContext) => Promise<Row[]>;

/** Sizes below this prove nothing, at any scale. */
export function scaled(size: number, { scale }: BenchContext, least: number): number {
  return Math.max(least, Math.round(size * scale));
}

/** Folders below one temporary folder. */
export function makeFolders(): { root: string; folder: (name: string) => string } {
  const root = mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-'));
  return { root, folder: (name) => mkdtempSync(path.join(root, `${name}-`)) };
}

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now();
  const value = await work();
  return { ms: performance.now() - start, value };
}

/** Processor time of this process with all its threads, in milliseconds: on a busy machine it drifts less than the clock. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Rounds of a comparison. */
export const ROUNDS = 5;

/** Alternates the two, so that a busy machine hits both alike; the ratio is the median of the pairs'. Both give milliseconds. */
export async function compare(bare: () => Promise<number>, whole: () => Promise<number>) {
  await bare();
  await whole();
  const pairs: { bare: number; whole: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) pairs.push({ bare: await bare(), whole: await whole() });
  return {
    bareMs: median(pairs.map((pair) => pair.bare)),
    wholeMs: median(pairs.map((pair) => pair.whole)),
    ratio: median(pairs.map((pair) => pair.bare / pair.whole)),
  };
}

const MIB = 1024 * 1024;

export const toMb = (bytes: number): number => bytes / MIB;
