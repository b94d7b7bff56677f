import { describe, expect, it } from 'vitest';
import type { Language } from '../../../src/api/types.ts';
import { type EvidencePassage, evidenceUnits } from '../../../src/engine/generate/evidence-units.ts';
import { extractAnswer } from '../../../src/engine/generate/extract-answer.ts';
import { readFocus } from '../../../src/engine/generate/question-focus.ts';
import { shortAnswer } from '../../../src/engine/generate/short-answer.ts';
import { evidenceOfBlocks, evidenceOfLines } from './evidence.ts';

function best(question: string, language: Language, evidence: EvidencePassage[], meanings?: number[]) {
  const focus = readFocus(question, language);
  const [first] = extractAnswer(focus, evidence, meanings).ranked;
  return first && { text: first.unit.text, short: shortAnswer(focus, first.unit, first.role) };
}

const letter = evidenceOfLines(
  [
    'From: Gareth Pellow <gareth@harbour.example>',
    'To: Bronagh Teale',
    'Date: Mon, 8 September 2025 09:12',
    'Subject: Inspection of the old crane',
    'the inspector comes on 19 September. The load book is in shed 4B.',
  ],
  'en',
);
const письмо = evidenceOfLines(
  [
    'От кого: Лунёв Аркадий',
    'Кому: Валентин Рогов',
    'Тема: Замена трансформатора',
    'Его привезут в четверг, 20 ноября. Смету подготовила фирма «Энергосвет».',
  ],
  'ru',
);

describe('a letter', () => {
  const cases: [string, Language, EvidencePassage, string][] = [
    ['When does the inspector of the crane come?', 'en', letter, '19 September'],
    ['Who wrote about the inspection of the crane?', 'en', letter, 'Gareth Pellow'],
    ['When was the letter about the crane sent?', 'en', letter, 'Mon, 8 September 2025 09:12'],
    ['Кто написал о замене трансформатора?', 'ru', письмо, 'Лунёв Аркадий'],
  ];
  for (const [question, language, evidence, short] of cases) {
    it(question, () => expect(best(question, language, [evidence])?.short).toBe(short));
  }

  it('lends its subject to its sentences, so that another document that names the matter does not win', () => {
    const other = evidenceOfLines(["The harbour master's cousin repaired the old crane last year."], 'en');
    expect(best('In which shed is the load book of the old crane?', 'en', [other, letter])?.short).toBe('4B');
  });

  it('answers nothing by its subject alone', () => {
    expect(best('Кто застраховал трансформатор?', 'ru', [письмо])).toBeUndefined();
  });
});

describe('the asked thing', () => {
  const rules = evidenceOfLines(
    [
      'The hall is let for parties. The deposit for the hall is £300, due at signing.',
      'Hire of the hall costs £85 an evening. Keys are kept by Joan Abeyta.',
      'Barbecues are forbidden, since the decking caught fire.',
    ],
    'en',
  );

  it('is a price of what is named, not of what stands beside it', () => {
    expect(best('How much does the hire of the hall cost?', 'en', [rules])?.short).toBe('£85');
    expect(best('How much is the deposit for the hall?', 'en', [rules])?.short).toBe('£300');
  });

  it('is no title that repeats the question', () => {
    const titled = evidenceOfBlocks(
      [
        { kind: 'paragraph', text: 'Price of a season ticket\n' },
        { kind: 'paragraph', text: 'A season ticket is sold for 120 euros.\n' },
      ],
      'en',
    );
    expect(best('What is the price of a season ticket?', 'en', [titled])?.short).toBe('120 euros');
  });

  it('is refused where only the name or a common word agrees', () => {
    for (const question of [
      'When was Joan Abeyta born?',
      'How many guests does the hall hold?',
      'What colour is the decking?',
      'Who designed the hall?',
    ]) {
      expect(best(question, 'en', [rules]), question).toBeUndefined();
    }
  });

  it('keeps the words that bound a figure', () => {
    const line = evidenceOfLines(['The collection holds more than 70,000 prints.'], 'en');
    expect(best('How many prints does the collection hold?', 'en', [line])?.short).toBe('more than 70,000');
  });
});

describe('meaning', () => {
  const evidence = evidenceOfLines(['Doors are locked at ten.', 'A bicycle may be left in the yard.'], 'en');

  it('carries a question in another language to the sentence that shares no word with it', () => {
    expect(best('Где можно оставить велосипед?', 'ru', [evidence], [0.02, 0.4])?.text).toContain('bicycle');
    expect(best('Где можно оставить велосипед?', 'ru', [evidence], [0.02, 0.1])).toBeUndefined();
    expect(best('Где можно оставить велосипед?', 'ru', [evidence])).toBeUndefined();
  });

  it('makes no answer of a sentence that only names the same person', () => {
    const named = evidenceOfLines(['Present: Sunniva Aas and Rupert Vane.'], 'en');
    expect(best('When was Sunniva Aas hired?', 'en', [named], [0.6])).toBeUndefined();
  });
});

describe('evidenceUnits', () => {
  it('keeps a sentence together that goes on over the foot and head of a page', () => {
    const pages = evidenceOfBlocks(
      [
        { kind: 'paragraph', text: 'Rent is due monthly. The tenant keeps the gutters\n' },
        { kind: 'margin', text: '– 3 –\n' },
        { kind: 'margin', text: 'Lease of the boathouse\n' },
        { kind: 'paragraph', text: 'free of leaves. Smoking is forbidden.\n' },
      ],
      'en',
    );
    const units = evidenceUnits(pages, 0);
    expect(units.map(({ text }) => text)).toEqual([
      'Rent is due monthly.',
      'The tenant keeps the gutters free of leaves.',
      'Smoking is forbidden.',
    ]);
    const { text } = pages.passage;
    expect(text.slice(units[1]!.start, units[1]!.end)).toMatch(/^The tenant[\s\S]*leaves\.$/);
    expect(text.slice(units[2]!.start, units[2]!.end)).toBe('Smoking is forbidden.');
  });

  it('leaves paragraphs apart that end or begin as sentences do', () => {
    const lines = evidenceOfLines(['Rent is due.', 'tools are lent:', 'Keys stay here', 'No pets'], 'en');
    expect(evidenceUnits(lines, 0)).toHaveLength(4);
  });
});
