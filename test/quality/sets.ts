/** Which questions are asked, and over which library? */

import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import type { Question } from '../../src/api/types.ts';
import { readQuestions } from '../../src/engine/evaluate.ts';
import { testData } from '../test-data.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A name such as "xquad-ru@xquad-en+help-ru": questions of one set over the libraries of others; without "@", over its own. */
export interface Case {
  name: string;
  questions: string;
  libraries: string[];
}

export function readCase(name: string): Case {
  const [questions = '', libraries = questions] = name.split('@');
  return { name, questions, libraries: libraries.split('+') };
}

/** Passages about something else in the questions' language. */
const HELP = 'help-ru';
const HELP_SOURCE = 'lo_secpar';
const HELP_PASSAGES = 914;
const HELP_LENGTH = 250;

/** Undefined where the test data is not here. */
export async function libraryFolder(set: string): Promise<string | undefined> {
  if (set === 'sample') return path.join(root, 'resources', 'sample-library');
  return set === HELP ? makeHelp() : testData(`eval/${set}/library`);
}

export function questionFile(set: string): string | undefined {
  return set === 'sample'
    ? path.join(root, 'test', 'quality', 'sample-library.jsonl')
    : testData(`eval/${set}/questions.jsonl`);
}

/** Every n-th question of a set. */
export async function questionsOf(set: string, every = 1): Promise<Question[]> {
  const questions: Question[] = [];
  let index = 0;
  for await (const question of readQuestions(questionFile(set)!))
    if (index++ % every === 0) questions.push(question);
  return questions;
}

/** Sections of a Russian office help, one file each; left in the system's temporary folder for the next run. */
async function makeHelp(): Promise<string | undefined> {
  const pairs = testData('train/pairs.jsonl.gz');
  if (pairs === undefined) return undefined;
  const folder = path.join(tmpdir(), `lectern-${HELP}`);
  if (existsSync(folder)) return folder;
  const made = await mkdtemp(path.join(tmpdir(), 'lectern-help-'));
  const known = new Set<string>();
  const lines = createInterface({ input: createReadStream(pairs).pipe(createGunzip()) });
  for await (const line of lines) {
    const [source, ...texts] = JSON.parse(line) as string[];
    if (source !== HELP_SOURCE) continue;
    for (const text of texts) {
      const letters = text.match(/[а-я]/g)?.length ?? 0;
      if (text.length <= HELP_LENGTH || letters * 2 <= text.length || known.size >= HELP_PASSAGES) continue;
      if (known.has(text)) continue;
      known.add(text);
      await writeFile(path.join(made, `${known.size}.txt`), text);
    }
  }
  await mkdir(path.dirname(folder), { recursive: true });
  const { rename } = await import('node:fs/promises');
  await rename(made, folder);
  return folder;
}
