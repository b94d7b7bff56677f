/** What does the page's test engine answer, and how does its stream go? One case per state of the page. */
import { setTimeout as pause } from 'node:timers/promises';
import { ORPCError } from '@orpc/server';
import type {
  Answer,
  AnswerEvent,
  AnswerSentence,
  Citation,
  Hit,
  Scope,
  SearchResult,
} from '../../src/api/types.ts';

/** Milliseconds between two pieces of a stream. */
const batchMs = 30;

/** No document lies in the folder that was chosen. */
export const emptyFolderId = 3;

const coverage = { searched: 1196, total: 1204, failed: 8, waiting: 0, partly: 1 };

export function searchResult(
  question: string,
  hits: Hit[],
  judgement: SearchResult['judgement'],
): SearchResult {
  const language = /[а-я]/i.test(question) ? 'ru' : 'en';
  return {
    question,
    language,
    hits,
    judgement,
    method: 'hybrid',
    coverage,
    scope: { folderId: 1 },
    stages: [{ stage: 'keywords', ms: 4 }],
    elapsedMs: 23,
  };
}

const citationOf = (number: number, hit: Hit): Citation => ({
  number,
  document: hit.document,
  start: hit.start,
  end: hit.end,
  quote: hit.text,
  anchor: hit.anchors[0]!,
  anchors: hit.anchors,
});

interface Draft {
  short?: string;
  mode?: Answer['mode'];
  model?: string;
  sentences: (AnswerSentence & { breaksBefore?: boolean })[];
  failure?: Answer['failure'];
}

function finish(draft: Draft, hits: Hit[]): Answer {
  const used = new Set(draft.sentences.flatMap(({ citations }) => citations));
  return {
    answer: textOf(draft),
    short: draft.short ?? '',
    mode: draft.mode ?? 'generated',
    sentences: draft.sentences.map(({ text, citations, support, missing }) => ({
      text,
      citations,
      support,
      missing,
    })),
    citations: hits.flatMap((hit, index) => (used.has(index + 1) ? [citationOf(index + 1, hit)] : [])),
    coverage,
    model: draft.model ?? 'Qwen 1.5B',
    failure: draft.failure,
    elapsedMs: 2140,
  };
}

function textOf({ sentences }: Draft): string {
  return sentences
    .map(({ text, citations, breaksBefore }, index) => {
      const marks = citations.map((number) => ` [${number}]`).join('');
      return `${index === 0 ? '' : breaksBefore ? '\n\n' : ' '}${text}${marks}`;
    })
    .join('');
}

const sentence = (
  text: string,
  citations: number[],
  support: AnswerSentence['support'] = 'supported',
  missing: string[] = [],
): AnswerSentence => ({ text, citations, support, missing });

const notice: Draft = {
  short: '60 days',
  sentences: [
    sentence(
      "The supplier may end the agreement with sixty days' written notice to the end of a calendar quarter.",
      [1],
    ),
    sentence("The buyer's period is thirty days.", [1]),
    sentence('For framework orders already confirmed the longer period of the annex applies.', [2], 'partly'),
    {
      ...sentence('An older version of the agreement gives 45 days.', [3], 'unsupported', ['45 days']),
      breaksBefore: true,
    },
  ],
};

const long: Draft = {
  sentences: Array.from({ length: 26 }, (_, index) => ({
    ...sentence(
      `Point ${index + 1}: orders confirmed before the notice takes effect are completed under the terms of that day.`,
      [(index % 3) + 1],
    ),
    breaksBefore: index % 4 === 0,
  })),
};

const russian: Draft = {
  short: 'финансовый директор',
  sentences: [sentence('Авансовый отчёт утверждает финансовый директор.', [1])],
};

const failed: Draft = {
  sentences: [sentence("The supplier may end the agreement with sixty days' written notice", [1], 'partly')],
  failure: {
    code: 'MODEL_FAILED',
    message: 'The answer ended early: Qwen 1.5B: ask again, it was started anew.',
  },
};

const refused: Draft = { mode: 'refused', sentences: [] };

async function* stream(
  draft: Draft,
  hits: Hit[],
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent> {
  const text = textOf(draft);
  for (let from = 0; from < text.length; from += 12) {
    await pause(batchMs, undefined, { signal });
    yield { type: 'text', text: text.slice(from, from + 12) };
  }
  yield { type: 'done', answer: finish(draft, hits), conversationId: 9 };
}

/** A word in the question chooses the case. */
export async function* answerEvents(
  question: string,
  hits: Hit[],
  russianHits: Hit[],
  signal: AbortSignal | undefined,
  scope?: Scope,
): AsyncGenerator<AnswerEvent> {
  if (scope?.folderId === emptyFolderId) {
    const none = { searched: 0, total: 0, failed: 0, waiting: 0 };
    yield { type: 'passages', search: { ...searchResult(question, [], 'nothing'), coverage: none } };
    yield { type: 'done', answer: { ...finish(refused, []), coverage: none }, conversationId: 9 };
    return;
  }
  if (/busy/.test(question))
    throw new ORPCError('LIBRARY_BUSY', {
      message: 'The question could not be asked: this library: close the other Lectern.',
    });
  if (/nothing/.test(question)) {
    yield { type: 'passages', search: searchResult(question, hits, 'nothing') };
    yield { type: 'done', answer: finish(refused, hits), conversationId: 9 };
    return;
  }
  const found = /[а-я]/i.test(question) ? russianHits : hits;
  const search = searchResult(question, found, 'relevant');
  if (/pictures/.test(question)) {
    const waits = { ...coverage, failed: 0, waiting: 1, partly: 0 };
    yield { type: 'passages', search: { ...search, coverage: waits } };
    yield { type: 'done', answer: { ...finish(notice, hits), coverage: waits }, conversationId: 9 };
    return;
  }
  yield { type: 'passages', search };
  if (/own words/.test(question)) {
    if (/slowly/.test(question)) await pause(100, undefined, { signal });
    yield { type: 'done', answer: finish({ ...notice, mode: 'extractive' }, hits), conversationId: 9 };
  } else if (/refuse/.test(question)) {
    await pause(batchMs * 4, undefined, { signal });
    yield { type: 'done', answer: finish(refused, hits), conversationId: 9 };
  } else if (/wait/.test(question)) {
    yield { type: 'text', text: 'The supplier may end' };
    await pause(60_000, undefined, { signal });
  } else if (/break off/.test(question)) {
    yield { type: 'text', text: 'The supplier may end the agreement ' };
  } else {
    const draft = /fail/.test(question)
      ? failed
      : /at length/.test(question)
        ? long
        : found === russianHits
          ? russian
          : notice;
    yield* stream(draft, found, signal);
  }
}

export const pastAnswer = (hits: Hit[]): Answer => finish(russian, hits);
