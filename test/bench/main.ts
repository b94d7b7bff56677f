/** `npm run bench`: how fast is Lectern, against its targets and its peers? Usage: main.ts [section…] [--json] [--million] [--scale N] */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeFolders, type Section } from './bench-context.ts';
import { describeMachine, machineInWords } from './machine.ts';
import { formatTable, type Row, verdictOf } from './report.ts';

/** Loaded when asked for: what one section brings along must not weigh on another. */
const sections: Record<string, () => Promise<Section>> = {
  indexing: async () => (await import('./measure-indexing.ts')).measureIndexing,
  peers: async () => (await import('./measure-peers.ts')).measurePeers,
  search: async () => (await import('./measure-search.ts')).measureSearch,
  restart: async () => (await import('./measure-restart.ts')).measureRestart,
  first: async () => (await import('./measure-first-document.ts')).measureFirstDocument,
  memory: async () => (await import('./measure-memory.ts')).measureMemory,
  large: async () => (await import('./measure-large.ts')).measureLarge,
  window: async () => (await import('./measure-window.ts')).measureWindow,
  start: async () => (await import('./measure-start.ts')).measureStart,
  models: async () => (await import('./measure-models.ts')).measureModels,
};

const usage = `Usage: npm run bench -- [section…] [--json] [--million] [--scale N]
Sections: ${Object.keys(sections).join(', ')}; all of them by default.
--million   search also in a million passages
--scale N   N times the fixed sizes, 0 to 1: to try things out, not to quote`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    million: { type: 'boolean', default: false },
    scale: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const scale = Number(values.scale);
const unknown = positionals.filter((name) => !Object.hasOwn(sections, name));
const isWrong = unknown.length > 0 || !(scale > 0 && scale <= 1);

async function bench(): Promise<void> {
  const { root, folder } = makeFolders();
  const machine = describeMachine();
  const note = (line: string) => process.stderr.write(`… ${line}\n`);
  const context = { scale, withMillion: values.million, folder, note };
  const names = positionals.length > 0 ? positionals : Object.keys(sections);
  const rows: Row[] = [];
  try {
    for (const name of names) {
      note(name);
      // One section that fails must not cost what the others measured.
      try {
        const measure = await sections[name]!();
        rows.push(...(await measure(context)));
      } catch (error) {
        rows.push({ section: name, what: 'failed', unit: 'x', note: String(error).split('\n')[0] ?? '' });
        process.exitCode = 1;
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  if (values.json) {
    const judged = rows.map((row) => ({ ...row, verdict: verdictOf(row) }));
    process.stdout.write(`${JSON.stringify({ machine, scale, rows: judged })}\n`);
    return;
  }
  const size = scale === 1 ? '' : `, at ${scale} of the fixed sizes`;
  process.stdout.write(`${machineInWords(machine)}${size}\n\n${formatTable(rows)}\n`);
}

if (values.help || isWrong) {
  process.stdout.write(`${usage}\n`);
  process.exitCode = isWrong ? 2 : 0;
} else await bench();
