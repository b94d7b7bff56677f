/** What does a parser give for a file made by a test? */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Block, DocumentMetadata, Parser, SourceFile, Table } from '../../src/engine/document.ts';

export interface ReadDocument {
  /** The document's normalised text. */
  text: string;
  /** With their offset in the text. */
  blocks: (Block & { offset: number })[];
  tables: Table[];
  metadata: DocumentMetadata;
  warnings: string[];
}

export async function readAll(
  parse: Parser,
  file: SourceFile,
  signal = AbortSignal.timeout(60_000),
): Promise<ReadDocument> {
  const read: ReadDocument = { text: '', blocks: [], tables: [], metadata: {}, warnings: [] };
  for await (const part of parse(file, signal)) {
    if (part.type === 'block') {
      read.blocks.push({ ...part.block, offset: read.text.length });
      read.text += part.block.text;
    } else if (part.type === 'table') read.tables.push(part.table);
    else if (part.type === 'metadata') Object.assign(read.metadata, part.metadata);
    else if (part.type === 'warning') read.warnings.push(part.warning.code);
  }
  return read;
}

export async function sourceFile(file: string, name = path.basename(file)): Promise<SourceFile> {
  return { path: file, name, sizeBytes: (await stat(file)).size };
}

/** Writes bytes into a temporary folder, which is gone after `use`. */
export async function withFile<Result>(
  name: string,
  bytes: Uint8Array | string,
  use: (file: SourceFile) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-parse-'));
  try {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    return await use(await sourceFile(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
