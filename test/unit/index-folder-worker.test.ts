import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SourceFile } from '../../src/engine/document.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import type { IndexReply } from '../../src/engine/index-messages.ts';
import { type IndexOptions, ParsePool } from '../../src/engine/parse-pool.ts';
import { type UnpackedBatch, unpackBatch } from '../../src/engine/store/pack-batch.ts';

let folder: string;
let pool: ParsePool;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-worker-'));
  pool = new ParsePool({ entry: sourceEntries.indexWorker });
});

afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, content: string | Buffer): Promise<SourceFile> {
  const full = path.join(folder, name);
  await writeFile(full, content);
  return { path: full, name, sizeBytes: Buffer.byteLength(content) };
}

/** What comes of a file: the reply, and every batch with the one that comes with the reply. */
async function read(
  source: SourceFile,
  options: Partial<IndexOptions> = {},
): Promise<{ reply: IndexReply; batches: UnpackedBatch[] }> {
  const batches: UnpackedBatch[] = [];
  const reply = await pool.index(source, {
    onBatch: async (batch) => void batches.push(unpackBatch(batch.packed)),
    onRestart: async () => {},
    ...options,
  });
  if (reply.type === 'read' && reply.rest) batches.push(unpackBatch(reply.rest.packed));
  return { reply, batches };
}

/** Twelve paragraphs on one subject, twelve on another. */
const prose = [
  'The harbour was busy with ships and sailors that year.',
  'Bread needs flour, water, salt and time.',
]
  .map((sentence) => `${`${sentence} `.repeat(12)}\n\n`.repeat(12))
  .join('');

describe('ParsePool with the real worker', { timeout: 60_000 }, () => {
  it('gives batches whose chunks are ranges of the blocks', async () => {
    const { reply, batches } = await read(await file('prose.txt', prose));
    expect(reply).toMatchObject({
      type: 'read',
      document: {
        state: 'indexed',
        metadata: { kind: 'text', title: 'prose', language: 'en' },
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/u),
      },
    });
    const text = batches.flatMap((batch) => batch.blocks.map((block) => block.text)).join('');
    const chunks = batches.flatMap((batch) => batch.chunks);
    expect(chunks.length).toBe(reply.type === 'read' ? reply.chunks : -1);
    for (const { terms, ...chunk } of chunks) {
      if (chunk.kind === 'prose') expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
      expect(terms.language).toBe('en');
      expect(terms.words).not.toBe('');
    }
  });

  it('asks for similarity across the threads, and cuts without it when there is none', async () => {
    const source = await file('subjects.txt', prose);
    let asked = 0;
    const cut = async (similarity: (sentences: string[]) => Promise<number[]>) => {
      const { batches } = await read(source, { similarity });
      return batches.flatMap(({ chunks }) => chunks.map(({ end }) => end));
    };
    const ends = await cut(async (sentences) => {
      asked += 1;
      return sentences.slice(1).map((sentence, index) => (sentence === sentences[index] ? 1 : 0));
    });
    expect(asked).toBeGreaterThan(0);
    expect(ends.length).toBeGreaterThan(1);
    const failing = await cut(() => Promise.reject(new Error('the model is away')));
    expect(failing.length).toBeGreaterThan(1);
  });

  it('finds unchanged content by its hash, without reading it', async () => {
    const source = await file('same.txt', 'the same\n');
    const options = { onBatch: async () => {}, onRestart: async () => {} };
    const first = await pool.index(source, options);
    const knownHash = first.type === 'read' ? first.document.contentHash : '';
    expect(await pool.index(source, { ...options, knownHash })).toEqual({ type: 'unchanged' });
  });

  it('extracts all parts of one file', async () => {
    const source = await file('notes.md', '# Title\n\nFirst words.\n\nSecond words.\n');
    const extracted = await pool.extract(source);
    expect(extracted.blocks.map((block) => [block.kind, block.text])).toEqual([
      ['heading', 'Title\n'],
      ['paragraph', 'First words.\n'],
      ['paragraph', 'Second words.\n'],
    ]);
    expect(extracted.metadata).toMatchObject({ kind: 'markdown' });
  });

  it('makes a view in the worker', async () => {
    const view = await pool.view(
      'text',
      await file('old.txt', Buffer.from('cf f0 e8 e2 e5 f2'.replaceAll(' ', ''), 'hex')),
    );
    expect(Buffer.from(view.bytes).toString('utf8')).toContain('Привет');
  });

  it('throws ParseFailure where somebody waits for one file', async () => {
    const missing = { path: path.join(folder, 'missing.txt'), name: 'missing.txt', sizeBytes: 1 };
    await expect(pool.extract(missing)).rejects.toMatchObject({
      reason: 'gone',
      code: 'DOCUMENT_UNREADABLE',
    });
    await expect(pool.view('pdf', await file('a.pdf', '%PDF-'))).rejects.toMatchObject({
      reason: 'unsupported',
    });
  });
});

/** Packages that a file of ours loads, by all the files that it imports. */
function packagesOf(entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    // Types are gone when the code runs.
    const text = readFileSync(file, 'utf8').replace(/^(import|export) type [^;]*;/gmu, '');
    for (const [, from = '', lazily = ''] of text.matchAll(/from '([^']+)'|import\('([^']+)'\)/gu)) {
      const target = from || lazily;
      if (target.startsWith('.')) waiting.push(path.join(path.dirname(file), target));
      else packages.add(target);
    }
  }
  return packages;
}

describe('The parse worker', () => {
  it('loads no native code, by whatever road', () => {
    const packages = packagesOf(sourceEntries.indexWorker);
    expect(packages).toContain('@embedpdf/pdfium');
    for (const native of ['onnxruntime-node', 'better-sqlite3', 'sqlite-vec', 'usearch', 'node-llama-cpp']) {
      expect(packages).not.toContain(native);
    }
  });
});
