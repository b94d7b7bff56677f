/** What does the built-in embedder add to words? Skipped where its files or the test data are not there. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationResult } from '../../src/api/types.ts';
import { evaluate } from '../../src/engine/evaluate.ts';
import type { WeightedEmbedder } from '../../src/engine/search.ts';
import { openBuiltIn, openTestLibrary, type TestEmbedders } from './library.ts';
import { type Case, libraryFolder, questionFile, questionsOf, readCase } from './sets.ts';

interface Floor {
  case: string;
  /** Every n-th question, so that all together take less than two minutes. */
  every: number;
  /** Least value by measure, a little below what is measured. */
  least: Record<string, number>;
}

/** Every question: node test/quality/measure.ts. */
const floors: Floor[] = [
  { case: 'xquad-en', every: 8, least: { 'hit@1': 0.93, 'hit@5': 0.975 } },
  { case: 'xquad-ru', every: 8, least: { 'hit@1': 0.915, 'hit@5': 0.97 } },
  { case: 'northwind', every: 1, least: { 'hit@1': 0.526, 'hit@5': 0.775 } },
  { case: 'tatqa-dev', every: 16, least: { 'hit@1': 0.63, 'hit@5': 0.85 } },
  { case: 'xquad-ru@xquad-en', every: 6, least: { 'hit@1': 0.5, 'hit@5': 0.76 } },
  { case: 'xquad-ru@xquad-en+help-ru', every: 6, least: { 'hit@1': 0.47, 'hit@5': 0.71 } },
];

/** Of the sample library, by group. Words alone: 0.933 and 0.967, 0.069 and 0.207, 0.056 and 0.111. */
const sampleFloors: [group: string, measure: string, least: number][] = [
  ['words', 'hit@1', 0.93],
  ['words', 'hit@5', 0.966],
  ['paraphrase', 'hit@1', 0.13],
  ['paraphrase', 'hit@5', 0.41],
  ['other-language', 'hit@1', 0.33],
  ['other-language', 'hit@5', 0.72],
  ['unanswerable', 'refusalAccuracy', 0.8],
  ['words', 'refusalAccuracy', 0.9],
];

let builtIn: TestEmbedders;
beforeAll(async () => {
  builtIn = await openBuiltIn();
}, 60_000);
afterAll(() => builtIn.close());

async function measure(
  one: Case,
  every: number,
  embedders: WeightedEmbedder[],
  withAnswers = false,
): Promise<EvaluationResult> {
  const folders = (await Promise.all(one.libraries.map(libraryFolder))) as string[];
  const home = await mkdtemp(path.join(tmpdir(), 'lectern-floor-'));
  const library = await openTestLibrary(folders, embedders);
  const file = path.join(home, 'questions.jsonl');
  const questions = await questionsOf(one.questions, every);
  await writeFile(file, questions.map((question) => JSON.stringify(question)).join('\n'));
  const { result } = await evaluate({ store: library.store, embedders }, { file, withAnswers });
  await library.close();
  await rm(home, { recursive: true, force: true });
  return result;
}

describe('search by words and meaning', { timeout: 300_000 }, () => {
  for (const { case: name, every, least } of floors) {
    const one = readCase(name);
    const isHere = questionFile(one.questions) !== undefined;
    if (!isHere) console.warn(`${name}: skipped, the test data is not here`);
    it.skipIf(!isHere)(`keeps to the floors of ${name}`, async ({ skip }) => {
      if (builtIn.embedders.length === 0) skip('the built-in embedder is not here');
      const { measures } = await measure(one, every, builtIn.embedders);
      const below = Object.entries(least).filter(([measured, floor]) => (measures[measured] ?? 0) < floor);
      expect(below.map(([measured, floor]) => `${measured}: ${measures[measured]} < ${floor}`)).toEqual([]);
    });
  }

  it('is better than words alone on the sample library', async ({ skip }) => {
    if (builtIn.embedders.length === 0) skip('the built-in embedder is not here');
    const { groups } = await measure(readCase('sample'), 1, builtIn.embedders, true);
    const below = sampleFloors.filter(([group, measured, floor]) => (groups[group]?.[measured] ?? 0) < floor);
    expect(below.map(([group, measured]) => `${group} ${measured}: ${groups[group]?.[measured]}`)).toEqual(
      [],
    );
  });

  it('is not made worse by a better list that knows half of the passages on another scale', async ({
    skip,
  }) => {
    const [starter] = builtIn.embedders;
    if (!starter) return skip('the built-in embedder is not here');
    const one = readCase('sample');
    const folder = (await libraryFolder('sample'))!;
    const alone = await measure(one, 1, builtIn.embedders);
    const better = shifted(starter);
    const library = await openTestLibrary(folder, [starter]);
    const { rows: documents } = await library.store.documents({ limit: 1_000, offset: 0 });
    const { fingerprint, dimensions } = better.embedder;
    const all = documents.map(({ id }) => id);
    const without = await library.store.chunksWithoutVector(fingerprint, all, 5_000);
    // By their text: numbers depend on which file happened to be read first.
    const chunks = without.filter(({ text }) => text.length % 2 === 0);
    const own = await library.store.vectors(
      starter.embedder.fingerprint,
      chunks.map(({ chunkId }) => chunkId),
    );
    const rows = [...own].map(([chunkId, vector]) => ({ chunkId, vector: shift(vector) }));
    await library.store.addVectors(fingerprint, dimensions, rows);
    const { done, total } = await library.store.vectorCoverage(fingerprint);
    expect(done / total).toBeGreaterThan(0.1);
    expect(done / total).toBeLessThan(0.9);
    const { result } = await evaluate(
      { store: library.store, embedders: [better, starter] },
      { file: questionFile('sample')! },
    );
    await library.close();
    for (const group of ['words', 'paraphrase', 'other-language']) {
      for (const measured of ['hit@1', 'hit@5']) {
        const before = alone.groups[group]![measured]!;
        // One question of a group of eighteen may move: scales are estimated, not known.
        expect(result.groups[group]![measured]!, `${group} ${measured}`).toBeGreaterThanOrEqual(
          before - 0.06,
        );
      }
    }
  });
});

/** The same meaning on the scale of a transformer: every cosine c becomes 0.8 + 0.2 c. */
function shift(vector: Float32Array): Float32Array {
  return Float32Array.from([...vector.map((value) => value * Math.sqrt(0.2)), Math.sqrt(0.8)]);
}

function shifted({ embedder, calibration, ...weights }: WeightedEmbedder): WeightedEmbedder {
  const { mean, spread, nothingCosine } = calibration!;
  return {
    ...weights,
    isBuiltIn: false,
    calibration: { mean: 0.8 + 0.2 * mean, spread: 0.2 * spread, nothingCosine: 0.8 + 0.2 * nothingCosine },
    embedder: {
      fingerprint: 'shifted',
      dimensions: embedder.dimensions + 1,
      maxTokens: embedder.maxTokens,
      embed: async (texts, role, signal) => (await embedder.embed(texts, role, signal)).map(shift),
    },
  };
}
