/** Do both languages say everything, in plain words and proper plurals? */
import { describe, expect, it } from 'vitest';
import { errorCodes, reasonCodes } from '../../../src/api/errors.ts';
import { exclusionReasons, ledgerStates, losses } from '../../../src/api/ledger.ts';
import { failureWords } from '../../../src/renderer/src/failure-words.ts';
import { en } from '../../../src/renderer/src/language/en.ts';
import { createLanguage, systemLanguage } from '../../../src/renderer/src/language/language.ts';
import { ru } from '../../../src/renderer/src/language/ru.ts';

type Tree = { [key: string]: string | Tree };

function leaves(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : leaves(value, `${path}${key}.`),
  );
}

const base = (key: string): string => key.replace(/_(one|few|many|other)$/, '');
const holes = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1] ?? '').sort();

describe('the languages', () => {
  it('answer the same keys', () => {
    const keys = (tree: Tree): string[] => [...new Set(leaves(tree).map(([key]) => base(key)))].sort();
    expect(keys(ru as unknown as Tree)).toEqual(keys(en));
  });

  it('fill the same holes', () => {
    const english = new Map(leaves(en).map(([key, text]) => [base(key), holes(text)]));
    for (const [key, text] of leaves(ru as unknown as Tree)) {
      const known = english.get(base(key)) ?? [];
      expect(known, key).toEqual(expect.arrayContaining(holes(text)));
    }
  });

  it.each([en, ru as unknown as Tree])('never speak of chunks, embeddings, vectors or tokens', (tree) => {
    for (const [key, text] of leaves(tree)) {
      expect(text, key).not.toMatch(/chunk|embedding|vector|token|чанк|эмбеддинг|вектор|токен/i);
    }
  });

  it('count as each language counts', () => {
    const russian = createLanguage('ru').t;
    expect([1, 2, 5, 21, 112].map((count) => russian('ledger.count', { count }))).toEqual([
      '1 документ',
      '2 документа',
      '5 документов',
      '21 документ',
      '112 документов',
    ]);
    const english = createLanguage('en').t;
    expect([1, 4903].map((count) => english('ledger.count', { count }))).toEqual([
      '1 document',
      '4,903 documents',
    ]);
  });

  it('follow the system, else are English', () => {
    expect(systemLanguage(['ru-RU', 'en'])).toBe('ru');
    expect(systemLanguage(['pl', 'ru'])).toBe('ru');
    expect(systemLanguage(['fi'])).toBe('en');
  });
});

describe('what failed', () => {
  it.each(errorCodes)('%s has words and an action in both languages', (code) => {
    for (const language of ['en', 'ru'] as const) {
      const words = failureWords({ code, message: 'detail' }, createLanguage(language).t);
      expect(words.text).not.toContain('failure.');
      expect(words.actionLabel).not.toContain('failureAction.');
      expect(words.detail).toBe('detail');
    }
  });

  it.each([...reasonCodes, ...losses, ...exclusionReasons])(
    'a document that is not searched whole because of "%s" has a reason and an advice in both languages',
    (cause) => {
      for (const language of ['en', 'ru'] as const) {
        const { t } = createLanguage(language);
        for (const text of [t(`ledger.why.${cause}`), t(`ledger.todo.${cause}`)]) {
          expect(text).toMatch(/^\p{Lu}.+\.$/u);
        }
      }
    },
  );

  it.each(ledgerStates)('the state "%s" has words in both languages', (state) => {
    for (const language of ['en', 'ru'] as const)
      expect(createLanguage(language).t(`ledger.state.${state}`)).toMatch(/^\p{Lu}[^.]+$/u);
  });
});
