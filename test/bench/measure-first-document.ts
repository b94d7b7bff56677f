/** How soon after choosing a folder can something be found in it? */
import { setTimeout as pause } from 'node:timers/promises';
import { createEngine } from '../../src/engine/engine.ts';
import { type BenchContext, type Section, scaled } from './bench-context.ts';
import { makeMixedCorpus } from './corpus.ts';
import { median } from './report.ts';

const FILES = 2_000;
const ROUNDS = 3;
const LOOK_EVERY_MS = 5;

/** A running application whose workers were not needed yet. */
async function oneRound(context: BenchContext, folder: string): Promise<number> {
  const engine = await createEngine({
    libraryPath: context.folder('library'),
    modelFolders: [],
    version: 'bench',
  });
  try {
    await engine.store.folders();
    const start = performance.now();
    const { id } = await engine.folders.add(folder);
    const indexing = engine.folders.index(id);
    indexing.catch(() => undefined);
    while ((await engine.store.counts()).indexed === 0) await pause(LOOK_EVERY_MS);
    const found = performance.now() - start;
    await engine.folders.cancel(id);
    return found;
  } finally {
    await engine.close();
  }
}

export const measureFirstDocument: Section = async (context) => {
  const corpus = makeMixedCorpus(context.folder('mixed'), scaled(FILES, context, 50));
  context.note(`first document of ${corpus.files}`);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await oneRound(context, corpus.folder));
  return [
    {
      section: 'first',
      what: `first searchable of ${corpus.files.toLocaleString('en')} mixed files`,
      value: median(times) / 1000,
      unit: 's',
      atMost: 2,
      note: `rounds: ${times.map((ms) => (ms / 1000).toFixed(2)).join(', ')} s`,
    },
  ];
};
