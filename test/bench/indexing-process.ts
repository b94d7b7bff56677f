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
  documents: number;
  failed: number;
  elapsedMs: number;
}

const [libraryPath, folderPath] = process.argv.slice(2) as [string, string];
const engine = await createEngine({ libraryPath, modelFolders: [], version: 'bench' });
const samples: MemorySample[] = [];
const sampling = setInterval(() => {
  samples.push({ resident: process.memoryUsage.rss(), held: heldBytes() });
}, SAMPLE_EVERY_MS);
const { id } = await engine.folders.add(folderPath);
const { documents, failed, elapsedMs } = await engine.folders.index(id);
clearInterval(sampling);
await engine.close();
process.stdout.write(JSON.stringify({ samples, documents, failed, elapsedMs } satisfies MemoryRun));
