/** Does the sample library answer its questions, and are they the questions that they should be? */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationResult, Question } from '../../src/api/types.ts';
import { evaluate, readQuestions } from '../../src/engine/evaluate.ts';
import { detectLanguage } from '../../src/engine/language/detect-language.ts';
import { isFunctionWord } from '../../src/engine/language/function-words.ts';
import { stem } from '../../src/engine/language/stem.ts';
import { words } from '../../src/engine/language/words.ts';
import { openTestLibrary, type TestLibrary } from './library.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = path.join(root, 'resources', 'sample-library');
const questionFile = path.join(root, 'test', 'quality', 'sample-library.jsonl');

/**
 * By words alone, a little below what is measured. Paraphrases and other languages share no word with their passage:
 * what the built-in embedder finds of them stands in starter-floors.test.ts.
 */
const floors: [group: string, measure: string, least: number][] = [
  ['words', 'hit@1', 0.9],
  ['words', 'hit@5', 0.93],
  ['words', 'refusalAccuracy', 0.93],
  ['words', 'citationPrecision', 0.9],
  ['words', 'f1', 0.78],
  ['words', 'em', 0.66],
  ['paraphrase', 'hit@5', 0.17],
  ['other-language', 'hit@5', 0.05],
  ['unanswerable', 'refusalAccuracy', 0.83],
];

async function readAll(): Promise<Question[]> {
  const questions: Question[] = [];
  for await (const question of readQuestions(questionFile)) questions.push(question);
  return questions;
}

/** White space as one space, letters folded: a quote may break over lines in its document. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е').replaceAll(/\s+/g, ' ').trim();
}

function contentStems(text: string): Set<string> {
  const language = detectLanguage(text);
  const content = words(text).filter(({ word }) => !isFunctionWord(word));
  return new Set(content.map(({ word }) => stem(word, language)));
}

function sharesNoStem({ question, evidence = [] }: Question): boolean {
  const asked = contentStems(question);
  const quotes = evidence.flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
  return quotes.length > 0 && quotes.every((quote) => contentStems(quote).isDisjointFrom(asked));
}

describe('the sample library', () => {
  let library: TestLibrary;
  let questions: Question[];
  let home: string;

  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'lectern-sample-'));
    questions = await readAll();
    library = await openTestLibrary(folder);
  }, 120_000);

  afterAll(async () => {
    await library.close();
    await rm(home, { recursive: true, force: true });
  });

  it('is answered not worse than its floors', { timeout: 120_000 }, async () => {
    const { result } = await evaluate(
      { store: library.store, embedders: [] },
      { file: questionFile, withAnswers: true },
    );
    expect(belowFloor(result)).toEqual([]);
  });

  it('holds every quote of its questions in the text of the named document', {
    timeout: 60_000,
  }, async () => {
    const { rows } = await library.store.documents({ limit: 1000, offset: 0 });
    const idOf = new Map(rows.map((row) => [row.path, row.id]));
    const lost: string[] = [];
    for (const { id, evidence = [] } of questions) {
      for (const { document, quote } of evidence) {
        const documentId = idOf.get(document);
        const blocks =
          documentId === undefined ? [] : await library.store.blocks(documentId, 0, Number.MAX_SAFE_INTEGER);
        const text = plain(blocks.map((block) => block.text).join(''));
        if (blocks.length === 0 || (quote !== undefined && !text.includes(plain(quote))))
          lost.push(`${id}: ${document}: ${quote}`);
      }
    }
    expect(lost).toEqual([]);
  });

  it('is asked enough, also what it does not know, in other words and in the other language', () => {
    const inGroup = (name: string) => questions.filter(({ group }) => group === name).length;
    expect(questions.length).toBeGreaterThanOrEqual(80);
    expect(questions.filter(({ unanswerable }) => unanswerable).length).toBeGreaterThanOrEqual(12);
    expect(inGroup('other-language')).toBeGreaterThanOrEqual(questions.length / 5);
    const apart = questions.filter(sharesNoStem);
    expect(apart.length).toBeGreaterThanOrEqual(questions.length / 3);
    const named = new Set(apart.map(({ group }) => group));
    expect(named.has('paraphrase')).toBe(true);
  });
});

function belowFloor({ groups }: EvaluationResult): string[] {
  return floors
    .filter(([group, measure, least]) => (groups[group]?.[measure] ?? 0) < least)
    .map(([group, measure, least]) => `${group} ${measure}: ${groups[group]?.[measure]} < ${least}`);
}
