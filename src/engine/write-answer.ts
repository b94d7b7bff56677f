/** How do passages become an answer with its proof, by quoting or by a language model? */

import { AppError } from '../api/errors.ts';
import type { Answer, AnswerSentence, Citation, Language } from '../api/types.ts';
import { cite, type Evidence } from './cite.ts';
import { generate as limits } from './config.ts';
import type { Generator } from './document.ts';
import { batchText } from './generate/batch-text.ts';
import { fitPrompt, type PromptSource, placeOf } from './generate/build-prompt.ts';
import { sentenceUnit } from './generate/evidence-units.ts';
import { type Extract, extractAnswer } from './generate/extract-answer.ts';
import { narrowQuote } from './generate/narrow-quote.ts';
import { isOtherLanguage, type QuestionFocus } from './generate/question-focus.ts';
import { dropWrongMarks, readCitations, settledLength } from './generate/read-citations.ts';
import { isRefusal, refusalSentence } from './generate/refusal.ts';
import { rowSentence } from './generate/row-answer.ts';
import type { Meanings, ScoredUnit } from './generate/score-units.ts';
import { shortAnswer } from './generate/short-answer.ts';
import { verify } from './generate/verify.ts';

/** An answer as far as this file knows it. */
export type WrittenAnswer = Omit<Answer, 'coverage' | 'elapsedMs'>;

export function refuse(language: Language, documents?: number): WrittenAnswer {
  return {
    answer: refusalSentence(language, documents),
    short: '',
    mode: 'refused',
    sentences: [],
    citations: [],
  };
}

/** The best sentences and rows of the passages, each cited exactly; a refusal when none covers the question. */
export function quoteAnswer(
  focus: QuestionFocus,
  evidence: Evidence[],
  meanings: Meanings | undefined,
  isDoubtful = false,
): WrittenAnswer {
  const extract: Extract = extractAnswer(focus, evidence, meanings, isDoubtful);
  if (extract.units.length === 0) return refuse(focus.language);
  const citations: Citation[] = [];
  const sentences: AnswerSentence[] = [];
  let answer = '';
  extract.units.forEach((unit, index) => {
    const number = index + 1;
    citations.push(cite(number, evidence[unit.passage]!, unit));
    const text = unit.kind === 'row' ? rowSentence(focus, unit) : unit.text;
    sentences.push({ text, citations: [number], support: 'supported', missing: [] });
    const before = extract.units[index - 1];
    const isApart = unit.kind === 'row' || before?.kind === 'row' || before?.passage !== unit.passage;
    answer += `${index === 0 ? '' : isApart ? '\n' : ' '}${text} [${number}]`;
  });
  const short = firstShort(focus, extract.ranked);
  return { answer, short, mode: 'extractive', sentences, citations };
}

/** The bare answer of the best unit, or of one that is nearly as good. */
function firstShort(focus: QuestionFocus, ranked: ScoredUnit[]): string {
  for (const { unit, coverage, meaning, role, score } of ranked) {
    if (score < limits.shortScoreShare * ranked[0]!.score) continue;
    const isMeant = isOtherLanguage(focus.language, unit.language) && (meaning ?? 0) >= limits.shortMeaning;
    if (coverage < limits.leastShortCoverage && !isMeant) continue;
    const short = shortAnswer(focus, unit, role);
    if (short !== '') return short;
  }
  return '';
}

/**
 * Streams what the model writes, in batches, and returns the whole with citations mapped by number and each sentence
 * verified. A failure keeps what came; with nothing written the result is undefined but for the failure.
 */
