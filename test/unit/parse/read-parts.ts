/** What does a parser yield for a file of these bytes? Shared by the tests of the text formats. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Block, DocumentMetadata, Part, SourceFile } from '../../../src/engine/document.ts';
import { parseDocument } from '../../../src/engine/parse/parse-document.ts';

export interface ReadParts {
  parts: Part[];
  blocks: Block[];
  metadata: DocumentMetadata;
  text: string;
}

/** Writes the bytes to a temporary folder and hands the file over; the folder goes afterwards. */
export async function withFile<T>(
  name: string,
  content: string | Uint8Array,
  use: (file: SourceFile) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-parse-'));
  try {
    const file = path.join(folder, name);
    const bytes = Buffer.from(content as string);
    await writeFile(file, bytes);
    return await use({ path: file, name, sizeBytes: bytes.length });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All parts of one document. */
export async function readFileParts(file: SourceFile): Promise<ReadParts> {
  const parts: Part[] = [];
  let metadata: DocumentMetadata = {};
  for await (const part of parseDocument(file, new AbortController().signal)) {
    parts.push(part);
    if (part.type === 'metadata') metadata = { ...metadata, ...part.metadata };
  }
  const blocks = parts.flatMap((part) => (part.type === 'block' ? [part.block] : []));
  return { parts, blocks, metadata, text: blocks.map((block) => block.text).join('') };
}

export function readParts(name: string, content: string | Uint8Array): Promise<ReadParts> {
  return withFile(name, content, readFileParts);
}
