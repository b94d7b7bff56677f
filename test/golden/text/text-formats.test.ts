/** Do the text formats still read as they did? UPDATE=1 writes what they read now. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createChunker } from '../../../src/engine/chunk/chunk-document.ts';
import type { Chunk, Part } from '../../../src/engine/document.ts';
import { parseDocument } from '../../../src/engine/parse/parse-document.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const originals = (
  await Promise.all(
    ['text', 'markdown', 'html', 'code', 'mail'].map(async (format) =>
      (
        await readdir(path.join(root, format))
      )
        .filter((name) => !/\.(json|test\.ts)$/.test(name))
        .map((name) => `${format}/${name}`),
    ),
  )
).flat();

async function readAll(file: string): Promise<{ parts: Part[]; chunks: Chunk[] }> {
  const { size } = await stat(file);
  const parts: Part[] = [];
  const chunks: Chunk[] = [];
  const chunker = createChunker();
  const source = { path: file, name: path.basename(file), sizeBytes: size };
  for await (const part of parseDocument(source, new AbortController().signal)) {
    parts.push(part);
    chunks.push(...(await chunker.push(part)));
  }
  chunks.push(...(await chunker.end()));
  return { parts, chunks };
}

/** One part or chunk a line, so that a change shows as a line. */
function write({ parts, chunks }: { parts: Part[]; chunks: Chunk[] }): string {
  const lines = (values: unknown[]): string =>
    values.map((value) => `    ${JSON.stringify(value)}`).join(',\n');
  return `{\n  "parts": [\n${lines(parts)}\n  ],\n  "chunks": [\n${lines(chunks)}\n  ]\n}\n`;
}

describe('golden text formats', () => {
  it.each(originals)('%s reads as before', async (name) => {
    const file = path.join(root, name);
    const found = write(await readAll(file));
    const golden = `${file}.json`;
    if (process.env.UPDATE === '1') await writeFile(golden, found);
    expect(found).toBe(await readFile(golden, 'utf8'));
  });
});
