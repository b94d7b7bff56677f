/** `lectern eval`: the measures of a question file over a library. */
import { writeFile } from 'node:fs/promises';
import type { EvaluationResult } from '../api/types.ts';
import { type LibraryOption, needsLibrary, note, print, printJson, withEngine } from './with-engine.ts';

interface EvalOptions extends LibraryOption {
  answers?: boolean;
  oracle?: boolean;
  model: boolean;
  compare?: string;
  report?: string;
  json?: boolean;
}

export async function evaluateQuestions(file: string, options: EvalOptions): Promise<void> {
  await withEngine(
    options,
    async (engine, signal) => {
      const { result, report } = await engine.evaluate(
        {
          file,
          withAnswers: options.answers === true || options.oracle === true,
          isOracle: options.oracle === true,
          withoutModel: !options.model,
          signal,
          ...(options.compare === undefined ? {} : { compareWith: options.compare }),
          ...(options.report === undefined ? {} : { withReport: true }),
        },
        ({ done, total }) => {
          if (done % 100 === 0 || done === total) note(`${done} of ${total} questions`);
        },
      );
      if (options.report !== undefined) await writeFile(options.report, JSON.stringify(report, undefined, 2));
      if (options.json) printJson(result);
      else show(result);
    },
    needsLibrary,
  );
}

function show(result: EvaluationResult): void {
  print(`${result.questions} questions, run ${result.run}`);
  for (const [name, value] of Object.entries(result.measures))
    print(`  ${name.padEnd(20)} ${value.toFixed(3)}`);
  for (const [group, measures] of Object.entries(result.groups)) {
    const values = Object.entries(measures).map(([name, value]) => `${name} ${value.toFixed(3)}`);
    print(`  ${group}: ${values.join(' · ')}`);
  }
  print(`  time p50 ${result.latencyMs.p50.toFixed(1)} ms, p95 ${result.latencyMs.p95.toFixed(1)} ms`);
  for (const change of result.changes ?? []) {
    print(`  ${change.id}: rank ${change.before ?? 'none'} → ${change.after ?? 'none'}`);
  }
}
