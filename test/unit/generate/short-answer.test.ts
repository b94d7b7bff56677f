import { describe, expect, it } from 'vitest';
import type { Language } from '../../../src/api/types.ts';
import { type EvidenceUnit, evidenceUnits } from '../../../src/engine/generate/evidence-units.ts';
import { extractAnswer } from '../../../src/engine/generate/extract-answer.ts';
import { narrowQuote } from '../../../src/engine/generate/narrow-quote.ts';
import { readFocus } from '../../../src/engine/generate/question-focus.ts';
import { shortAnswer } from '../../../src/engine/generate/short-answer.ts';

function evidenceOf(text: string, language: Language, start = 0) {
  const document = {
    id: 1,
    folderId: 1,
    path: 'a.txt',
    title: 'a',
    kind: 'text' as const,
    isArchived: false,
  };
  const passage = { document, start, end: start + text.length, text, headings: [], anchors: [] };
  return { passage, blocks: [{ kind: 'paragraph' as const, start, text }], language };
}

const unitOf = (text: string, language: Language): EvidenceUnit =>
  evidenceUnits(evidenceOf(text, language), 0)[0]!;

describe('shortAnswer', () => {
  const cases: [question: string, sentence: string, language: Language, short: string][] = [
    [
      'How many tackles did he register?',
      'He led the team in 2015 with 118 tackles and 4 sacks.',
      'en',
      '118',
    ],
    ['How many interceptions?', 'He had four interceptions and 88 tackles.', 'en', 'four'],
    ['Сколько дней длится отпуск?', 'Отпуск длится 28 дней, из них 14 подряд.', 'ru', '28'],
    ['When was it signed?', 'It was signed on 12 March 2024 in Oslo.', 'en', '12 March 2024'],
    ['When was it signed?', 'It was signed in 2023 and 2024.', 'en', ''],
    ['In what year was it created?', 'It was created in the 1950s.', 'en', ''],
    ['В каком году основан завод?', 'Завод основан в 1987 году.', 'ru', '1987'],
    ['Who founded the firm?', 'The firm was founded by William E. Simon.', 'en', 'William E. Simon'],
    ['Who founded the firm?', 'It was founded by Nafzger for Lowry Digital.', 'en', 'Nafzger'],
    ['What percentage is taxed?', 'Some 27-30% of 500 cases are taxed.', 'en', '27-30%'],
    ['What is the monthly rent?', 'The monthly rent is 4,200 EUR.', 'en', '4,200 EUR'],
    ['What was the change in rent?', 'The rent was 4,200 EUR.', 'en', ''],
    [
      'How much is the daily allowance abroad?',
      '4.1 The daily allowance is EUR 48 in Sweden and EUR 62 abroad.',
      'en',
      'EUR 62',
    ],
    [
      'How much is the daily allowance?',
      '4.1 The daily allowance is EUR 48 in Sweden and EUR 62 abroad.',
      'en',
      '',
    ],
    [
      'How much may a hotel cost in Tokyo?',
      '3.1 A hotel may cost EUR 140 a night in Sweden, EUR 190 in London, New York and Zurich, and EUR 170 in Tokyo.',
      'en',
      'EUR 170',
    ],
    [
      'How much may a hotel cost in Zurich?',
      '3.1 A hotel may cost EUR 140 a night in Sweden and EUR 190 in London, New York and Zurich.',
      'en',
      '',
    ],
    [
      'How much may a hotel cost in Tokyo?',
      '3.1 A hotel may cost EUR 140 a night in Sweden and EUR 190 elsewhere except in Tokyo.',
      'en',
      '',
    ],
    ['How much is the deposit for the hall?', 'Rent is EUR 500 for the hall, the deposit EUR 900.', 'en', ''],
    [
      'How much is the allowance abroad?',
      'The allowance is EUR 48 in Sweden and the bonus EUR 62 abroad.',
      'en',
      '',
    ],
    [
      'How much may a hotel cost in Tokyo?',
      '3.1 Hotels cost no more than EUR 165 a night, in London, Zurich and Tokyo no more than EUR 240.',
      'en',
      '',
    ],
    ['How much is the deposit?', '(3) The deposit is EUR 900.', 'en', 'EUR 900'],
    ['How many days of leave are there?', '2.3 There are 26 days of leave, see section 7.', 'en', '26'],
    [
      'Какие суточные за границей?',
      'Суточные составляют 1 700 рублей в день по России и 4 200 рублей за границей.',
      'ru',
      '4 200 рублей',
    ],
    [
      'Какие суточные?',
      'Суточные составляют 1 700 рублей в день по России и 4 200 рублей за границей.',
      'ru',
      '',
    ],
    ['Сколько стоит пропуск?', '5.2. Пропуск стоит 300 рублей.', 'ru', '300 рублей'],
    ['Wie hoch ist die Miete?', 'Die Miete beträgt 900 EUR.', 'de', '900 EUR'],
    ['Why is it so?', 'Because of 5 reasons.', 'en', ''],
  ];
  for (const [question, sentence, language, short] of cases) {
    it(`"${question}" of "${sentence}"`, () => {
      expect(shortAnswer(readFocus(question, language), unitOf(sentence, language))).toBe(short);
    });
  }

  it('gives the cell of a row that the question names, by its column', () => {
    const columns = ['Item', '2019', '2018'];
    const block = {
      kind: 'row' as const,
      start: 0,
      text: 'Total sales\t$1,496.5\t$1,202.9\n',
      row: { table: 1, row: 2, isHeader: false, columns },
    };
    const [unit] = evidenceUnits({ ...evidenceOf(block.text, 'en'), blocks: [block] }, 0);
    const ask = (question: string) => shortAnswer(readFocus(question, 'en'), unit!);
    expect(ask('What is the amount of total sales in 2019?')).toBe('$1,496.5');
    expect(ask('What are the total sales?')).toBe('');
    expect(ask('What are other total sales in 2019?')).toBe('');
  });
});

