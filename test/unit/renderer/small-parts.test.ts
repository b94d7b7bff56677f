/** Do the page's small pure parts keep their promises? */
import { describe, expect, it } from 'vitest';
import type { Answer, Citation, Hit } from '../../../src/api/types.ts';
import { citationsOf, documentColours, hitOf } from '../../../src/renderer/src/ask/citations.ts';
import { answerWithSources } from '../../../src/renderer/src/ask/copy-with-sources.ts';
import { tidyScope } from '../../../src/renderer/src/ask/scope.ts';
import { fileNameBeside } from '../../../src/renderer/src/document/file-name.ts';
import { createLanguage } from '../../../src/renderer/src/language/language.ts';
import { csvInWords } from '../../../src/renderer/src/ledger/csv.ts';
import { durationInWords } from '../../../src/renderer/src/library/duration-in-words.ts';
import { actionOf, type Keys } from '../../../src/renderer/src/shell/key-actions.ts';

const { t } = createLanguage('en');
const russian = createLanguage('ru').t;

const document = (id: number) => ({
  id,
  folderId: 1,
  path: `a/${id}.pdf`,
  title: `Document ${id}`,
  kind: 'pdf' as const,
  isArchived: false,
});
const anchors = [{ kind: 'page' as const, page: 7, boxes: [] }];
const hit = (id: number, start: number): Hit => ({
  document: document(id),
  start,
  end: start + 100,
  text: 'text',
  headings: [],
  anchors,
  rank: 1,
  score: 1,
  matches: [],
  why: { lists: [], moves: [] },
});
const citation = (number: number, id: number, start: number): Citation => ({
  number,
  document: document(id),
  start,
  end: start + 10,
  quote: 'sixty\n days',
  anchor: anchors[0]!,
  anchors,
});

describe('citations and passages', () => {
  it('give one colour per document, by first appearance, and begin again after six', () => {
    const colours = documentColours(
      [1, 2, 1, 3, 4, 5, 6, 7].map((id) => hit(id, 0)),
      [],
    );
    expect(colours.get(1)).toBe('var(--doc-1)');
    expect(colours.get(3)).toBe('var(--doc-3)');
    expect(colours.get(7)).toBe('var(--doc-1)');
  });

  it('find each other by document and overlapping range', () => {
    const hits = [hit(1, 0), hit(1, 500), hit(2, 0)];
    expect(hitOf(citation(1, 1, 520), hits)).toBe(hits[1]);
    expect(hitOf(citation(1, 1, 100), hits)).toBeUndefined();
    expect(
      citationsOf(hits[0]!, [citation(2, 1, 50), citation(1, 1, 10), citation(3, 2, 5)]).map(
        (one) => one.number,
      ),
    ).toEqual([1, 2]);
  });
});

describe('a copied answer', () => {
  it('holds question, answer and each source with file, place and quote', () => {
    const answer = { answer: 'Sixty days [1].', citations: [citation(1, 1, 0)] } as Answer;
    expect(answerWithSources('How long?', answer, [], t)).toBe(
      'How long?\n\nSixty days [1].\n\nSources:\n[1] Document 1, a/1.pdf, page 7\n    sixty days\n',
    );
  });
});

describe('a scope', () => {
  it('is undefined when nothing narrows it', () => {
    expect(tidyScope({ kinds: [], after: '', includeArchived: false })).toBeUndefined();
    expect(tidyScope({ folderId: 2, kinds: ['pdf'] })).toEqual({ folderId: 2, kinds: ['pdf'] });
  });
});

describe('the exported ledger', () => {
  it('speaks the language of the page', () => {
    const table = {
      rows: [],
      excluded: [{ folderId: 1, path: '.git/', reason: 'hidden' } as const],
      folders: new Map(),
    };
    const [heads, line] = csvInWords(table, russian).split('\r\n');
    expect(heads).toBe(
      '\uFEFFПапка,Путь,Название,Вид,Состояние,Причина,Что делать,Сообщение,Размер в байтах,Изменён,Страниц',
    );
    expect(line).toMatch(/^,\.git\/,,,Пропущен,"Имя начинается с точки/);
  });
});

describe('the file beside a title', () => {
  it.each([
    ['Contoso Electronics', 'hr/handbook.pdf', 'handbook.pdf'],
    ['Annual plan', 'box.zip » in/plan 2.docx', 'plan 2.docx'],
    ['notes.txt', 'a/notes.txt', undefined],
    ['Supply Agreement', '2025/supply_agreement.pdf', undefined],
  ])('of "%s" at %s is %s', (title, path, name) => {
    expect(fileNameBeside(title, path)).toBe(name);
  });
});

describe('the state of one document', () => {
  it('is singular in Russian, where the filter is plural', () => {
    expect(russian('ledger.state.partly')).toBe('Прочитан отчасти');
    expect(russian('ledger.group.failed')).toBe('Не прочитаны');
  });
});

describe('a stretch of time', () => {
  it.each([
    [400, '1 second', '1 секунда'],
    [42_000, '42 seconds', '42 секунды'],
    [190_000, '3 minutes', '3 минуты'],
    [3 * 3_600_000, '3 hours', '3 часа'],
  ])('of %d ms is said', (ms, english, inRussian) => {
    expect(durationInWords(ms, t)).toBe(english);
    expect(durationInWords(ms, russian)).toBe(inRussian);
  });
});

describe('the keys', () => {
  const pressed = (
    key: string,
    code: string,
    held: Partial<Record<'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isInDocument', boolean>>,
    isTyping: boolean,
  ) => {
    const done: string[] = [];
    const keys = new Proxy({} as Keys, {
      get: (_, name) => (step?: number) => done.push(`${String(name)}${step ?? ''}`),
    });
    const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isInDocument: false };
    actionOf({ key, code, ...none, ...held }, isTyping)?.(keys);
    return done[0];
  };

  it.each([
    ['k', 'KeyK', { ctrlKey: true }, true, 'focusQuestion'],
    ['л', 'KeyK', { metaKey: true }, false, 'focusQuestion'],
    ['/', 'Slash', {}, false, 'focusQuestion'],
    ['/', 'Slash', {}, true, undefined],
    ['?', 'Slash', { shiftKey: true }, false, 'showShortcuts'],
    ['n', 'KeyN', {}, false, 'walk1'],
    ['т', 'KeyN', {}, false, 'walk1'],
    ['p', 'KeyP', {}, false, 'walk-1'],
    ['n', 'KeyN', {}, true, undefined],
    ['n', 'KeyN', { ctrlKey: true }, false, undefined],
    ['ArrowLeft', 'ArrowLeft', { altKey: true }, false, 'travel-1'],
    ['ArrowRight', 'ArrowRight', { altKey: true }, false, 'travel1'],
    ['Escape', 'Escape', {}, true, 'escape'],
    ['0', 'Digit0', {}, false, 'zoom0'],
    ['f', 'KeyF', { ctrlKey: true, isInDocument: true }, true, 'find'],
    ['а', 'KeyF', { metaKey: true, isInDocument: true }, false, 'find'],
    ['f', 'KeyF', { ctrlKey: true }, false, undefined],
    ['f', 'KeyF', { isInDocument: true }, false, undefined],
  ] as const)('%s (%s) with %j, typing: %s, does %s', (key, code, held, isTyping, expected) => {
    expect(pressed(key, code, held, isTyping)).toBe(expected);
  });
});
