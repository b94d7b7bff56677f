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

const emptyScope: Record<Language, string> = {
  en: 'No document lies in the chosen place.',
  ru: 'В выбранном месте нет документов.',
  de: 'Am gewählten Ort liegt kein Dokument.',
  pl: 'W wybranym miejscu nie ma żadnego dokumentu.',
  es: 'No hay ningún documento en el lugar elegido.',
  und: 'No document lies in the chosen place.',
};

/** One plain sentence in the question's language; another where there was no document to look at. */
export function refusalSentence(language: Language, documents = 1): string {
  return documents === 0 ? emptyScope[language] : sentencesByLanguage[language];
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