export async function* generateAnswer(
  generator: Generator,
  focus: QuestionFocus,
  evidence: Evidence[],
  signal: AbortSignal | undefined,
): AsyncGenerator<string, { written?: WrittenAnswer; failure?: NonNullable<Answer['failure']> }> {
  const sources = evidence.map(
    ({ passage }, index): PromptSource => ({
      number: index + 1,
      title: passage.document.title,
      headings: passage.headings,
      place: placeOf(passage),
      text: passage.text,
    }),
  );
  let raw = '';
  let shown = 0;
  let used = sources.length;
  let failure: Answer['failure'];
  try {
    const prompt = await fitPrompt(focus.text, focus.language, sources, generator.contextTokens, (text) =>
      generator.countTokens(text),
    );
    if (!prompt) throw new AppError('MODEL_FAILED', tooSmall(generator));
    used = prompt.sources.length;
    const options = { maxTokens: prompt.maxTokens, temperature: 0, ...(signal ? { signal } : {}) };
    for await (const text of batchText(generator.generate(prompt.messages, options), limits.batchMs)) {
      signal?.throwIfAborted();
      raw += text;
      const settled = settledLength(raw);
      if (settled <= shown) continue;
      const piece = dropWrongMarks(raw.slice(shown, settled), used);
      shown = settled;
      if (piece !== '') yield piece;
    }
  } catch (error) {
    // The edge of the model's process: it may die at any token, and what streamed stays valid.
    signal?.throwIfAborted();
    failure = toFailure(error);
  }
  if (shown < raw.length) yield dropWrongMarks(raw.slice(shown), used);
  if (raw.trim() === '')
    return { failure: failure ?? { code: 'MODEL_FAILED', message: wroteNothing(generator) } };
  const written = proveAnswer(raw, focus, evidence.slice(0, used), generator.name);
  return { written: failure ? { ...written, failure } : written };
}

/** Maps marks to passages and compares every sentence with what it cites. */
export function proveAnswer(
  raw: string,
  focus: QuestionFocus,
  evidence: Evidence[],
  model: string,
): WrittenAnswer {
  const { language } = focus;
  if (isRefusal(raw)) return { ...refuse(language), model };
  const read = readCitations(raw, evidence.length);
  const sentences = read.map(({ text, citations, hasWrongNumber }): AnswerSentence => {
    const sources = citations.map((number) => sourceOf(evidence[number - 1]!));
    const verdict = verify(text, language, sources);
    return { text, citations, ...verdict, ...(hasWrongNumber ? { support: 'unsupported' as const } : {}) };
  });
  const numbers = [...new Set(read.flatMap(({ citations }) => citations))].sort((a, b) => a - b);
  const citations = numbers.map((number) => {
    const cited = evidence[number - 1]!;
    const citing = read.filter((sentence) => sentence.citations.includes(number)).map(({ text }) => text);
    const { start, end } = cited.passage;
    return cite(number, cited, narrowQuote(citing, language, cited.units) ?? { start, end });
  });
  const answer = dropWrongMarks(raw, evidence.length).trim();
  return { answer, short: shortOf(focus, sentences), mode: 'generated', sentences, citations, model };
}

/** A bare figure, date or name is taken from the first supported sentence that gives exactly one. */
function shortOf(focus: QuestionFocus, sentences: AnswerSentence[]): string {
  for (const { text, support } of sentences) {
    if (support !== 'supported') continue;
    const short = shortAnswer(focus, sentenceUnit(text, focus.language));
    if (short !== '') return short;
  }
  return '';
}

function sourceOf({ passage, language }: Evidence): { text: string; language: Language } {
  return { text: [passage.document.title, ...passage.headings, passage.text].join('\n'), language };
}

function toFailure(error: unknown): NonNullable<Answer['failure']> {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'MODEL_FAILED', message: `Writing the answer failed: ${message}: ask again` };
}

function tooSmall(generator: Generator): string {
  return `Writing the answer failed: ${generator.name}: its context of ${generator.contextTokens} tokens does not hold the question with a source; choose a larger model`;
}

function wroteNothing(generator: Generator): string {
  return `Writing the answer failed: ${generator.name}: it wrote nothing; choose another model`;
}
