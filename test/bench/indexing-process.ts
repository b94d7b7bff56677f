/** How much memory does a process hold that does nothing but index? Usage: indexing-process.ts LIBRARY FOLDER; prints JSON. */
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
  /** The same files, read once more: where memory does not grow with time, the curve is the same. */
  again: MemorySample[];
  documents: number;
  failed: number;
  elapsedMs: number;
}

const [libraryPath, folderPath] = process.argv.slice(2) as [string, string];
const engine = await createEngine({ libraryPath, modelFolders: [], version: 'bench' });
const samples: MemorySample[] = [];
const again: MemorySample[] = [];
let current = samples;
const sampling = setInterval(() => {
  current.push({ resident: process.memoryUsage.rss(), held: heldBytes() });
}, SAMPLE_EVERY_MS);
const { id } = await engine.folders.add(folderPath);
const { documents, failed, elapsedMs } = await engine.folders.index(id);
// A call in the same turn would join the run that has just ended.
await new Promise((resolve) => setImmediate(resolve));
current = again;
await engine.folders.index(id, true);
clearInterval(sampling);
await engine.close();
process.stdout.write(JSON.stringify({ samples, again, documents, failed, elapsedMs } satisfies MemoryRun));
