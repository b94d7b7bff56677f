/** How do the store's tests open a library and put documents into it? */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DocumentKind } from '../../src/api/types.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { createStemmer, indexTerms } from '../../src/engine/language/stem.ts';
import { type PackedBatch, packBatch } from '../../src/engine/store/pack-batch.ts';
import { Store } from '../../src/engine/store/store.ts';
import type { DocumentBatch, StoreWriter } from '../../src/engine/store/types.ts';

export const temporaryLibrary = (): string =>
  path.join(mkdtempSync(path.join(tmpdir(), 'lectern-store-')), 'library.db');

export const openLibrary = (file: string): Promise<Store> =>
  Store.open({ path: file, entries: sourceEntries });

/** One block and one chunk per paragraph. */
export function batchOf(paragraphs: string[], from = 0): DocumentBatch {
  const stemmer = createStemmer();
  const batch: DocumentBatch = { blocks: [], tables: [], chunks: [] };
  let start = from;
  for (const [i, paragraph] of paragraphs.entries()) {
    const text = `${paragraph}\n`;
    const end = start + text.length;
    const anchor = { kind: 'lines', from: i + 1, to: i + 1 } as const;
    batch.blocks.push({ kind: 'paragraph', text, spans: [{ start: 0, end: text.length, anchor }] });
    batch.chunks.push({
      chunk: { kind: 'prose', start, end, text, headings: [] },
      terms: { title: '', headings: '', ...indexTerms(text, 'en', stemmer), language: 'en' },
    });
    start = end;
  }
  return batch;
}

/** The same, ready for the writer. */
export const packedOf = (paragraphs: string[]): PackedBatch => packBatch(batchOf(paragraphs));

export interface Given {
  path: string;
  paragraphs: string[];
  kind?: DocumentKind;
  date?: string;
  isArchived?: boolean;
}

export async function addDocument(store: StoreWriter, folderId: number, given: Given): Promise<number> {
  const id = await store.beginDocument(folderId, {
    path: given.path,
    sizeBytes: 1,
    modifiedAtMs: Date.UTC(2024, 0, 31),
    ...(given.isArchived !== undefined && { isArchived: given.isArchived }),
  });
  await store.appendBatch(id, packedOf(given.paragraphs));
  await store.finishDocument(id, {
    metadata: {
      kind: given.kind ?? 'text',
      title: given.path,
      language: 'en',
      ...(given.date !== undefined && { date: given.date }),
    },
    contentHash: 'hash',
    warnings: [],
    state: 'indexed',
  });
  return id;
}

/** A question of these words, each its own stem. */
export const ask = (...words: string[]) => ({ terms: words.map((word) => ({ word, stems: [word] })) });
