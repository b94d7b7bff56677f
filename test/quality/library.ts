/** How does a quality test get a library of the test data? Indexed once per run into a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { catchUpVectors } from '../../src/engine/embed-catch-up.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { indexFolder } from '../../src/engine/index-folder.ts';
import { createModels } from '../../src/engine/model-host.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import type { WeightedEmbedder } from '../../src/engine/search.ts';
import { Store } from '../../src/engine/store/store.ts';
import type { StoreApi } from '../../src/engine/store/types.ts';

export interface TestLibrary {
  store: StoreApi;
  close(): Promise<void>;
}

/** Indexes folders into a new library and gives every passage its vectors; `close` removes it. */
export async function openTestLibrary(
  folders: string | string[],
  embedders: WeightedEmbedder[] = [],
): Promise<TestLibrary> {
  const home = await mkdtemp(path.join(tmpdir(), 'lectern-quality-'));
  const store = await Store.open({ path: path.join(home, 'library.db'), entries: sourceEntries });
  const pool = new ParsePool({ entry: sourceEntries.indexWorker });
  for (const [number, folder] of [folders].flat().entries()) {
    const id = await store.addFolder(folder, `${number}-${path.basename(folder)}`);
    await indexFolder({ store, pool, folder: { id, path: folder } });
  }
  await pool.close();
  for (const { embedder } of embedders) await catchUpVectors({ store, embedder });
  return {
    store,
    close: async () => {
      await store.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export interface TestEmbedders {
  /** The built-in one; none where its files are not there. */
  embedders: WeightedEmbedder[];
  close(): Promise<void>;
}

/** The embedder that ships with the program. */
export async function openBuiltIn(
  folder = fileURLToPath(new URL('../../models', import.meta.url)),
): Promise<TestEmbedders> {
  const models = createModels({
    folders: [folder],
    entry: sourceEntries.modelProcess,
    starterEntry: sourceEntries.starterThread,
  });
  const starter = await models.starter();
  if (!starter) console.warn('the built-in embedder is not here: search is by words');
  return { embedders: starter ? [starter] : [], close: () => models.close() };
}
