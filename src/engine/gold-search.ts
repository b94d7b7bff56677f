/** What would a perfect search have found? The gold passages of a question, as a search result. */
import type { Hit, Question, SearchResult } from '../api/types.ts';
import { generate as limits } from './config.ts';
import { meets } from './evaluate-ranks.ts';
import { detectLanguage } from './language/detect-language.ts';
import { contentFinder, findMatches } from './retrieve/matches.ts';
import { readQuestion } from './retrieve/read-question.ts';
import { showPassages } from './search.ts';
import type { StoreReader } from './store/types.ts';

/** Chunks of one document that are looked through. */
const maxChunks = 2_000;
/** Chunks read at a time. */
const page = 200;

/** Passages that meet the evidence, in the order of the evidence; none for an unanswerable question. */
export async function goldSearch(store: StoreReader, question: Question): Promise<SearchResult> {
  const start = performance.now();
  const read = readQuestion(question.question);
  const finder = contentFinder(read.terms);
  const hits: Hit[] = [];
  for (const evidence of question.evidence ?? []) {
    for (const id of await documentIds(store, evidence.document)) {
      for (let from = 0; from < maxChunks && hits.length < limits.maxEvidence; from += page) {
        const chunks = await store.chunksByOrdinal(id, from, from + page - 1);
        const passages = await showPassages(store, chunks);
        for (const [index, chunk] of chunks.entries()) {
          if (hits.length >= limits.maxEvidence) break;
          const passage = passages[index]!;
          const isKnown = hits.some((hit) => hit.document.id === id && hit.start === passage.start);
          if (isKnown || !meets(passage, evidence)) continue;
          hits.push({
            ...passage,
            rank: hits.length + 1,
            score: 1,
            matches: findMatches(chunk.text, finder, chunk.language),
            why: { lists: [], moves: ['gold: from the question file'] },
          });
        }
        if (chunks.length === 0) break;
      }
    }
  }
  const elapsedMs = performance.now() - start;
  return {
    question: question.question,
    language: detectLanguage(read.text),
    hits,
    judgement: hits.length > 0 ? 'relevant' : 'nothing',
    method: 'keywords',
    coverage: { searched: 0, total: 0, failed: 0, waiting: 0 },
    stages: [{ stage: 'gold', ms: elapsedMs }],
    elapsedMs,
  };
}

async function documentIds(store: StoreReader, named: string): Promise<number[]> {
  const exact = await store.documentByPath(named);
  if (exact) return [exact.id];
  const name = named.split('/').at(-1)!;
  const { rows } = await store.documents({ state: 'indexed', text: name, limit: 10, offset: 0 });
  return rows.filter((row) => row.path.split('/').at(-1) === name).map(({ id }) => id);
}
