/** How does a library of synthetic passages come about? Through the store's own writer, as an index run would. */
import { createStemmer, indexTerms, type Stemmer } from '../../src/engine/language/stem.ts';
import { packBatch } from '../../src/engine/store/pack-batch.ts';
import type { DocumentBatch, StoreWriter } from '../../src/engine/store/types.ts';
import { type SyntheticOptions, syntheticPassages } from './synthetic.ts';

const PASSAGES_PER_DOCUMENT = 50;

/** Half Russian, half English words: stems are made for the one that has more of them. */
function languageOf(text: string): 'ru' | 'en' {
  const cyrillic = text.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  return cyrillic * 2 > text.length ? 'ru' : 'en';
}

function batchOf(passages: string[], stemmer: Stemmer): DocumentBatch {
  const batch: DocumentBatch = { blocks: [], tables: [], chunks: [] };
  let start = 0;
  for (const [at, text] of passages.entries()) {
    const end = start + text.length;
    const language = languageOf(text);
    batch.blocks.push({
      kind: 'paragraph',
      text,
      spans: [{ start: 0, end: text.length, anchor: { kind: 'lines', from: at + 1, to: at + 1 } }],
    });
    batch.chunks.push({
      chunk: { kind: 'prose', start, end, text, headings: [] },
      terms: { title: '', headings: '', ...indexTerms(text, language, stemmer), language },
    });
    start = end;
  }
  return batch;
}

/** Writes the passages as documents of fifty; the number of passages so far is told after each. */
export async function fillLibrary(
  store: StoreWriter,
  options: SyntheticOptions,
  onProgress: (passages: number) => void,
): Promise<void> {
  const folderId = await store.addFolder('/synthetic', 'synthetic');
  const stemmer = createStemmer();
  let pending: string[] = [];
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const batch = batchOf(pending, stemmer);
    const number = written / PASSAGES_PER_DOCUMENT;
    written += pending.length;
    pending = [];
    // The next document's words are found while the one before is written.
    await writing;
    writing = writeDocument(store, folderId, number, batch);
    onProgress(written);
  };
  for (const passage of syntheticPassages(options)) {
    pending.push(passage);
    if (pending.length === PASSAGES_PER_DOCUMENT) await flush();
  }
  if (pending.length > 0) await flush();
  await writing;
  await store.optimise();
}

async function writeDocument(
  store: StoreWriter,
  folderId: number,
  number: number,
  batch: DocumentBatch,
): Promise<void> {
  const title = `synthetic ${number}`;
  const id = await store.beginDocument(folderId, {
    path: `${title}.txt`,
    sizeBytes: 1,
    modifiedAtMs: Date.UTC(2025, 0, 1),
  });
  await store.appendBatch(id, packBatch(batch));
  await store.finishDocument(id, {
    metadata: { kind: 'text', title, language: 'und' },
    contentHash: String(number),
    warnings: [],
    state: 'indexed',
  });
}
