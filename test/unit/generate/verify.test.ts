import { describe, expect, it } from 'vitest';
import type { Language, Support } from '../../../src/api/types.ts';
import { verify } from '../../../src/engine/generate/verify.ts';

const contract =
  'Contract with Orion Ltd. The notice period is 30 days. The fee of 1,000.5 EUR is due on 12 March 2024. Delivery "free on board".';
const договор =
  'Договор с компанией «Орион». Срок уведомления 30 дней. Плата 1 000,5 евро до 12 марта 2024 года.';

describe('verify', () => {
  const cases: [
    sentence: string,
    language: Language,
    source: string,
    of: Language,
    support: Support,
    missing: string[],
  ][] = [
    ['The notice period is 30 days.', 'en', contract, 'en', 'supported', []],
    ['The notice period is 45 days.', 'en', contract, 'en', 'unsupported', ['45']],
    ['The fee of 1 000,5 EUR is due on 12.03.2024.', 'en', contract, 'en', 'supported', []],
    [
      'The fee is due on 13 March 2024 with 30 days notice.',
      'en',
      contract,
      'en',
      'partly',
      ['13 March 2024'],
    ],
    ['The contract is with Orion.', 'en', contract, 'en', 'supported', []],
    ['The contract with Sirius has a notice of 30 days.', 'en', contract, 'en', 'partly', ['Sirius']],
    ['Delivery is "free on board".', 'en', contract, 'en', 'supported', []],
    ['Delivery is "at the gate" within 30 days.', 'en', contract, 'en', 'partly', ['at the gate']],
    ['Срок уведомления составляет 30 дней.', 'ru', договор, 'ru', 'supported', []],
    ['Плата Ориону 1000,5 евро.', 'ru', договор, 'ru', 'supported', []],
    ['Срок уведомления — 30 дней.', 'ru', contract, 'en', 'supported', []],
    ['Срок уведомления — 45 дней.', 'ru', contract, 'en', 'unsupported', ['45']],
  ];
  for (const [sentence, language, source, of, support, missing] of cases) {
    it(`${support}: ${sentence}`, () => {
      expect(verify(sentence, language, [{ text: source, language: of }])).toEqual({ support, missing });
    });
  }

  it('calls a sentence about something else unsupported, and one without a source', () => {
    const other = verify('Penguins huddle together against freezing winds.', 'en', [
      { text: contract, language: 'en' },
    ]);
    expect(other.support).toBe('unsupported');
    expect(verify('The notice period is 30 days.', 'en', []).support).toBe('unsupported');
  });

  it('takes each claim from any of the cited sources', () => {
    const sources = [contract, 'The penalty is 7 % a year.'].map((text) => ({
      text,
      language: 'en' as const,
    }));
    expect(verify('The notice period is 30 days and the penalty 7 %.', 'en', sources).support).toBe(
      'supported',
    );
  });
});
