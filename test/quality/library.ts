/** How does a quality test get a library of the test data? Indexed once per run into a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sourceEntries } from '../../src/engine/entries.ts';
import { indexFolder } from '../../src/engine/index-folder.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import { Store } from '../../src/engine/store/store.ts';
import type { StoreApi } from '../../src/engine/store/types.ts';

export interface TestLibrary {
  store: StoreApi;
  close(): Promise<void>;
}

/** Indexes a folder into a new library; `close` removes it. */
export async function openTestLibrary(folder: string): Promise<TestLibrary> {
  const home = await mkdtemp(path.join(tmpdir(), 'lectern-quality-'));
  const store = await Store.open({ path: path.join(home, 'library.db'), entries: sourceEntries });
  const pool = new ParsePool({ entry: sourceEntries.indexWorker });
  const id = await store.addFolder(folder, path.basename(folder));
  await indexFolder({ store, pool, folder: { id, path: folder } });
  await pool.close();
  return {
    store,
    close: async () => {
      await store.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
