/** How well does the library answer a file of questions? */
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '../api/errors.ts';
import type {
  Answer,
  EvaluationProgress,
  EvaluationResult,
  Hit,
  Question,
  SearchResult,
  StageTime,
} from '../api/types.ts';
import { type AnswerParts, answerFrom } from './answer.ts';
import { generate, PARSER_VERSION, PIPELINE_VERSION, retrieve } from './config.ts';
import {
  answeredText,
  exactMatch,
  meanMeasures,
  percentile,
  refusalAccuracy,
  tokenF1,
} from './evaluate-answers.ts';
import { firstRank, meets, type Ranked, rankMeasures } from './evaluate-ranks.ts';
import { goldSearch } from './gold-search.ts';
import { readQuestions } from './read-questions.ts';
import { search } from './search.ts';
import type { StoreApi } from './store/types.ts';

export { readQuestions };

export interface EvaluationRequest {
  /** Path of the question file. */
  file: string;
  /** Answers are written and measured as well. Default false. */
  withAnswers?: boolean;
  /** Answers are written from the gold passages instead of found ones: is the fault in the search or in the answer? */
  isOracle?: boolean;
  /** Quoted answers even where a language model is installed. */
  withoutModel?: boolean;
  /** Identifier of an earlier run. */
  compareWith?: string;
  /** Keep questions, answers and full sources. */
  withReport?: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: EvaluationProgress) => void) | undefined;
}

export interface EvaluationParts extends AnswerParts {
  store: StoreApi;
}

/** One question with all that was found and written; enough to score it again. */
export interface QuestionReport extends Question {
  rank: number | null;
  measures: Record<string, number>;
  judgement: SearchResult['judgement'];
  hits: Hit[];
  answered?: Answer;
  elapsedMs: number;
}

export interface EvaluationReport extends EvaluationResult {
  setup: EvaluationSetup;
  /** p50 and p95 by stage, in milliseconds. */
  stages: Record<string, { p50: number; p95: number }>;
  details: QuestionReport[];
}

/** Everything that the numbers depend on. */
interface EvaluationSetup {
  questionsHash: string;
  parserVersion: number;
  pipelineVersion: number;
  generation: number;
  embedders: string[];
  reranker?: string;
  generator?: string;
  isOracle: boolean;
  settings: { retrieve: typeof retrieve; generate: typeof generate };
}

/** Runs every question, stores the run, compares it with an earlier one. Errors: QUESTIONS_INVALID, RUN_NOT_FOUND. */
export async function evaluate(
  parts: EvaluationParts,
  request: EvaluationRequest,
): Promise<{ result: EvaluationResult; report?: EvaluationReport }> {
  const { store } = parts;
  // 1. Read the questions and the run to compare with, before any work is done.
  const questions: Question[] = [];
  for await (const question of readQuestions(request.file)) questions.push(question);
  const earlier = request.compareWith === undefined ? undefined : await findRun(store, request.compareWith);
  const setup = await readSetup(parts, request);
  // 2. Ask them one after the other: times are only true when nothing else runs.
  const details: QuestionReport[] = [];
  const times: StageTime[][] = [];
  for (const question of questions) {
    request.signal?.throwIfAborted();
    const { report, stages } = await evaluateQuestion(parts, question, request);
    details.push(report);
    times.push(stages);
    request.onProgress?.({ done: details.length, total: questions.length });
  }
  // 3. Sum up, by group as well, and remember the run.
  const ranks = Object.fromEntries(details.map(({ id, rank }) => [id, rank]));
  const elapsed = details.map(({ elapsedMs }) => elapsedMs);
  const result: EvaluationResult = {
    run: newRunId(),
    questions: questions.length,
    measures: meanMeasures(details.map(({ measures }) => measures)),
    groups: groupMeasures(details),
    latencyMs: { p50: percentile(elapsed, 0.5), p95: percentile(elapsed, 0.95) },
    ...(earlier ? { changes: compareRanks(earlier.ranks, ranks) } : {}),
  };
  await store.saveEvaluationRun({
    id: result.run,
    createdAtMs: Date.now(),
    setup: JSON.stringify(setup),
    measures: result.measures,
    ranks,
  });
  if (!request.withReport) return { result };
  return { result, report: { ...result, setup, stages: stageTimes(times), details } };
}

