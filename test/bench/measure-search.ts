/** How long does a question take in a large library, and which stage takes it? */
import { search } from '../../src/engine/search.ts';
import { type BenchContext, type Section, scaled } from './bench-context.ts';
import { openLibrary } from './open-library.ts';
import { median, percentile, type Row } from './report.ts';
import { readVocabulary, syntheticQuestions } from './synthetic.ts';
import { fillLibrary } from './synthetic-library.ts';

const section = 'search';
const QUESTIONS = 500;
/** Asked before the clock starts, so that the cache is warm as in a running application. */
const WARM_UP = 50;
const PROGRESS_EVERY = 20_000;

interface Size {
  passages: number;
  p50AtMost: number;
  p95AtMost: number;
}

const hundredThousand: Size = { passages: 100_000, p50AtMost: 25, p95AtMost: 60 };
const million: Size = { passages: 1_000_000, p50AtMost: 60, p95AtMost: 150 };

export const measureSearch: Section = async (context) => {
  const vocabulary = readVocabulary();
  const sizes = context.withMillion ? [hundredThousand, million] : [hundredThousand];
  const rows: Row[] = [];
  for (const size of sizes) {
    const passages = scaled(size.passages, context, 1_000);
    rows.push(
      ...(vocabulary
        ? await measureSize(context, { ...size, passages }, vocabulary)
        : [{ section, what: whatOf('p50', passages), unit: 'ms' as const, note: 'the test data is absent' }]),
    );
  }
  return rows;
};

const whatOf = (percent: string, passages: number) =>
  `keywords, ${passages.toLocaleString('en')} passages, ${percent}`;

async function measureSize(context: BenchContext, size: Size, vocabulary: string[]): Promise<Row[]> {
  const library = await openLibrary(context.folder('library'));
  try {
    const { store } = library;
    const start = performance.now();
    await fillLibrary(store, { vocabulary, passages: size.passages }, (written) => {
      if (written % PROGRESS_EVERY === 0) context.note(`${written} of ${size.passages} passages written`);
    });
    const filled = (performance.now() - start) / 1000;
    const questions = syntheticQuestions({
      vocabulary,
      passages: size.passages,
      questions: scaled(QUESTIONS, context, 50),
    });
    const ask = (question: string) => search({ store, embedders: [] }, { question });
    for (const { question } of questions.slice(0, WARM_UP)) await ask(question);
    const times: number[] = [];
    const stages = new Map<string, number[]>();
    let missed = 0;
    for (const { question } of questions) {
      const from = performance.now();
      const result = await ask(question);
      times.push(performance.now() - from);
      if (result.hits.length === 0) missed += 1;
      for (const { stage, ms } of result.stages) stages.set(stage, [...(stages.get(stage) ?? []), ms]);
    }
    const inWords = [...stages].map(([stage, all]) => `${stage} ${median(all).toFixed(1)}`).join(', ');
    const made = `${Math.round(size.passages / filled)} passages/s written`;
    const note = `${questions.length} questions, ${missed} without a hit; ${made}`;
    const row = { section, unit: 'ms' as const };
    return [
      {
        ...row,
        what: whatOf('p50', size.passages),
        value: median(times),
        atMost: size.p50AtMost,
        note: `median stages, ms: ${inWords}`,
      },
      {
        ...row,
        what: whatOf('p95', size.passages),
        value: percentile(times, 95),
        atMost: size.p95AtMost,
        note,
      },
    ];
  } finally {
    await library.close();
  }
}
