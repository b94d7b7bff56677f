import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IndexReply, ReadBatch } from '../../src/engine/index-messages.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import { unpackBatch } from '../../src/engine/store/pack-batch.ts';

const entry = fileURLToPath(new URL('./hostile-worker.ts', import.meta.url));
const MIB = 1024 * 1024;
const limits = { timeoutMs: 20_000, maxResidentGrowthMb: 400, heapMb: 128 };

let folder: string;
let pool: ParsePool;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-hostile-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(() => {
  pool = new ParsePool({ entry, limits });
});

/** A clock short enough for a test and long enough for a busy machine to start a worker. */
function hurry(): void {
  pool = new ParsePool({ entry, limits: { ...limits, timeoutMs: 3_500 } });
}

afterEach(() => pool.close());

/** Reads a file of that name; the reply in one word, and the text that was written. */
async function read(name: string, signal?: AbortSignal): Promise<{ outcome: string; text: string }> {
  const full = path.join(folder, name);
  await writeFile(full, `A line of ${name}.\n`);
  let text = '';
  const reply: IndexReply = await pool.index(
    { path: full, name, sizeBytes: (await stat(full)).size },
    {
      ...(signal ? { signal } : {}),
      onBatch: async (batch) => {
        text += textOf(batch);
      },
      onRestart: async () => {
        text = '';
      },
    },
  );
  if (reply.type === 'read' && reply.rest) text += textOf(reply.rest);
  return { outcome: reply.type === 'failed' ? reply.failure.reason : reply.type, text };
}

const textOf = (batch: ReadBatch): string =>
  unpackBatch(batch.packed)
    .blocks.map((block) => block.text)
    .join('');

/** Highest resident memory of this process while the work runs, in bytes over the beginning. */
async function peakOf<T>(work: () => Promise<T>): Promise<{ result: T; growthMib: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const result = await work();
  clearInterval(timer);
  return { result, growthMib: (peak - before) / MIB };
}

describe('ParsePool: a file that harms its worker', { timeout: 120_000 }, () => {
  const cases = [
    ['buffers!.txt', 'out-of-memory'],
    ['wasm!.txt', 'out-of-memory'],
    ['heap!.txt', 'out-of-memory'],
    ['loop!.txt', 'timed-out'],
    ['exit!.txt', 'crashed'],
    ['outside!.txt', 'crashed'],
  ] as const;
  it.each(cases)('%s fails alone as %s, and its neighbours are read', async (name, reason) => {
    if (reason === 'timed-out') hurry();
    const { result, growthMib } = await peakOf(() =>
      Promise.all([read('a.txt'), read(name), read('b.txt'), read('c.txt')]),
    );
    expect(result.map(({ outcome }) => outcome)).toEqual(['read', reason, 'read', 'read']);
    expect(result[2]!.text).toBe('A line of b.txt.\n');
    // Three gigabytes were asked for; the watch lets through what is allowed and what is taken between two looks.
    expect(growthMib).toBeLessThan(1_200);
  });

  it('finds the guilty one among several, and reads the innocent once more', async () => {
    const result = await Promise.all([read('modest!.txt'), read('buffers!.txt'), read('d.txt')]);
    expect(result).toEqual([
      { outcome: 'read', text: 'A line of modest!.txt.\n' },
      { outcome: 'out-of-memory', text: '' },
      { outcome: 'read', text: 'A line of d.txt.\n' },
    ]);
  });

  it('does not blame a file for what the one before it left behind', async () => {
    const outcomes: string[] = [];
    for (const name of ['late!.txt', 'modest!e.txt', 'f.txt']) outcomes.push((await read(name)).outcome);
    expect(outcomes).toEqual(['read', 'read', 'read']);
  });
});

describe('ParsePool', { timeout: 60_000 }, () => {
  it('ends at once when it is cancelled, with the reason of the signal', async () => {
    const started = performance.now();
    await expect(read('wait!.txt', AbortSignal.timeout(500))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('throws the error of whoever takes the batches', async () => {
    const full = path.join(folder, 'g.txt');
    // More than one batch: the last one comes with the reply.
    const text = 'Words of a long text.\n\n'.repeat(1_000);
    await writeFile(full, text);
    const failing = pool.index(
      { path: full, name: 'g.txt', sizeBytes: text.length },
      {
        onBatch: () => Promise.reject(new Error('disk full')),
        onRestart: async () => {},
      },
    );
    await expect(failing).rejects.toThrow('disk full');
  });

  it('holds the worker back while the writer is slow, and does not count the waiting', async () => {
    const slow = new ParsePool({ entry, limits: { ...limits, timeoutMs: 2_000 } });
    const full = path.join(folder, 'long.txt');
    const text = 'Some words that make a paragraph of their own.\n\n'.repeat(8_000);
    await writeFile(full, text);
    let atOnce = 0;
    let highest = 0;
    let batches = 0;
    const reply = await slow.index(
      { path: full, name: 'long.txt', sizeBytes: text.length },
      {
        onBatch: async () => {
          batches += 1;
          atOnce += 1;
          highest = Math.max(highest, atOnce);
          await new Promise((resolve) => setTimeout(resolve, 100));
          atOnce -= 1;
        },
        onRestart: async () => {},
      },
    );
    await slow.close();
    expect(reply.type).toBe('read');
    expect(highest).toBe(1);
    expect(batches).toBeGreaterThan(25);
  });

  it('says so when the worker can not be started', async () => {
    const broken = new ParsePool({ entry: path.join(folder, 'missing.ts'), limits });
    const full = path.join(folder, 'h.txt');
    await writeFile(full, 'text\n');
    const options = { onBatch: async () => {}, onRestart: async () => {} };
    await expect(broken.index({ path: full, name: 'h.txt', sizeBytes: 5 }, options)).rejects.toThrow(
      'missing.ts',
    );
    await broken.close();
  });
});
