/** How does a test read a PDF that it holds in memory? */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Block, DocumentMetadata } from '../../../../src/engine/document.ts';
import { parsePdf } from '../../../../src/engine/parse/pdf/parse-pdf.ts';

export interface ReadPdf {
  blocks: Block[];
  text: string;
  metadata: DocumentMetadata;
  warnings: string[];
}

export async function readPdf(bytes: Uint8Array, signal = new AbortController().signal): Promise<ReadPdf> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-pdf-'));
  const file = path.join(folder, 'made.pdf');
  await writeFile(file, bytes);
  try {
    return await readPdfFile(file, signal);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function readPdfFile(file: string, signal = new AbortController().signal): Promise<ReadPdf> {
  const read: ReadPdf = { blocks: [], text: '', metadata: {}, warnings: [] };
  for await (const part of parsePdf({ path: file, name: path.basename(file), sizeBytes: 0 }, signal)) {
    if (part.type === 'block') read.blocks.push(part.block);
    else if (part.type === 'metadata') Object.assign(read.metadata, part.metadata);
    else if (part.type === 'warning') read.warnings.push(`${part.warning.code}: ${part.warning.message}`);
  }
  read.text = read.blocks.map((block) => block.text).join('');
  return read;
}
