/** How much memory and time does one very large file take? */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Section, toMb } from './bench-context.ts';
import type { MemoryRun } from './indexing-process.ts';
import { type LargeFile, largeFiles, sizeOf } from './large-files.ts';
import type { Row } from './report.ts';
import { runProgram } from './run-program.ts';

const section = 'large';
const MOST_MB = 1024;
const entry = fileURLToPath(new URL('indexing-process.ts', import.meta.url));

export const measureLarge: Section = async (context) => {
  const rows: Row[] = [];
  for (const large of largeFiles) rows.push(await measure(large));
  return rows;

  async function measure({ what, make }: LargeFile): Promise<Row> {
    const folder = context.folder('large');
    await make(folder, context.scale);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + sizeOf(folder, name), 0);
    context.note(`${what}, ${toMb(bytes).toFixed(0)} MB`);
    const { stdout } = await runProgram(process.execPath, [entry, context.folder('library'), folder, '1']);
    const { samples, documents, failed, chunks, warnings, elapsedMs } = JSON.parse(stdout) as MemoryRun;
    const most = (of: (sample: (typeof samples)[number]) => number) => toMb(Math.max(...samples.map(of)));
    const seconds = elapsedMs / 1000;
    return {
      section,
      what: `resident at most, ${what}`,
      value: most(({ resident }) => resident),
      unit: 'MB',
      atMost: MOST_MB,
      note: `${toMb(bytes).toFixed(0)} MB in ${seconds.toFixed(0)} s, ${(toMb(bytes) / seconds).toFixed(1)} MB/s; without mapped files ${most(({ held }) => held).toFixed(0)} MB; ${documents - failed} of ${documents} read, ${chunks.toLocaleString('en')} passages${warnings.length > 0 ? `; ${warnings.join(' ')}` : ''}`,
    };
  }
};
