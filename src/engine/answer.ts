/** What do the documents say to this question? The recipe of an answer; each numbered line is one stage. */
import type { Answer, AnswerEvent, Scope, SearchResult } from '../api/types.ts';
import { type Evidence, loadEvidence } from './cite.ts';
import { generate as limits, retrieve } from './config.ts';
import type { Generator } from './document.ts';
import { readFocus } from './generate/question-focus.ts';
import type { Meanings } from './generate/score-units.ts';
import { cosineOf } from './retrieve/duplicates.ts';
import { type Background, backgroundOf, toMeaning } from './retrieve/fuse.ts';
import { readQuestion } from './retrieve/read-question.ts';
import { type SearchParts, search, type WeightedEmbedder } from './search.ts';
import type { StoreReader, StoreWriter } from './store/types.ts';
import { generateAnswer, quoteAnswer, refuse, type WrittenAnswer } from './write-answer.ts';

export interface AnswerParts extends SearchParts {
  store: StoreReader & Pick<StoreWriter, 'saveConversation'>;
  /** None: the answer is made of quoted sentences. */
  generator?: Generator | undefined;
}

export interface AnswerRequest {
  question: string;
  scope?: Scope | undefined;
  /** Quoted sentences even where a language model is installed. */
  withoutModel?: boolean | undefined;
  /** False leaves the conversation out of the history; its identifier is then 0. Default true. */
  isKept?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Passages first, then text as it is written, then the whole. Cancelling throws the signal's reason. */
export async function* answer(parts: AnswerParts, request: AnswerRequest): AsyncGenerator<AnswerEvent> {
  const { question, scope, signal } = request;
  const start = performance.now();
  const askedAtMs = Date.now();
  // 1. Find the passages and show them.
  const found = await search(parts, { question, scope, limit: limits.maxEvidence, isWidened: true, signal });
  yield { type: 'passages', search: found };
  // 2. Write from them, with their proof.
  const running = answerFrom(parts, found, request);
  let next = await running.next();
  for (; !next.done; next = await running.next()) yield { type: 'text', text: next.value };
  const whole: Answer = { ...next.value, elapsedMs: performance.now() - start };
  // 3. Remember both.
  const conversation = { question, ...(scope ? { scope } : {}), askedAtMs, search: found, answer: whole };
  const conversationId = request.isKept === false ? 0 : await parts.store.saveConversation(conversation);
  yield { type: 'done', answer: whole, conversationId };
}

/** Writes the answer from passages that were found already; yields text as it comes. */
export async function* answerFrom(
  parts: Pick<AnswerParts, 'store' | 'embedders' | 'generator'>,
  found: SearchResult,
  request: Pick<AnswerRequest, 'withoutModel' | 'signal'>,
): AsyncGenerator<string, Answer> {
  const { signal } = request;
  const start = performance.now();
  const finish = (written: WrittenAnswer): Answer => ({
    ...written,
    coverage: found.coverage,
    elapsedMs: performance.now() - start,
  });
  const { text, language, phrases } = readQuestion(found.readAs ?? found.question);
  const focus = readFocus(text, found.readAs === undefined ? found.language : language);
  // 1. Nothing found, or not the very words that were asked for: say so.
  const isDoubtful = found.judgement === 'nothing';
  if (found.hits.length === 0 || (isDoubtful && phrases.length > 0)) {
    const refused = refuse(focus.language, found.coverage.total);
    yield refused.answer;
    return finish(refused);
  }
  // 2. Load the pieces that can be cited.
  const evidence = await loadEvidence(parts.store, found.hits.slice(0, limits.maxEvidence));
  // 3. Let the model write, where there is one and something to write of.
  let failure: Answer['failure'];
  if (parts.generator && !request.withoutModel && !isDoubtful) {
    const generated = yield* generateAnswer(parts.generator, focus, evidence, signal);
    if (generated.written) return finish(generated.written);
    failure = generated.failure;
  }
  // 4. Else quote the best sentences, or say that none answers.
  const meanings = await unitMeanings(parts, focus.text, evidence, signal);
  const quoted = quoteAnswer(focus, evidence, meanings, isDoubtful);
  signal?.throwIfAborted();
  yield quoted.answer;
  return finish(failure ? { ...quoted, failure } : quoted);
}

/**
 * How near in meaning each citable piece is to the question, first ones first, see toMeaning; undefined without an embedder
 * that answers or whose cosines can be told from those of unrelated texts.
 */
async function unitMeanings(
  parts: Pick<AnswerParts, 'embedders'>,
  question: string,
  evidence: Evidence[],
  signal: AbortSignal | undefined,
): Promise<Meanings | undefined> {
  const [weighted] = parts.embedders;
  if (!weighted) return undefined;
  const { embedder, isBuiltIn } = weighted;
  const texts = evidence
    .flatMap(({ units }) => units.map(({ text }) => text))
    .slice(0, isBuiltIn ? limits.maxQuickUnits : limits.maxEmbeddedUnits);
  const [settled] = await Promise.allSettled([
    Promise.all([embedder.embed([question], 'query', signal), embedder.embed(texts, 'passage', signal)]),
  ]);
  if (settled.status === 'rejected') return undefined;
  const [[query], passages] = settled.value;
  const cosines = passages.map((vector) => cosineOf(vector, query) ?? 0);
  const background = backgroundFor(weighted, cosines);
  return background && cosines.map((cosine) => toMeaning(cosine, background));
}

/** Where nobody measured the embedder, the pieces themselves tell: most of them do not answer. */
function backgroundFor(
  { calibration, isBuiltIn }: WeightedEmbedder,
  cosines: number[],
): Background | undefined {
  if (calibration) return calibration;
  if (isBuiltIn) return { mean: retrieve.meaningMean, spread: retrieve.meaningSpread };
  return cosines.length >= retrieve.leastBackgroundPassages ? backgroundOf(cosines) : undefined;
}
