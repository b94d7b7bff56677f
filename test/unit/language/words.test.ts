import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectLanguage } from '../../../src/engine/language/detect-language.ts';
import { createStemmer, indexStems, indexTerms, stem } from '../../../src/engine/language/stem.ts';
import { indexWords, words } from '../../../src/engine/language/words.ts';

describe('words', () => {
  it.each([
    ['1.0.21 and ст.12', '1 0 21 and ст 12'],
    ["Don't, Newton's, O’Neill, 'quoted'", 'dont newton oneill quoted'],
    ['Ёлка, за́мок, ещё', 'елка замок еще'],
    ['ﬁnance ISO-9001 Straße', 'finance iso 9001 strasse'],
    ['漢字 かな', '漢 字 か な'],
    ['Стро\u00adка co\u00adoperate', 'строка cooperate'],
    ['½ кг, 𝐀lpha', '1 2 кг alpha'],
    ['e\u0301te\u0301', 'été'],
    ['', ''],
    ['—…!?', ''],
  ])('of %j are %j', (text, expected) => {
    expect(indexWords(text)).toBe(expected);
  });

  it('stand in the original text where they say, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let before = 0;
        for (const { start, end, word } of words(text)) {
          expect(start >= before || end > start).toBe(true);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          before = start;
        }
      }),
    );
  });

  it('are found again in what the index stores', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(indexWords(text).split(' ').filter(Boolean)).toEqual(words(text).map(({ word }) => word));
      }),
    );
  });
});

describe('stem', () => {
  it.each([
    ['ru', 'договор договора договору договором договоре'],
    ['ru', 'поставка поставки поставку поставкой'],
    ['en', 'payment payments'],
    ['de', 'Kündigung Kündigungen'],
    ['es', 'contrato contratos'],
    ['pl', 'umowa umowy umowie umowę umową umów umowom umowami umowach'],
    ['pl', 'pracownik pracownika pracownikiem pracownicy pracowników pracownikom pracownikami'],
    ['pl', 'faktura faktury fakturze fakturę fakturą faktur'],
    ['pl', 'zamówienie zamówienia zamówieniu zamówień zamówieniami'],
  ] as const)('(%s) is one for %s', (language, forms) => {
    const stems = words(forms).map(({ word }) => stem(word, language));
    expect(new Set(stems).size).toBe(1);
  });

  it('goes by the script where a passage mixes languages', () => {
    expect(indexStems('договоры о contracts 2024', 'ru')).toBe('договор о contract 2024');
  });

  it('is the same with a memory as without', () => {
    const stemmer = createStemmer();
    const text = 'Поставщики, suppliers и Lieferanten: running, бегущие';
    for (let i = 0; i < 2; i++) expect(indexTerms(text, 'en', stemmer).stems).toBe(indexStems(text, 'en'));
  });
});

describe('detectLanguage', () => {
  it.each([
    ['ru', 'Сколько дней отпуска у сотрудника?'],
    ['ru', 'Договор № 12'],
    ['en', 'How many days of leave does an employee have?'],
    ['de', 'Wie viele Urlaubstage haben Mitarbeiter im Jahr?'],
    ['es', '¿Cuántos días de vacaciones tiene un empleado?'],
    ['pl', 'Ile dni urlopu ma pracownik?'],
    ['und', 'Combien de jours de congé a un employé ?'],
    ['und', 'Скільки днів відпустки має працівник?'],
    ['und', '你好世界'],
    ['und', 'invoice 2024'],
    ['und', ''],
  ] as const)('says %s of %j', (expected, text) => {
    expect(detectLanguage(text)).toBe(expected);
  });
});
