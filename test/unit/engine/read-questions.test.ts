import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Question } from '../../../src/api/types.ts';
import { readQuestions } from '../../../src/engine/read-questions.ts';

describe('readQuestions', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'lectern-questions-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  async function read(...lines: string[]): Promise<{ questions: Question[]; error?: string }> {
    const file = path.join(home, 'questions.jsonl');
    await writeFile(file, lines.join('\n'));
    const questions: Question[] = [];
    try {
      for await (const question of readQuestions(file)) questions.push(question);
    } catch (error) {
      return { questions, error: (error as Error).message };
    }
    return { questions };
  }

  const good = '{"id": 1, "question": "Why?"}';

  it('gives the questions in order, empty lines skipped', async () => {
    const { questions } = await read(good, '', '{"id": "b", "question": "Who?", "more": true}');
    expect(questions.map(({ id }) => id)).toEqual(['1', 'b']);
  });

  it('finds a broken line before the first question is given, and says which', async () => {
    const { questions, error } = await read(good, '', '{"id": "b" "question": "Who?"}', good);
    expect(questions).toEqual([]);
    expect(error).toMatch(/line 3: .*mend that line$/);
  });

  it('counts the broken lines', async () => {
    const { error } = await read(good, '{"id": "b"}', 'nothing');
    expect(error).toMatch(/line 2: question: .*2 lines of the file are broken/);
  });

  it('says that a file is not there', async () => {
    const missing = readQuestions(path.join(home, 'missing.jsonl'));
    await expect(missing.next()).rejects.toThrow(/can't be read \(ENOENT\)/);
    await expect(readQuestions(home).next()).rejects.toThrow(/can't be read \(EISDIR\)/);
  });
});
