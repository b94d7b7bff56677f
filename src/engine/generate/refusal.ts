/** How does Lectern say that the documents hold no answer? */
import type { Language } from '../../api/types.ts';
import { words } from '../language/words.ts';

const sentencesByLanguage: Record<Language, string> = {
  en: 'The documents do not answer this question.',
  ru: 'В документах нет ответа на этот вопрос.',
  de: 'Die Dokumente beantworten diese Frage nicht.',
  pl: 'Dokumenty nie zawierają odpowiedzi na to pytanie.',
  es: 'Los documentos no responden a esta pregunta.',
  und: 'The documents do not answer this question.',
};

/** One plain sentence in the question's language. */
export function refusalSentence(language: Language): string {
  return sentencesByLanguage[language];
}

/** True when a written answer is the refusal and nothing more, in any of the languages. */
export function isRefusal(answer: string): boolean {
  const plain = fold(answer);
  return Object.values(sentencesByLanguage).some((sentence) => plain === fold(sentence));
}

function fold(text: string): string {
  return words(text.replace(/\[[\d,\s]*\]/g, ' '))
    .map(({ word }) => word)
    .join(' ');
}
