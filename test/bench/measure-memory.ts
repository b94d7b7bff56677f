/** How much memory does indexing take, and does it grow? */
import { fileURLToPath } from 'node:url';
import { type Section, scaled, toMb } from './bench-context.ts';
import { makeMixedCorpus } from './corpus.ts';
import type { MemoryRun } from './indexing-process.ts';
import { quarters } from './report.ts';
import { runProgram } from './run-program.ts';

const section = 'memory';
const FILES = 2_000;
const PASSES = 4;
/** Growth between the second and the last quarter that passes for flat: garbage makes a curve rise and fall by as much. */
const FLAT = 1.2;
const entry = fileURLToPath(new URL('indexing-process.ts', import.meta.url));

export const measureMemory: Section = async (context) => {
  const corpus = makeMixedCorpus(context.folder('mixed'), scaled(FILES, context, 50));
  context.note(`memory while indexing ${corpus.files} mixed files, ${toMb(corpus.bytes).toFixed(1)} MB`);
  const args = [entry, context.folder('library'), corpus.folder, String(PASSES)];
  const { stdout } = await runProgram(process.execPath, args);
  const { samples, again, failed, elapsedMs } = JSON.parse(stdout) as MemoryRun;
  const resident = samples.map((sample) => toMb(sample.resident));
  const held = samples.map((sample) => toMb(sample.held));
  const { second, last } = quarters(resident);
  const heldQuarters = quarters(held);
  const passes = again.map((pass) => pass.map((sample) => toMb(sample.resident)));
  const ends = [last, ...passes.map((pass) => quarters(pass).last)];
  const files = corpus.files.toLocaleString('en');
  return [
    {
      section,
      what: `resident at most, indexing ${files} mixed files`,
      value: Math.max(...resident, ...passes.flat()),
      unit: 'MB',
      atMost: 1024,
      note: `${PASSES} runs with the built-in embedder; the first ${Math.max(...resident).toFixed(0)} MB, without mapped files ${Math.max(...held).toFixed(0)} MB; ${(elapsedMs / 1000).toFixed(1)} s, ${failed} failed`,
    },
    {
      section,
      what: 'last quarter against the second',
      value: last / second,
      unit: 'x',
      atMost: FLAT,
      note: `${second.toFixed(0)} → ${last.toFixed(0)} MB; without mapped files ${heldQuarters.second.toFixed(0)} → ${heldQuarters.last.toFixed(0)} MB; large files are read last`,
    },
    {
      section,
      what: 'last quarter of the last run against that of the second',
      value: ends.at(-1)! / ends[1]!,
      unit: 'x',
      atMost: FLAT,
      note: `${ends.map((end) => end.toFixed(0)).join(' → ')} MB, the same files each time`,
    },
  ];
};
