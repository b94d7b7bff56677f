/** Indexes one folder in a process of its own, for tests that kill it or take its rights away. Arguments: library, folder. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceEntries } from '../../src/engine/entries.ts';
import { indexFolder } from '../../src/engine/index-folder.ts';
import { createModels } from '../../src/engine/model-host.ts';
import { ParsePool } from '../../src/engine/parse-pool.ts';
import { Store } from '../../src/engine/store/store.ts';

const [libraryPath = '', folderPath = ''] = process.argv.slice(2);
const store = await Store.open({ path: path.join(libraryPath, 'library.db'), entries: sourceEntries });
const pool = new ParsePool({
  entry: sourceEntries.indexWorker,
  membersFolder: path.join(libraryPath, 'members'),
});
const models = createModels({
  folders: [fileURLToPath(new URL('../../models', import.meta.url))],
  entry: sourceEntries.modelProcess,
  starterEntry: sourceEntries.starterThread,
});
const embedder = (await models.starter())?.embedder;
if (!embedder) throw new Error('The built-in embedder is absent.');
let folder = (await store.folders()).find((candidate) => candidate.path === folderPath);
if (!folder) {
  await store.addFolder(folderPath, 'folder');
  folder = (await store.folders())[0]!;
}
process.stdout.write('ready\n');
const summary = await indexFolder({ store, pool, folder, embedder });
const { rows } = await store.documents({ state: 'failed', limit: 1000, offset: 0 });
const failed = rows.map((row) => [row.path, row.reason]);
process.stdout.write(`${JSON.stringify({ summary, failed })}\n`);
await pool.close();
await models.close();
await store.close();
