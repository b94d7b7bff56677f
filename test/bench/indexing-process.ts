/** How much memory does a process hold that does nothing but index? Usage: indexing-process.ts LIBRARY FOLDER PASSES; prints JSON. */
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../src/engine/engine.ts';
import { heldBytes } from '../../src/engine/index-memory.ts';

const SAMPLE_EVERY_MS = 100;

/** One look at the process: all resident bytes, and those without mapped files. */
export interface MemorySample {
  resident: number;
  held: number;
}

export interface MemoryRun {
  samples: MemorySample[];
  /** The same files, read again and again: where memory does not grow with time, the curves are the same. */
  again: MemorySample[][];
  documents: number;
  failed: number;
  chunks: number;
  /** What was read in part, or not at all. */
  warnings: string[];
  elapsedMs: number;
}

const [libraryPath, folderPath, passes] = process.argv.slice(2) as [string, string, string];
// With the built-in embedder, as the product indexes.
const modelFolders = [fileURLToPath(new URL('../../models', import.meta.url))];
const engine = await createEngine({ libraryPath, modelFolders, version: 'bench' });
const models = await engine.modelManager.list();
if (!models.some(({ kind, isInUse }) => kind === 'embedder' && isInUse))
  throw new Error('the built-in embedder can’t be used: "lectern models check" says why');
const samples: MemorySample[] = [];
const again: MemorySample[][] = [];
let current = samples;
const sampling = setInterval(() => {
  current.push({ resident: process.memoryUsage.rss(), held: heldBytes() });
}, SAMPLE_EVERY_MS);
const { id } = await engine.folders.add(folderPath);
const { documents, failed, chunks, elapsedMs } = await engine.folders.index(id);
for (let pass = 1; pass < Number(passes); pass += 1) {
  // A call in the same turn would join the run that has just ended.
  await new Promise((resolve) => setImmediate(resolve));
  current = [];
  again.push(current);
  await engine.folders.index(id, true);
}
clearInterval(sampling);
const { rows } = await engine.store.documents({ limit: 100, offset: 0 });
const warnings = rows
  .flatMap((row) => [row.message ?? [], ...row.warnings.map(({ message }) => message)])
  .flat();
await engine.close();
const run: MemoryRun = {
  samples,
  again,
  documents,
  failed,
  chunks,
  warnings: warnings.slice(0, 10),
  elapsedMs,
};
process.stdout.write(JSON.stringify(run));
