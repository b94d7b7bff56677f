import { describe, expect, it } from 'vitest';
import type { Language } from '../../../src/api/types.ts';
import { extractAnswer } from '../../../src/engine/generate/extract-answer.ts';
import { readFocus } from '../../../src/engine/generate/question-focus.ts';
import { askedCell, rowSentence } from '../../../src/engine/generate/row-answer.ts';
import { evidenceOfRows } from './evidence.ts';

const boats = evidenceOfRows(
  ['Berth', 'Boat', 'Owner', 'Length (m)', 'Arrived'],
  [
    ['A01', 'Sea Wren', 'Marcus Oyelaran', '9.4', '2025-04-02'],
    ['B03', 'Petrel', 'Ines Caldeira', '12.8', '2025-04-19'],
  ],
  'en',
);
const works = evidenceOfRows(
  ['Работа', 'Исполнитель', 'Сумма, руб.'],
  [
    ['Ремонт теплицы', 'ООО «Стеклодом»', '74 200'],
    ['Обрезка яблонь', 'Олег Тимохин', '18 500'],
  ],
  'ru',
);
const rates = evidenceOfRows(
  ['Kind', 'Value'],
  [
    ['Interest on arrears', '4.5 %'],
    ['Discount', '2 %'],
  ],
  'en',
);

function answer(question: string, language: Language, evidence: typeof boats) {
  const focus = readFocus(question, language);
  const unit = extractAnswer(focus, [evidence]).ranked[0]?.unit;
  return unit && { short: askedCell(focus, unit)?.value ?? '', sentence: rowSentence(focus, unit) };
}

describe('a row as an answer', () => {
  const cases: [string, Language, typeof boats, string, string][] = [
    ['Who owns the boat Petrel?', 'en', boats, 'Ines Caldeira', 'Petrel — Owner: Ines Caldeira'],
    ['How long is the Sea Wren?', 'en', boats, '9.4', 'Sea Wren — Length (m): 9.4'],
    ['When did the Petrel arrive?', 'en', boats, '2025-04-19', 'Petrel — Arrived: 2025-04-19'],
    ['Сколько стоит ремонт теплицы?', 'ru', works, '74 200', 'Ремонт теплицы — Сумма, руб.: 74 200'],
    ['Кто обрезает яблони?', 'ru', works, 'Олег Тимохин', 'Обрезка яблонь — Исполнитель: Олег Тимохин'],
    ['What is the interest on arrears?', 'en', rates, '4.5 %', 'Interest on arrears: 4.5 %'],
  ];
  for (const [question, language, evidence, short, sentence] of cases) {
    it(`${question} → ${sentence}`, () =>
      expect(answer(question, language, evidence)).toEqual({ short, sentence }));
  }

  it('is none where the table has no such column', () => {
    expect(answer('What colour is the boat Petrel?', 'en', boats)).toBeUndefined();
  });
});