async function evaluateQuestion(
  parts: EvaluationParts,
  question: Question,
  request: EvaluationRequest,
): Promise<{ report: QuestionReport; stages: StageTime[] }> {
  const { signal } = request;
  const scope = question.scope === undefined ? undefined : { path: question.scope };
  const evidence = question.evidence ?? [];
  const start = performance.now();
  const found = request.isOracle
    ? await goldSearch(parts.store, question)
    : await search(parts, { question: question.question, scope, limit: 10, signal });
  const stages = [...found.stages];
  const ranked = await Promise.all(found.hits.map((hit) => toRanked(parts, hit, evidence)));
  const measures: Record<string, number> = evidence.length > 0 ? rankMeasures(ranked, evidence) : {};
  const report: QuestionReport = {
    ...question,
    rank: evidence.length > 0 ? firstRank(ranked, evidence) : null,
    measures,
    judgement: found.judgement,
    hits: found.hits,
    elapsedMs: found.elapsedMs,
  };
  if (!request.withAnswers && !request.isOracle) return { report, stages };
  const answered = await runAnswer(parts, found, request);
  stages.push({ stage: 'answer', ms: answered.elapsedMs });
  Object.assign(measures, answerMeasures(answered, question));
  return { report: { ...report, answered, elapsedMs: performance.now() - start }, stages };
}

async function runAnswer(
  parts: EvaluationParts,
  found: SearchResult,
  { withoutModel, signal }: EvaluationRequest,
): Promise<Answer> {
  const running = answerFrom(parts, found, { withoutModel, signal });
  let next = await running.next();
  while (!next.done) next = await running.next();
  return next.value;
}

function answerMeasures(answer: Answer, question: Question): Record<string, number> {
  const measures: Record<string, number> = { refusalAccuracy: refusalAccuracy(answer, question) };
  const { answers = [], evidence = [] } = question;
  if (answers.length > 0 && !question.unanswerable) {
    const text = answer.mode === 'refused' ? '' : answeredText(answer);
    measures.em = exactMatch(text, question);
    measures.f1 = tokenF1(text, question);
  }
  if (answer.citations.length > 0 && evidence.length > 0) {
    const meeting = answer.citations.filter((citation) =>
      evidence.some((item) => meets({ ...citation, text: citation.quote }, item)),
    );
    measures.citationPrecision = meeting.length / answer.citations.length;
  }
  if (answer.sentences.length > 0) {
    const supported = answer.sentences.filter(({ support }) => support === 'supported');
    measures.support = supported.length / answer.sentences.length;
  }
  return measures;
}

/** Table passages show "column: value"; a quote may be written as the document has it. */
async function toRanked(parts: EvaluationParts, hit: Hit, evidence: Question['evidence']): Promise<Ranked> {
  const isQuoted = evidence?.some(({ quote }) => quote !== undefined) ?? false;
  if (!isQuoted || hit.text.length === hit.end - hit.start) return hit;
  const blocks = await parts.store.blocks(hit.document.id, hit.start, hit.end);
  return { ...hit, plainText: blocks.map(({ text }) => text).join('') };
}

async function readSetup(parts: EvaluationParts, request: EvaluationRequest): Promise<EvaluationSetup> {
  const bytes = await readFile(request.file);
  return {
    questionsHash: createHash('sha256').update(bytes).digest('hex'),
    parserVersion: PARSER_VERSION,
    pipelineVersion: PIPELINE_VERSION,
    generation: await parts.store.generation(),
    embedders: parts.embedders.map(({ embedder }) => embedder.fingerprint),
    ...(parts.reranker ? { reranker: parts.reranker.fingerprint } : {}),
    ...(parts.generator && !request.withoutModel ? { generator: parts.generator.name } : {}),
    isOracle: request.isOracle ?? false,
    settings: { retrieve, generate },
  };
}

async function findRun(store: StoreApi, id: string) {
  const run = await store.evaluationRun(id);
  if (run) return run;
  throw new AppError(
    'RUN_NOT_FOUND',
    `Comparing failed: run ${id}: this library has no such run; name another`,
  );
}

function newRunId(): string {
  return `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}-${randomUUID().slice(0, 4)}`;
}

function groupMeasures(details: QuestionReport[]): Record<string, Record<string, number>> {
  const groups = Map.groupBy(
    details.filter(({ group }) => group !== undefined),
    ({ group }) => group!,
  );
  return Object.fromEntries(
    [...groups].map(([name, members]) => [
      name,
      { questions: members.length, ...meanMeasures(members.map(({ measures }) => measures)) },
    ]),
  );
}

function compareRanks(
  before: Record<string, number | null>,
  after: Record<string, number | null>,
): NonNullable<EvaluationResult['changes']> {
  return Object.keys(after)
    .filter((id) => Object.hasOwn(before, id) && before[id] !== after[id])
    .map((id) => ({ id, before: before[id] ?? null, after: after[id] ?? null }));
}

function stageTimes(times: StageTime[][]): EvaluationReport['stages'] {
  const byStage = Map.groupBy(times.flat(), ({ stage }) => stage);
  return Object.fromEntries(
    [...byStage].map(([stage, entries]) => {
      const values = entries.map(({ ms }) => ms);
      return [stage, { p50: percentile(values, 0.5), p95: percentile(values, 0.95) }];
    }),
  );
}
