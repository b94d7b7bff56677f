/** How long do starts take: of the program, of a question on the command line, of a parse worker? */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { sourceEntries } from '../../src/engine/entries.ts';
import { type Section, timed } from './bench-context.ts';
import { median, type Row } from './report.ts';
import { runProgram } from './run-program.ts';

const section = 'start';
const ROUNDS = 5;
const QUESTION = 'Who signs the supply agreement?';
const here = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const commandLine = here('../../src/cli/main.ts');

/** From the order to start a worker until its modules are loaded. */
function startWorker(): Promise<void> {
  const source = `import(${JSON.stringify(sourceEntries.indexWorker)}).then(() => require('node:worker_threads').parentPort.postMessage('loaded'))`;
  const worker = new Worker(source, { eval: true });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', () => {
      worker.terminate().then(() => resolve(), reject);
    });
  });
}

export const measureStart: Section = async (context) => {
  const folder = path.join(context.folder('start'), 'sample');
  cpSync(here('../../resources/sample-library'), folder, { recursive: true });
  const library = context.folder('library');
  const lectern = (args: string[]) =>
    runProgram(process.execPath, [commandLine, ...args, '--library', library], { LECTERN_HOME: library });
  context.note('indexing the sample library');
  await lectern(['index', folder]);
  const nodes: number[] = [];
  const searches: number[] = [];
  const workers: number[] = [];
  const parts: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    nodes.push((await runProgram(process.execPath, ['-e', '0'])).ms);
    searches.push((await lectern(['search', QUESTION, '--json'])).ms);
    const { stdout } = await runProgram(process.execPath, [here('starting-process.ts'), library, QUESTION]);
    parts.push(JSON.parse(stdout) as Record<string, number>);
    workers.push((await timed(startWorker)).ms);
  }
  const inWords = Object.keys(parts[0]!)
    .map((name) => `${name} ${median(parts.map((part) => part[name]!)).toFixed(0)}`)
    .join(', ');
  const row = (what: string, times: number[], note?: string): Row => ({
    section,
    what,
    value: median(times),
    unit: 'ms',
    ...(note === undefined ? {} : { note }),
  });
  return [
    row('Node alone', nodes),
    row('lectern search, start to end', searches, `of an engine, ms: ${inWords}`),
    row('a parse worker loads', workers),
  ];
};
