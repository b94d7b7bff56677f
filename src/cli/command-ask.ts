/** `lectern search` and `lectern ask`: one question, or every line of a question file. */

import { AppError } from '../api/errors.ts';
import type { Answer, Scope, SearchResult } from '../api/types.ts';
import type { Engine } from '../engine/engine.ts';
import { knownFolder } from './command-library.ts';
import { coverageInWords, excerpt, placesInWords, toAskJson, toSearchJson } from './shapes.ts';
import { UsageError } from './usage-error.ts';
import { checkScope, type LibraryOption, needsLibrary, print, printJson, withEngine } from './with-engine.ts';

interface QuestionOptions extends LibraryOption {
  questions?: string;
  scope?: string;
  /** A folder of the library, by its path on this machine. */
  folder?: string;
  json?: boolean;
}

interface Asked {
  question: string;
  scope?: Scope;
}

/** Characters of a passage that are shown at a terminal. */
const excerptLength = 400;

function checkUsage(question: string | undefined, options: QuestionOptions): void {
  if (question === undefined && options.questions === undefined)
    throw new UsageError("missing argument 'question': give one in quotes, or --questions FILE");
  if (question !== undefined && options.questions !== undefined)
    throw new UsageError("argument 'question' and option '--questions' exclude each other");
}

/** Calls `one` for the question given, or for each line of the file, printing a JSON line for each. */
async function forEachQuestion(
  engine: Engine,
  question: string | undefined,
  options: QuestionOptions,
  one: (asked: Asked) => Promise<object>,
  show: (value: never) => void,
): Promise<void> {
  await checkScope(engine, options.scope);
  const folder =
    options.folder === undefined ? {} : { folderId: (await knownFolder(engine, options.folder)).id };
  const asked = { ...folder, ...(options.scope ? { path: options.scope } : {}) };
  if (options.questions !== undefined) {
    for await (const line of engine.readQuestions(options.questions)) {
      const scope = line.scope ? { ...folder, path: line.scope } : asked;
      printJson({ id: line.id, ...(await one({ question: line.question, scope })) });
    }
    return;
  }
  const value = await one({ question: question ?? '', scope: asked });
  if (options.json) printJson(value);
  else show(value as never);
}

export async function search(
  question: string | undefined,
  options: QuestionOptions & { limit: number; explain?: boolean },
): Promise<void> {
  checkUsage(question, options);
  await withEngine(
    options,
    async (engine, signal) => {
      let last: SearchResult | undefined;
      const limit = Math.min(100, Math.max(1, options.limit));
      await forEachQuestion(
        engine,
        question,
        options,
        async (asked) => {
          last = await engine.search({ ...asked, limit }, signal);
          return toSearchJson(last);
        },
        () => last && showHits(last, options.explain === true),
      );
    },
    needsLibrary,
  );
}

function showHits(result: SearchResult, isExplained: boolean): void {
  if (result.judgement === 'nothing') {
    print(
      `Nothing in the documents answers this.${result.hits.length > 0 ? ' The nearest passages:\n' : ''}`,
    );
  }
  for (const hit of result.hits) {
    print(`${hit.rank}. ${hit.document.path}${placesInWords(hit.anchors)}  (${hit.score.toFixed(3)})`);
    print(`   ${excerpt(hit.text, hit.matches, excerptLength)}`);
    if (isExplained) {
      const lists = hit.why.lists.map((list) => `${list.name}: rank ${list.rank}, ${list.score.toFixed(3)}`);
      print(`   why: ${[...lists, ...hit.why.moves].join(' · ')}`);
    }
    print('');
  }
  if (isExplained) print(result.stages.map(({ stage, ms }) => `${stage} ${ms.toFixed(1)} ms`).join(' · '));
  print(`${coverageInWords(result.coverage)} ${Math.round(result.elapsedMs)} ms.`);
}

export async function ask(
  question: string | undefined,
  options: QuestionOptions & { model: boolean },
): Promise<void> {
  checkUsage(question, options);
  await withEngine(
    options,
    async (engine, signal) => {
      let last: Answer | undefined;
      await forEachQuestion(
        engine,
        question,
        options,
        async (asked) => {
          last = await finalAnswer(
            engine,
            { ...asked, withoutModel: !options.model, isKept: options.questions === undefined },
            signal,
          );
          return toAskJson(last);
        },
        () => last && showAnswer(last),
      );
    },
    needsLibrary,
  );
}

async function finalAnswer(
  engine: Engine,
  question: Parameters<Engine['ask']>[0],
  signal: AbortSignal,
): Promise<Answer> {
  for await (const event of engine.ask(question, signal)) {
    if (event.type === 'done') return event.answer;
  }
  throw new AppError('INTERNAL', 'Answering failed: it ended without an answer: try again.');
}

function showAnswer(answer: Answer): void {
  print(answer.answer);
  print('');
  for (const citation of answer.citations) {
    print(`[${citation.number}] ${citation.document.path}${placesInWords(citation.anchors)}`);
    print(`    “${citation.quote.trim().replaceAll(/\s+/g, ' ')}”`);
  }
  const doubtful = answer.sentences.filter((sentence) => sentence.support !== 'supported');
  for (const sentence of doubtful) {
    print(
      `! ${sentence.support}: ${sentence.text.trim()}${sentence.missing.length > 0 ? ` (not in the source: ${sentence.missing.join(', ')})` : ''}`,
    );
  }
  if (answer.failure) print(`! ${answer.failure.message}`);
  print(`\n${coverageInWords(answer.coverage)}`);
}
