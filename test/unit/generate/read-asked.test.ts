import { describe, expect, it } from 'vitest';
import { type Asked, askedNoun, readAsked } from '../../../src/engine/generate/read-asked.ts';

describe('readAsked', () => {
  const cases: [asked: Asked, questions: string[]][] = [
    [
      'count',
      [
        'How many berths are there?',
        'Сколько боксов в кооперативе?',
        'Ile osób pracuje?',
        'Wie viele Plätze gibt es?',
      ],
    ],
    [
      'amount',
      [
        'How much water is used?',
        'What is the total amount?',
        'Сколько составляет взнос?',
        'Каков размер ущерба?',
      ],
    ],
    [
      'money',
      [
        'How much does a ticket cost?',
        'What does storage cost?',
        'What is the monthly rent?',
        'Сколько стоит пропуск?',
        'Какой членский взнос?',
        'Was kostet der Eintritt?',
      ],
    ],
    [
      'percent',
      [
        'What percentage of boats is insured?',
        'Какой процент составляет пеня?',
        'Какая доля уходит в резерв?',
      ],
    ],
    [
      'measure',
      [
        'How long does the loan last?',
        'How deep is the basin?',
        'Сколько дней длится отпуск?',
        'Как долго хранят акты?',
        'На какой срок избирают правление?',
        'Wie lange gilt der Pass?',
      ],
    ],
    [
      'date',
      [
        'When is the regatta?',
        'By when must it be paid?',
        'From what date is it closed?',
        'Когда привезут насос?',
        'До какого числа надо заплатить?',
        'Wann beginnt der Kurs?',
      ],
    ],
    ['year', ['In what year was it built?', 'В каком году основан завод?']],
    ['time', ['What time does the gate close?', 'Во сколько закрывают ворота?']],
    [
      'person',
      [
        'Who drives the crane?',
        'Whose signature is needed?',
        'Кто выдаёт пропуск?',
        'Кем подписан акт?',
        'Как зовут сторожа?',
        'Wer leitet die Halle?',
      ],
    ],
    [
      'place',
      [
        'Where is the key?',
        'Which city is it in?',
        'Где лежит кабель?',
        'В каком городе находится правление?',
        'Wo liegt der Hafen?',
      ],
    ],
    [
      'code',
      [
        'Which berth number is ours?',
        'In which shed is the forklift?',
        'What is her telephone number?',
        'Какой номер у счётчика?',
      ],
    ],
    ['name', ['Which company delivers the concrete?', 'Какая фирма подготовила смету?']],
    [
      'other',
      ['Why is it closed?', 'What happened to the engine?', 'Почему закрыт въезд?', 'What did the club buy?'],
    ],
  ];
  for (const [asked, questions] of cases) {
    for (const question of questions)
      it(`${asked}: ${question}`, () => expect(readAsked(question)).toBe(asked));
  }

  it('takes no "when" inside a clause for the question', () => {
    expect(readAsked('What must a skipper do when fuel was spilled?')).toBe('other');
  });
});

describe('askedNoun', () => {
  it('names what is counted or chosen from', () => {
    expect(askedNoun('How many visiting boats are there?')).toEqual(['visiting', 'boats']);
    expect(askedNoun('В каком городе находится правление?')[0]).toBe('городе');
    expect(askedNoun('Why is it so?')).toEqual([]);
  });
});
