/** What is put on the clipboard when an answer is copied? */
import type { TFunction } from 'i18next';
import type { Answer, Hit } from '../../../api/types.ts';
import { hitOf } from './citations.ts';
import { placesInWords } from './place-in-words.ts';

/** Plain text: question, answer with its numbers, then each source with file, place and quote. */
export function answerWithSources(question: string, answer: Answer, hits: Hit[], t: TFunction): string {
  const sources = answer.citations.map((citation) => {
    const place = placesInWords(citation.anchors, hitOf(citation, hits)?.headings ?? [], t);
    const where = [citation.document.title, citation.document.path, place].filter((part) => part !== '');
    return `[${citation.number}] ${where.join(', ')}\n    ${citation.quote.replace(/\s+/g, ' ').trim()}`;
  });
  const parts = [question.trim(), answer.answer.trim()];
  if (sources.length > 0) parts.push(`${t('answer.sources')}:\n${sources.join('\n')}`);
  return `${parts.join('\n\n')}\n`;
}
