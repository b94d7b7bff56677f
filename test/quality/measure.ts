/**
 * How good are search and answers? Run by hand: node test/quality/measure.ts [case…] [--answers] [--keywords] [--every N]
 * [--models DIR] [--report DIR]. A case is a set, or a set's questions over other libraries: "xquad-ru@xquad-en+help-ru".
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Question } from '../../src/api/types.ts';
import { evaluate } from '../../src/engine/evaluate.ts';
import type { WeightedEmbedder } from '../../src/engine/search.ts';
import { openBuiltIn, openTestLibrary } from './library.ts';
import { type Case, libraryFolder, questionFile, questionsOf, readCase } from './sets.ts';

const cases = [
  ...['xquad-en', 'xquad-ru', 'northwind', 'tatqa-dev', 'sample'],
  ...['xquad-ru@xquad-en', 'xquad-en@xquad-ru', 'xquad-ru@xquad-en+help-ru', 'xquad-ru@xquad-en+sample'],
];
/** Questions that a library can't answer come from a set about something else. */
const foreign: Record<string, string> = {
  'xquad-en': 'northwind',
  'xquad-ru': 'tatqa-dev',
  northwind: 'xquad-en',
  'tatqa-dev': 'xquad-en',
  sample: 'xquad-en',
};
const foreignCount = 150;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    answers: { type: 'boolean', default: false },
    keywords: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    models: { type: 'string' },
    report: { type: 'string' },
  },
});

async function askedIn({ questions: set }: Case): Promise<Question[]> {
  const own = (await questionsOf(set, Number(options.every))).map((question) => ({
    group: 'own',
    ...question,
  }));
  const other = foreign[set];
  if (!options.answers || other === undefined || questionFile(other) === undefined) return own;
  const strangers = (await questionsOf(other)).slice(0, foreignCount).map(
    ({ id, question, language }): Question => ({
      id: `foreign-${id}`,
      question,
      ...(language === undefined ? {} : { language }),
      unanswerable: true,
      group: 'foreign',
    }),
  );
  return [...own, ...strangers];
}

async function measure(one: Case, folders: string[], embedders: WeightedEmbedder[]): Promise<void> {
  const library = await openTestLibrary(folders, embedders);
  const home = await mkdtemp(path.join(tmpdir(), 'lectern-measure-'));
  const file = path.join(home, 'questions.jsonl');
  await writeFile(file, (await askedIn(one)).map((question) => JSON.stringify(question)).join('\n'));
  const parts = { store: library.store, embedders };
  const { report } = await evaluate(parts, { file, withAnswers: options.answers, withReport: true });
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  console.log(`\n${one.name}: ${report!.questions} questions, ${await library.store.chunkCount()} passages`);
  for (const [group, measures] of Object.entries(report!.groups)) {
    const rounded = Object.entries(measures).map(([name, value]) => `${name} ${round(value)}`);
    console.log(`  ${group}: ${rounded.join(', ')}`);
  }
  const { p50, p95 } = report!.latencyMs;
  console.log(`  ms: p50 ${round(p50)}, p95 ${round(p95)}`);
  if (options.report) await writeFile(path.join(options.report, `${one.name}.json`), JSON.stringify(report));
  await library.close();
  await rm(home, { recursive: true, force: true });
}

const builtIn = options.keywords ? undefined : await openBuiltIn(options.models);
for (const one of (positionals.length > 0 ? positionals : cases).map(readCase)) {
  const folders = await Promise.all(one.libraries.map(libraryFolder));
  const isHere = questionFile(one.questions) !== undefined && folders.every((folder) => folder !== undefined);
  if (isHere) await measure(one, folders as string[], builtIn?.embedders ?? []);
  else console.log(`${one.name}: skipped, the test data is not here`);
}
await builtIn?.close();