describe('extractAnswer', () => {
  const text =
    'The Rhine rises in the Alps. It flows through Basel. Its length is 1,230 kilometres. Penguins do not live there.';

  it('takes the sentence that answers, with the one that says whom a pronoun means', () => {
    const { units } = extractAnswer(readFocus('How long is the length of the Rhine in kilometres?', 'en'), [
      evidenceOf(text, 'en'),
    ]);
    expect(units.map((unit) => unit.text)).toContain('Its length is 1,230 kilometres.');
    for (const { start, end, text: shown } of units) expect(text.slice(start, end).trim()).toBe(shown);
  });

  const best = (question: string, from: string) => {
    const extract = extractAnswer(readFocus(question, 'en'), [evidenceOf(from, 'en')]);
    return extract.units.length === 0 ? undefined : extract.ranked[0]?.unit.text;
  };

  it('prefers the sentence that holds what is asked for', () => {
    const trial =
      'Remote work is allowed after the trial period. The trial period is six months. Shelves are painted yearly.';
    expect(best('How long is the trial period?', trial)).toBe('The trial period is six months.');
    const sensor = 'Partners may use the sensor LQ-7 in their own line. The sensor speaks at 9,600 baud.';
    expect(best('How many baud does the sensor use?', sensor)).toBe('The sensor speaks at 9,600 baud.');
  });

  it('does not take a sentence for an answer because it names the same company', () => {
    const rules =
      'These rules hold for everyone at Alder Mills. Guests sign a list. Doors are locked at night.';
    expect(best('When was Alder Mills founded?', rules)).toBeUndefined();
    expect(best('How many patents does Alder Mills own?', rules)).toBeUndefined();
  });

  it('answers from the head of a letter only what a head says', () => {
    const letter =
      'From: Maureen Ashdown\nTo: Sanna Ekdahl\nDate: Tue, 3 March 2026\nSubject: Delay of call-off 7\n\nThe crack in the furnace is why call-off 7 leaves late.';
    expect(best('Why is there a delay of call-off 7?', letter)).toContain('The crack');
    expect(best('What is the subject about call-off 7?', letter)).toContain('Subject');
    const russian = evidenceOf(
      'От кого: Анна Белова\nКому: Пётр Орлов\nТема: Претензия по насосу\n\nПретензия вызвана трещиной в корпусе насоса.',
      'ru',
    );
    const { units } = extractAnswer(readFocus('Чем вызвана претензия по насосу?', 'ru'), [russian]);
    expect(units[0]!.text).toBe('Претензия вызвана трещиной в корпусе насоса.');
  });

  it('shows a comment of a program with the line that it speaks of', () => {
    const text = '// Seconds that a silent sensor rests.\nconst rest = 20;\n';
    const block = { kind: 'code' as const, start: 0, text };
    const [unit] = evidenceUnits({ ...evidenceOf(text, 'en'), blocks: [block] }, 0);
    expect(unit!.text).toBe('// Seconds that a silent sensor rests. const rest = 20;');
  });

  it('takes nothing when the question speaks of something else', () => {
    expect(
      extractAnswer(readFocus('Who painted the ceiling of the chapel?', 'en'), [evidenceOf(text, 'en')])
        .units,
    ).toEqual([]);
    expect(extractAnswer(readFocus('', 'en'), []).units).toEqual([]);
  });
});

describe('narrowQuote', () => {
  const text =
    'The lease began in May. The notice period is 30 days. The rent is 4,200 EUR. Pets are not allowed.';
  const units = evidenceUnits(evidenceOf(text, 'en', 50), 0);
  const quote = (...sentences: string[]) => {
    const range = narrowQuote(sentences, 'en', units);
    return range && text.slice(range.start - 50, range.end - 50).trim();
  };

  it('lights the sentence that carries the claim, or the two that do together', () => {
    expect(quote('Notice must be given 30 days before.')).toBe('The notice period is 30 days.');
    expect(quote('The notice period is 30 days and the rent 4,200 EUR.')).toBe(
      'The notice period is 30 days. The rent is 4,200 EUR.',
    );
    expect(quote('Something unrelated entirely.')).toBeUndefined();
  });
});
