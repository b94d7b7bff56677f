import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Chunk, Embedder } from '../../src/engine/document.ts';
import { OnnxEmbedder } from '../../src/engine/embed/onnx-embedder.ts';
import { catchUpVectors } from '../../src/engine/embed-catch-up.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { Store } from '../../src/engine/store/store.ts';
import { temporaryFolder, tinyEmbedderSpec } from './tiny-models.ts';

/** A library with one document of so many passages. */
async function libraryOf(count: number): Promise<Store> {
  const store = await Store.open({
    path: path.join(temporaryFolder(), 'library.db'),
    entries: sourceEntries,
  });
  onTestFinished(() => store.close());
  const folderId = await store.addFolder('/somewhere', 'somewhere');
  const id = await store.beginDocument(folderId, { path: 'notes.txt', sizeBytes: 1, modifiedAtMs: 1 });
  const chunks = Array.from({ length: count }, (_, index) => {
    const chunk: Chunk = {
      kind: 'prose',
      start: index,
      end: index + 1,
      text: `passage number ${index}`,
      headings: [],
    };
    const terms = {
      title: 'notes',
      headings: '',
      words: chunk.text,
      stems: chunk.text,
      language: 'en' as const,
    };
    return { chunk, terms };
  });
  await store.appendBatch(id, {
    blocks: [{ kind: 'paragraph', text: `${'x'.repeat(count)}\n`, spans: [] }],
    tables: [],
    chunks,
  });
  await store.finishDocument(id, {
    metadata: { kind: 'text', title: 'notes', language: 'en' },
    contentHash: 'a'.repeat(64),
    warnings: [],
    state: 'indexed',
  });
  return store;
}

const loadEmbedder = (): Promise<OnnxEmbedder> => OnnxEmbedder.load(tinyEmbedderSpec());

describe('catchUpVectors', () => {
  it('embeds every passage once, in batches, and finds it by its words', async () => {
    const store = await libraryOf(300);
    const embedder = await loadEmbedder();
    const progress: { done: number; total: number }[] = [];
    expect(await catchUpVectors({ store, embedder, onProgress: (now) => progress.push(now) })).toBe(300);
    expect(progress).toEqual([
      { done: 256, total: 300 },
      { done: 300, total: 300 },
    ]);
    expect(await catchUpVectors({ store, embedder })).toBe(0);
    const [query] = await embedder.embed(['notes passage number 217'], 'query');
    const [nearest] = await store.vectorCandidates(embedder.fingerprint, query!, undefined, 1);
    const [chunk] = await store.chunks([nearest!.chunkId]);
    expect(chunk!.text).toBe('passage number 217');
  });

  it('goes on where it was stopped', async () => {
    const store = await libraryOf(300);
    const embedder = await loadEmbedder();
    const cancel = new AbortController();
    const stopped = catchUpVectors({
      store,
      embedder,
      signal: cancel.signal,
      onProgress: () => cancel.abort(new Error('later')),
    });
    await expect(stopped).rejects.toThrow('later');
    expect(await store.vectorCoverage(embedder.fingerprint)).toEqual({ done: 256, total: 300 });
    expect(await catchUpVectors({ store, embedder })).toBe(44);
  });

  it('keeps what was stored when the embedder fails', async () => {
    const store = await libraryOf(300);
    const embedder = await loadEmbedder();
    let calls = 0;
    const failing: Embedder = {
      fingerprint: embedder.fingerprint,
      dimensions: embedder.dimensions,
      maxTokens: embedder.maxTokens,
      embed: (texts, role) => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('gone')) : embedder.embed(texts, role);
      },
    };
    await expect(catchUpVectors({ store, embedder: failing })).rejects.toThrow('gone');
    expect(await store.vectorCoverage(embedder.fingerprint)).toMatchObject({ done: 256 });
  });
});
