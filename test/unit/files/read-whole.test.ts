import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Part } from '../../../src/engine/document.ts';
import { hashFile } from '../../../src/engine/files/hash-file.ts';
import { readWhole } from '../../../src/engine/files/read-whole.ts';
import { parseDocument } from '../../../src/engine/parse/parse-document.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-whole-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lay(name: string, content: string | Buffer): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

describe('readWhole', () => {
  it('gives all bytes with the hash that hashFile gives', async () => {
    for (const content of ['', 'one line\n', 'я'.repeat(5_000)]) {
      const full = lay('whole.txt', content);
      const { bytes, contentHash } = readWhole(full, 10_000)!;
      expect(Buffer.from(bytes).toString('utf8')).toBe(content);
      expect(contentHash).toBe(await hashFile(full));
    }
  });

  it('leaves what is larger, and says what the system says of what is absent', () => {
    expect(readWhole(lay('large.txt', 'x'.repeat(101)), 100)).toBeUndefined();
    symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'dangling'));
    expect(() => readWhole(path.join(folder, 'dangling'), 100)).toThrow(/ENOENT/);
  });
});

describe('a file whose bytes are at hand', () => {
  const never = new AbortController().signal;
  const partsOf = async (source: Parameters<typeof parseDocument>[0]): Promise<Part[]> => {
    const parts: Part[] = [];
    for await (const part of parseDocument(source, never)) parts.push(part);
    return parts;
  };

  it.each([
    ['plain.txt', 'A TITLE\n\nWords of a paragraph.\n- one\n- two\n'],
    ['marked.txt', Buffer.from('\ufeffС меткой порядка байтов.\n', 'utf8')],
    ['wide.txt', Buffer.from('\ufeffДва байта на знак.\n', 'utf16le')],
    ['old.txt', Buffer.from('cff0e8e2e5f22c20ece8f00a', 'hex')],
    ['late.txt', `${'ascii words only\n'.repeat(6_000)}и в самом конце русские\n`],
    ['page.html', '<html><head><title>Page</title></head><body><h1>Head</h1><p>Text</p></body></html>'],
    ['table.csv', 'name,sum\nanna,12\nboris,7\n'],
    ['notes.md', '# Notes\n\nText *with* marks.\n'],
    ['code.ts', 'export function one(): number {\n  return 1;\n}\n'],
  ])('is read as it is from the disk: %s', async (name, content) => {
    const full = lay(name, content);
    const source = { path: full, name, sizeBytes: Buffer.byteLength(content) };
    const { bytes } = readWhole(full, 1_000_000)!;
    const fromBytes = await partsOf({ ...source, bytes });
    expect(fromBytes.length).toBeGreaterThan(1);
    expect(fromBytes).toEqual(await partsOf(source));
  });
});
