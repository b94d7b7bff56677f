import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentences } from '../../../src/engine/language/sentences.ts';

/** Expected sentences are parted by " | ". */
function check(expected: string): void {
  const text = expected.replaceAll(' | ', ' ');
  expect(sentences(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected.split(' | '));
}

describe('sentences', () => {
  it.each([
    'Согласно ст. 12 договора от 3 марта 2024 г. | Поставщик обязан, т. е. должен, поставить товар.',
    'И. И. Иванов подписал. | Сумма 1,5 млн руб. | Оплата в 10 дней.',
    'See No. 5, e.g. the rule in Sec. 3.2. | Mr. J. R. Smith agreed. | It cost $3.5 million.',
    '"Really?" he asked. | Yes! | OK.',
    'Das gilt z. B. für Dr. Müller, d.h. alle. | Am 3. März begann es. | Ende.',
    '1. Первый пункт. | 2. Второй пункт.',
    'Zgodnie z art. 5 ust. 2 pkt 3 umowy. | Pan mgr inż. Kowalski, np. tutaj. | Koniec.',
    'El Sr. García vive en la Av. Libertad. | No vino.',
    'One… | Two.',
  ])('are cut so: %s', check);

  it('end with a line that carries no stop', () => {
    const text = 'Heading\nText goes\non here.\n\nNext';
    expect(sentences(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Heading',
      'Text goes\non here.',
      'Next',
    ]);
  });

  it('cover all but white space, in order, and cut no character in two', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('А. ', 'b.', ' ', '\n', '😀', 'ст. ', '3.2', '? ', '«', '»', '…', 'x'.repeat(900)),
        ),
        (parts) => {
          const text = parts.join('');
          let at = 0;
          for (const { start, end } of sentences(text)) {
            expect(text.slice(at, start).trim()).toBe('');
            expect(end).toBeGreaterThan(start);
            expect(text.slice(start, end).isWellFormed()).toBe(true);
            at = end;
          }
          expect(text.slice(at).trim()).toBe('');
        },
      ),
    );
  });
});
