/** What does a run over unchanged files cost, beside a mere walk over them? */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { indexFolder } from '../../src/engine/index-folder.ts';
import { type Section, scaled, timed } from './bench-context.ts';
import { makeSmallFiles } from './corpus.ts';
import { openLibrary } from './open-library.ts';
import { median } from './report.ts';

const FILES = 10_000;
const ROUNDS = 7;
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

export const measureRestart: Section = async (context) => {
  const corpus = makeSmallFiles(context.folder('small'), scaled(FILES, context, 200));
  const library = await openLibrary(context.folder('library'));
  try {
    const { store, pool } = library;
    const id = await store.addFolder(corpus.folder, 'small');
    const folder = { id, path: corpus.folder };
    context.note(`indexing ${corpus.files} small files`);
    const first = await timed(() => indexFolder({ store, pool, folder }));
    const again = async () => {
      const { unchanged } = await indexFolder({ store, pool, folder });
      if (unchanged !== corpus.files) throw new Error(`Only ${unchanged} files were found unchanged.`);
    };
    await walk(corpus.folder);
    await again();
    const walks: number[] = [];
    const runs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      walks.push((await timed(() => walk(corpus.folder))).ms);
      runs.push((await timed(again)).ms);
    }
    return [
      {
        section: 'restart',
        what: `${corpus.files.toLocaleString('en')} unchanged files against a walk`,
        value: median(runs.map((ms, round) => ms / walks[round]!)),
        unit: 'x',
        atMost: 1.5,
        note: `run ${median(runs).toFixed(0)} ms, walk ${median(walks).toFixed(0)} ms; first run ${(first.ms / 1000).toFixed(1)} s`,
      },
    ];
  } finally {
    await library.close();
  }
};
