/** What does the worst file do? A worker whose files say by their names what happens. */
import { setTimeout as delay } from 'node:timers/promises';
import type { IndexReply, IndexTask } from '../../src/engine/index-messages.ts';
import { index as indexForReal } from '../../src/engine/index-worker.ts';

const MIB = 1024 * 1024;
/** Node has it; the types of Node leave it out. */
const { Memory } = WebAssembly as unknown as {
  Memory: new (size: {
    initial: number;
    maximum: number;
  }) => { buffer: ArrayBuffer; grow(pages: number): number };
};

/** Reads like the real worker, but for files named for a misdeed. */
export async function index(task: IndexTask): Promise<IndexReply> {
  const misdeed = /^([a-z]+)!/.exec(task.file.name)?.[1];
  if (misdeed === 'buffers') inflateBuffers();
  if (misdeed === 'wasm') growWebAssembly();
  if (misdeed === 'loop') for (;;);
  if (misdeed === 'wait') await delay(600_000);
  if (misdeed === 'exit') process.exit(0);
  if (misdeed === 'heap') fillHeap();
  if (misdeed === 'late') throwLater();
  if (misdeed === 'outside') await throwOutside();
  if (misdeed === 'modest') await takeModestly();
  return indexForReal(task);
}

/** Three gigabytes that the heap limit does not see. */
function inflateBuffers(): void {
  const kept: Buffer[] = [];
  for (let mib = 0; mib < 3072; mib += 16) kept.push(Buffer.alloc(16 * MIB, 1));
}

function growWebAssembly(): void {
  const memory = new Memory({ initial: 1, maximum: 49_152 });
  for (let pages = 1; pages < 49_152 - 256; pages += 256) {
    const before = memory.buffer.byteLength;
    memory.grow(256);
    new Uint8Array(memory.buffer, before).fill(1);
  }
}

function fillHeap(): void {
  const kept: unknown[] = [];
  for (;;) kept.push({ text: `${kept.length}`, more: [kept.length] });
}

/** The file is read well, and the harm comes when the next one is under way. */
function throwLater(): void {
  setTimeout(() => {
    throw new Error('too late');
  }, 200);
}

async function throwOutside(): Promise<void> {
  setTimeout(() => {
    throw new Error('outside');
  }, 10);
  await delay(60_000);
}

/** Memory that is allowed, held long enough to meet somebody greedy. */
async function takeModestly(): Promise<void> {
  const kept = Buffer.alloc(64 * MIB, 1);
  await delay(1_000);
  if (kept[0] !== 1) throw new Error('lost');
}
