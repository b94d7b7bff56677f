import { describe, expect, it } from 'vitest';
import { readNumberWords } from '../../../src/engine/language/number-words.ts';

describe('readNumberWords', () => {
  const cases: [text: string, found: [written: string, value: number][]][] = [
    ['giving sixty days notice', [['sixty', 60]]],
    [
      'twenty-five boats and seven buoys',
      [
        ['twenty-five', 25],
        ['seven', 7],
      ],
    ],
    ['two hundred metres', [['two hundred', 200]]],
    ['за сорок пять дней', [['сорок пять', 45]]],
    ['около четырёх часов', [['четырёх', 4]]],
    ['через двенадцать месяцев', [['двенадцать', 12]]],
    ['nach zwölf Tagen', [['zwölf', 12]]],
    ['w ciągu czternastu dni', [['czternastu', 14]]],
    ['en quince días', [['quince', 15]]],
    // Ordinals, and words that only hold one.
    ['the fifth day of a sevenfold offer', []],
    ['третий этаж, семья и стол', []],
  ];
  for (const [text, found] of cases) {
    it(text, () => {
      expect(readNumberWords(text).map(({ start, end, value }) => [text.slice(start, end), value])).toEqual(
        found,
      );
    });
  }
});
