/** What kind of thing does a question ask for, and which of its words must a source hold? */
import type { Language } from '../../api/types.ts';
import { isFunctionWord } from '../language/function-words.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';

/** quantity: a number. duration: a number of a unit of time or length. date: a day or year. person: who. other: anything, no bare answer is tried. */
export type Asked = 'quantity' | 'duration' | 'date' | 'year' | 'percent' | 'person' | 'other';

export interface QuestionFocus {
  text: string;
  language: Language;
  asked: Asked;
  /** Content words, folded, each with its stems in the languages a passage may be in. */
  terms: FocusTerm[];
}

export interface FocusTerm {
  word: string;
  stems: Set<string>;
  /** Written as a name inside the question: it says whom the question is about, not what it asks. */
  isName: boolean;
}

const patterns: [Asked, RegExp][] = [
  [
    'percent',
    /\b(?:what|which) (?:percent|percentage|share|proportion)|how many percent|как(?:ой|ого|ова|ую)\s+(?:процент|доля|долю)|сколько процентов|jaki procent|wie ?viel prozent|qué porcentaje/iu,
  ],
  [
    'year',
    /\b(?:what|which) year|в каком году|какой год|како(?:го|му) год|w którym roku|in welchem jahr|(?:en )?qué año/iu,
  ],
  [
    'duration',
    /\bhow (?:long|far|tall|high|deep|wide)\b|как долго|сколько (?:времени|дней|часов|минут|месяцев|лет|длится|длятся|держат|хран\p{L}+)|как(?:ов|ой|ого|ая)\s+(?:\p{L}+\s+){0,2}(?:срок|длина|высота|глубина|длительность|продолжительность)|\bjak (?:długo|daleko|wysok\p{L}+)|\bwie (?:lange?|weit|hoch|tief|breit)\b|cuánto (?:tiempo|dura)/iu,
  ],
  [
    'quantity',
    /\bhow (?:many|much|old|large|big|often)\b|\b(?:what|which) (?:is|was|are|were) the (?:\p{L}+ ){0,3}(?:number|amount|price|cost|fee|salary|total|sum|population|budget|rate|limit|size)\b|\b(?:what|which) (?:\p{L}+ )?number\b|сколько|(?:какова|каков|какой|какая|какую)\s+(?:\p{L}+\s+){0,2}(?:сумма|цена|стоимость|численность|количество|число|размер|население)|\bile\b|wie ?viele?n?\b|cuánt[oa]s?/iu,
  ],
  [
    'date',
    /\bwhen\b|\b(?:what|which) (?:date|day|month)|когда|как(?:ого|ая|ой) (?:числа|дата|день)|\bkiedy\b|\bwann\b|cuándo/iu,
  ],
  [
    'person',
    /\bwho\b|\bwhom\b|\bwhose\b|(?<!\p{L})кто(?!\p{L})|(?<!\p{L})к(?:ого|ем|ому)(?!\p{L})|\bkto\b|\bwer\b|\bquién(?:es)?\b/iu,
  ],
];

const otherLanguages: Language[] = ['en', 'de', 'pl', 'es', 'ru'];

export function readFocus(question: string, language: Language): QuestionFocus {
  const distinct = [...new Set(words(question).map(({ word }) => word))];
  const content = distinct.filter((word) => !isFunctionWord(word));
  const names = nameWords(question, language);
  return {
    text: question,
    language,
    asked: patterns.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other',
    terms: (content.length > 0 ? content : distinct).map((word) => ({
      word,
      stems: new Set([language, ...otherLanguages].map((each) => stem(word, each))),
      isName: names.has(word),
    })),
  };
}

/** Words with a capital that no sentence begins with; German writes every noun so. */
function nameWords(question: string, language: Language): Set<string> {
  if (language === 'de') return new Set();
  const found = words(question).filter(({ start }) => {
    const isFirst = /(?:^|[.!?…:])[\s\p{P}]*$/u.test(question.slice(0, start));
    return !isFirst && /^\p{Lu}/u.test(question.slice(start));
  });
  return new Set(found.map(({ word }) => word));
}

/** True when the text with these stems holds the term in any form. */
export function holdsTerm(stems: ReadonlySet<string>, term: Pick<FocusTerm, 'stems'>): boolean {
  for (const each of term.stems) if (stems.has(each)) return true;
  return false;
}
