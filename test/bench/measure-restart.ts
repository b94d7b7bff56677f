/** What does a run over unchanged files cost, beside a mere walk over them? */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { indexFolder } from '../../src/engine/index-folder.ts';
import { processorMs, type Section, scaled } from './bench-context.ts';
import { makeSmallFiles } from './corpus.ts';
import { openLibrary } from './open-library.ts';
import { median } from './report.ts';

const FILES = 10_000;
const ROUNDS = 11;
/** As many questions to the file system under way at once as the engine has. */
const AT_ONCE = 64;

/** Lists every folder and asks for the size and time of every file; returns the number of files. */
async function walk(folder: string): Promise<number> {
  let count = 0;
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const batch = files.slice(from, from + AT_ONCE);
    await Promise.all(batch.map((entry) => stat(path.join(folder, entry.name))));
    count += batch.length;
  }
  for (const entry of entries) {
    if (entry.isDirectory()) count += await walk(path.join(folder, entry.name));
  }
  return count;
}

interface Cost {
  ms: number;
  processorMs: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [start, startProcessor] = [performance.now(), processorMs()];
  await work();
  return { ms: performance.now() - start, processorMs: processorMs() - startProcessor };
}

export const measureRestart: Section = async (context) => {
  const corpus = makeSmallFiles(context.folder('small'), scaled(FILES, context, 200));
  const library = await openLibrary(context.folder('library'));
  try {
    const { store, pool } = library;
    const id = await store.addFolder(corpus.folder, 'small');
    const folder = { id, path: corpus.folder };
    context.note(`indexing ${corpus.files} small files`);
    const first = await costOf(() => indexFolder({ store, pool, folder }));
    const again = async () => {
      const { unchanged } = await indexFolder({ store, pool, folder });
      if (unchanged !== corpus.files) throw new Error(`Only ${unchanged} files were found unchanged.`);
    };
    await walk(corpus.folder);
    await again();
    const walks: Cost[] = [];
    const runs: Cost[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      walks.push(await costOf(() => walk(corpus.folder)));
      runs.push(await costOf(again));
    }
    const middle = (costs: Cost[]) => median(costs.map(({ ms }) => ms)).toFixed(0);
    const ratio = (key: keyof Cost) => median(runs.map((run, round) => run[key] / walks[round]![key]));
    return [
      {
        section: 'restart',
        what: `${corpus.files.toLocaleString('en')} unchanged files against a walk`,
        value: ratio('ms'),
        unit: 'x',
        atMost: 1.5,
        note: `run ${middle(runs)} ms, walk ${middle(walks)} ms; by processor time ${ratio('processorMs').toFixed(2)} ×; first run ${(first.ms / 1000).toFixed(1)} s, of processor time ${(first.processorMs / 1000).toFixed(1)} s`,
      },
    ];
  } finally {
    await library.close();
  }
};
