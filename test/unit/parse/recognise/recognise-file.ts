/** How does a test read a file with the words of its pictures? */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Block, type DocumentMetadata, ParseFailure } from '../../../../src/engine/document.ts';
import { kindOf, parseDocument } from '../../../../src/engine/parse/parse-document.ts';
import { openPictures } from '../../../../src/engine/parse/recognise/page-pictures.ts';
import { type RecognisedPage, toRecord } from '../../../../src/engine/parse/recognise/recognised-page.ts';
import { Recogniser } from '../../../../src/engine/parse/recognise/recogniser.ts';

export const languagesPath = fileURLToPath(new URL('../../../../resources/recognition', import.meta.url));

export interface ReadFile {
  blocks: Block[];
  text: string;
  metadata: DocumentMetadata;
  warnings: string[];
  /** Why the file gave no text. */
  failure?: ParseFailure;
  pages: RecognisedPage[];
}

/** First pass, recognition of what it names (at most `mostPages`), second pass: what the second one gives. */
export async function recogniseFile(name: string, bytes: Uint8Array, mostPages = 100): Promise<ReadFile> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-recognise-'));
  const file = { path: path.join(folder, name), name, sizeBytes: bytes.length };
  const recognisedPath = path.join(folder, 'pages.jsonl');
  await writeFile(file.path, bytes);
  try {
    const { metadata } = await readParts(file);
    const recogniser = await Recogniser.open(languagesPath);
    const pictures = await openPictures(await kindOf(file), file);
    const pages: RecognisedPage[] = [];
    for (const page of (metadata.pagesToRecognise ?? []).slice(0, mostPages)) {
      const picture = await pictures?.picture(page);
      if (picture) pages.push(recogniser.read(picture, page));
    }
    await writeFile(recognisedPath, pages.map(toRecord).join(''));
    return { ...(await readParts({ ...file, recognisedPath })), pages };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readParts(file: Parameters<typeof parseDocument>[0]): Promise<Omit<ReadFile, 'pages'>> {
  const read: Omit<ReadFile, 'pages'> = { blocks: [], text: '', metadata: {}, warnings: [] };
  try {
    for await (const part of parseDocument(file, new AbortController().signal)) {
      if (part.type === 'block') read.blocks.push(part.block);
      else if (part.type === 'metadata') Object.assign(read.metadata, part.metadata);
      else if (part.type === 'warning') read.warnings.push(`${part.warning.code}: ${part.warning.message}`);
    }
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    read.failure = error;
  }
  read.text = read.blocks.map(({ text }) => text).join('');
  return read;
}
