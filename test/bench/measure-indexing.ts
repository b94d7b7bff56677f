/** How fast is each format indexed, and which step takes the time? */
import { parse } from '../../src/engine/config.ts';
import { type Section, timed, toMb } from './bench-context.ts';
import { type Corpus, type Format, formats, makeFormatCorpus, makeWarmUp } from './corpus.ts';
import { type IndexMeasure, indexTimed, openLibrary, type StepTimes } from './open-library.ts';
import type { Row } from './report.ts';

export const measureIndexing: Section = async (context) => {
  const { ms: openMs, value: library } = await timed(() => openLibrary(context.folder('library')));
  try {
    const warmUp = makeWarmUp(context.folder('warm-up'), 2 * parse.workers);
    const { ms: warmMs } = await timed(() => indexTimed(library, warmUp.folder));
    context.note(`library opened in ${openMs.toFixed(0)} ms, workers warm after ${warmMs.toFixed(0)} ms`);
    const measures: { format: Format; corpus: Corpus; measure: IndexMeasure }[] = [];
    for (const format of formats) {
      const corpus = makeFormatCorpus(context.folder(format), format, context.scale);
      context.note(`indexing ${corpus.files} files of ${format}, ${toMb(corpus.bytes).toFixed(1)} MB`);
      measures.push({ format, corpus, measure: await indexTimed(library, corpus.folder) });
    }
    const total = sumSteps(measures.map(({ measure }) => measure.steps));
    return [
      ...measures.map(({ format, corpus, measure }) => speedRow(format, corpus, measure)),
      ...shareRows(total, measures[0]!.measure.hasEmbedder),
    ];
  } finally {
    await library.close();
  }
};

function speedRow(
  format: Format,
  corpus: Corpus,
  { elapsedMs, processorMs, steps, summary }: IndexMeasure,
): Row {
  const perSecond = (corpus.files / elapsedMs) * 1000;
  const failed = summary.failed > 0 ? `, ${summary.failed} FAILED` : '';
  return {
    section: 'indexing',
    what: format,
    value: toMb(corpus.bytes) / (elapsedMs / 1000),
    unit: 'MB/s',
    note: `${corpus.files} files, ${summary.chunks} passages, ${perSecond.toFixed(0)} files/s, ${(processorMs / corpus.files).toFixed(1)} ms of processor a file; ${sharesInWords(steps)}${failed}`,
  };
}

/** Shares of the work of all threads, not of the wall clock. */
function shareRows(steps: StepTimes, hasEmbedder: boolean): Row[] {
  const sum = sumOf(steps);
  return (Object.keys(steps) as (keyof StepTimes)[]).map((step) => ({
    section: 'indexing',
    what: `share of ${step}`,
    value: (steps[step] / sum) * 100,
    unit: '%',
    ...(step === 'embed' && !hasEmbedder ? { note: 'no embedder is installed' } : {}),
    ...(step === 'chunk' ? { note: 'with the words for the keyword index' } : {}),
  }));
}

function sharesInWords(steps: StepTimes): string {
  const sum = sumOf(steps);
  const share = (ms: number) => `${((ms / sum) * 100).toFixed(0)} %`;
  return `parse ${share(steps.parse)}, chunk ${share(steps.chunk)}, embed ${share(steps.embed)}, store ${share(steps.store)}`;
}

const sumOf = ({ parse, chunk, embed, store }: StepTimes): number => parse + chunk + embed + store;

function sumSteps(all: StepTimes[]): StepTimes {
  const sum = (step: keyof StepTimes) => all.reduce((total, steps) => total + steps[step], 0);
  return { parse: sum('parse'), chunk: sum('chunk'), embed: sum('embed'), store: sum('store') };
}
