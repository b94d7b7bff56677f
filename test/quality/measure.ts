/** How good are search and answers on the sets at hand? Run by hand: node test/quality/measure.ts [set…] [--answers] */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Question } from '../../src/api/types.ts';
import { evaluate, readQuestions } from '../../src/engine/evaluate.ts';
import { testData } from '../test-data.ts';
import { openTestLibrary } from './library.ts';

const sets = ['xquad-en', 'xquad-ru', 'northwind', 'tatqa-dev'];
/** Questions that a library can't answer come from a set about something else. */
const foreign: Record<string, string> = {
  'xquad-en': 'northwind',
  'xquad-ru': 'tatqa-dev',
  northwind: 'xquad-en',
  'tatqa-dev': 'xquad-en',
};
const foreignCount = 150;

async function questionsOf(set: string): Promise<Question[]> {
  const questions: Question[] = [];
  for await (const question of readQuestions(testData(`eval/${set}/questions.jsonl`)!))
    questions.push(question);
  return questions;
}

async function measure(set: string, withAnswers: boolean): Promise<void> {
  const library = await openTestLibrary(testData(`eval/${set}/library`)!);
  const home = await mkdtemp(path.join(tmpdir(), 'lectern-measure-'));
  const strangers = (await questionsOf(foreign[set]!)).slice(0, foreignCount).map(
    ({ id, question, language }): Question => ({
      id: `foreign-${id}`,
      question,
      ...(language === undefined ? {} : { language }),
      unanswerable: true,
      group: 'foreign',
    }),
  );
  const own = (await questionsOf(set)).map((question) => ({ ...question, group: 'own' }));
  const file = path.join(home, 'questions.jsonl');
  const lines = [...own, ...(withAnswers ? strangers : [])].map((question) => JSON.stringify(question));
  await writeFile(file, lines.join('\n'));
  const parts = { store: library.store, embedders: [] };
  const { report } = await evaluate(parts, { file, withAnswers, withReport: true });
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  console.log(`\n${set}: ${report!.questions} questions, ${await library.store.chunkCount()} passages`);
  for (const [group, measures] of Object.entries(report!.groups)) {
    console.log(
      group,
      Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, round(value)])),
    );
  }
  console.log('ms', report!.latencyMs, JSON.stringify(report!.stages));
  if (process.env.REPORT)
    await writeFile(path.join(process.env.REPORT, `${set}.json`), JSON.stringify(report));
  await library.close();
  await rm(home, { recursive: true, force: true });
}

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const set of named.length > 0 ? named : sets) {
  if (testData(`eval/${set}`)) await measure(set, process.argv.includes('--answers'));
  else console.log(`${set}: skipped, the test data is not here`);
}
