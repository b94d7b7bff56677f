/** Are documents cut where their content parts, and is nothing lost or cut through? */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords } from '../../../src/engine/chunk/count-words.ts';
import { chunk as limits } from '../../../src/engine/config.ts';
import type { Part } from '../../../src/engine/document.ts';
import { block, chunkParts, heading, onPage, prose, row, table } from './chunk-blocks.ts';

describe('chunks of prose', () => {
  it('keep a small document whole', async () => {
    const { chunks } = await chunkParts([
      block('title', 'A note'),
      heading(1, 'One'),
      block('paragraph', prose(50)),
      heading(1, 'Two'),
      block('list-item', 'and an item'),
    ]);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]).toMatchObject({ kind: 'prose', start: 0, headings: [] });
    expect(chunks[0]!.text).toContain('and an item');
  });

  it('are sections with their heading path in front, not in the text', async () => {
    const { chunks } = await chunkParts([
      heading(1, 'Leave'),
      heading(2, 'Paid'),
      block('paragraph', prose(200, 'paid')),
      heading(2, 'Sick'),
      block('paragraph', prose(200, 'sick')),
    ]);
    expect(chunks.map(({ kind, headings }) => [kind, ...headings])).toEqual([
      ['prose', 'Leave', 'Paid'],
      ['prose', 'Leave', 'Sick'],
      ['summary'],
    ]);
    expect(chunks[1]!.text.startsWith('The sick0')).toBe(true);
  });

  it('glue tiny sections, their headings kept in the text', async () => {
    const parts = Array.from({ length: 8 }, (_, i) => [
      heading(2, `3.${i} Clause`),
      block('paragraph', prose(30, `w${i}x`)),
    ]).flat();
    const { chunks } = await chunkParts([heading(1, '3 Terms'), ...parts]);
    const proseChunks = chunks.filter(({ kind }) => kind === 'prose');
    expect(proseChunks.length).toBeGreaterThan(1);
    for (const { text, headings } of proseChunks) {
      expect(countWords(text)).toBeGreaterThanOrEqual(60);
      expect(headings).toEqual(['3 Terms']);
    }
    for (let i = 0; i < 8; i++)
      expect(proseChunks.filter(({ text }) => text.includes(`3.${i} Clause`))).toHaveLength(1);
  });

  it('cut a long section evenly between sentences, near the target', async () => {
    const { chunks } = await chunkParts([block('paragraph', prose(2_000))]);
    const lengths = chunks.filter(({ kind }) => kind === 'prose').map(({ text }) => countWords(text));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(limits.maxWords);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(limits.minWords);
    for (const { kind, text } of chunks) if (kind === 'prose') expect(text.endsWith('.')).toBe(true);
  });

  it('part where neighbouring sentences differ, when a similarity is given', async () => {
    const parts = [block('paragraph', `${prose(250, 'apple')} ${prose(250, 'bridge')}`)];
    const similarity = async (sentences: string[]): Promise<number[]> =>
      sentences
        .slice(1)
        .map((sentence, i) => (sentence.slice(4, 9) === sentences[i]!.slice(4, 9) ? 0.9 - i / 1_000 : 0.1));
    const { chunks } = await chunkParts(parts, similarity);
    expect(chunks[0]!.text).not.toContain('bridge');
    expect(chunks[1]!.text).not.toContain('apple');
  });

  it('leave page headers and footers out', async () => {
    const { chunks, text } = await chunkParts([
      block('margin', 'Company · page 1'),
      block('paragraph', prose(150)),
      block('margin', 'Company · page 2'),
      block('paragraph', prose(150)),
    ]);
    expect(text).toContain('Company');
    for (const chunk of chunks) expect(chunk.text).not.toContain('Company');
  });

  it('cover at most two pages', async () => {
    const parts = Array.from({ length: 9 }, (_, i) => onPage(block('paragraph', prose(40, `p${i}x`)), i + 1));
    const { chunks } = await chunkParts(parts);
    for (const { kind, text } of chunks) {
      const pages = new Set([...text.matchAll(/p(\d)x/g)].map((match) => match[1]));
      if (kind === 'prose') expect(pages.size).toBeLessThanOrEqual(2);
    }
  });

  it('cut a sentence without end, never inside a grapheme', async () => {
    const family = '👩‍👩‍👧‍👦';
    const { chunks, text } = await chunkParts([block('paragraph', family.repeat(2_000))]);
    expect(
      chunks
        .filter(({ kind }) => kind === 'prose')
        .map((chunk) => chunk.text)
        .join(''),
    ).toBe(text.trim());
    for (const chunk of chunks)
      if (chunk.kind === 'prose') expect(chunk.text.startsWith('👩') && chunk.text.endsWith('👦')).toBe(true);
  });

  it('keep a sentence whole over the line ends of a wrapped paragraph', async () => {
    const wrapped = `${'This line is as long as a page is wide, it goes on and on.\nThe next one does the same and ends with Ivan\nPetrov, who signs it. '.repeat(30)}`;
    const { chunks } = await chunkParts([block('paragraph', wrapped)]);
    for (const { kind, text } of chunks) if (kind === 'prose') expect(text).not.toMatch(/^Petrov/);
  });

  it('hold a chapter of any length at bounded memory', async () => {
    const paragraph = block('paragraph', prose(100));
    const { chunks } = await chunkParts(Array.from({ length: 3_000 }, () => paragraph));
    expect(chunks.length).toBeGreaterThan(600);
  });
});

describe('chunks of tables', () => {
  const header = row(1, 1, ['Item', 'Price', 'Note'], true);

  it('say the column of every value and never cut a row', async () => {
    const rows = Array.from({ length: 200 }, (_, i) =>
      row(1, i + 2, [`Item ${i}`, `${i}.50`, i % 2 ? 'a\nnote' : '']),
    );
    const { chunks } = await chunkParts([table(1, ['Item', 'Price', 'Note']), header, ...rows]);
    const lines = chunks.filter(({ kind }) => kind === 'rows').flatMap(({ text }) => text.split('\n'));
    expect(lines).toHaveLength(200);
    expect(lines[3]).toBe('Item: Item 3 · Price: 3.50 · Note: a note');
    expect(lines[4]).toBe('Item: Item 4 · Price: 4.50');
    for (const { kind, text } of chunks)
      if (kind === 'rows') expect(countWords(text)).toBeLessThanOrEqual(limits.maxRowWords);
  });

  it('describe a sheet by columns, rows and totals, under its name', async () => {
    const rows = [
      row(1, 2, ['Tea', '10,50', 'x'], false, [undefined, 10.5]),
      row(1, 3, ['Milk', '4.25', ''], false, [undefined, 4.25]),
    ];
    const { chunks } = await chunkParts([
      table(1, ['Item', 'Price', 'Note'], { isSheet: true, name: 'Budget' }),
      header,
      ...rows,
    ]);
    const sheet = chunks.find(({ kind }) => kind === 'sheet')!;
    expect(sheet.text).toBe(
      'Budget\ncolumns: Item, Price, Note\nrows: 2\nPrice: sum 14.75, from 4.25 to 10.5',
    );
    expect(chunks.filter(({ kind }) => kind === 'rows').map(({ headings }) => headings)).toEqual([
      ['Budget'],
    ]);
  });

  it('find a sheet that has a header and no rows', async () => {
    const { chunks } = await chunkParts([
      table(1, ['Item', 'Price', 'Note'], { isSheet: true, name: 'Empty' }),
      header,
    ]);
    expect(chunks.map(({ kind, text }) => [kind, text])).toEqual([
      ['sheet', 'Empty\ncolumns: Item, Price, Note\nrows: 0'],
    ]);
  });

  it('carry the heading path and caption of a table in a text', async () => {
    const { chunks } = await chunkParts([
      heading(1, 'Costs'),
      table(1, ['Item', 'Price', 'Note'], { name: 'Table 3' }),
      header,
      row(1, 2, ['Tea', '1', '']),
      block('paragraph', prose(130)),
    ]);
    expect(chunks.map(({ kind, headings }) => [kind, ...headings])).toEqual([
      ['rows', 'Costs', 'Table 3'],
      ['prose', 'Costs'],
      ['summary'],
    ]);
  });

  it('join values alone where there is no header', async () => {
    const { chunks } = await chunkParts([table(1, []), row(1, 1, ['a', '', 'b'])]);
    expect(chunks[0]).toMatchObject({ kind: 'rows', text: 'a · b' });
  });
});

describe('chunks of code', () => {
  const code = (name: string, words: number, level: number): Part =>
    block('code', `function ${name}() {\n  ${prose(words, name)}\n}`, { level });

  it('never go through a function', async () => {
    const parts: Part[] = [
      { type: 'metadata', metadata: { kind: 'code' } },
      ...Array.from({ length: 20 }, (_, i) => code(`f${String.fromCharCode(97 + i)}`, 90, 0)),
    ];
    const { chunks } = await chunkParts(parts);
    for (const { kind, text } of chunks) {
      if (kind !== 'code') continue;
      expect(text.startsWith('function')).toBe(true);
      expect(text.endsWith('}')).toBe(true);
    }
  });

  it('carry the class they stand in, and lose it where it ends', async () => {
    const { chunks } = await chunkParts([
      { type: 'metadata', metadata: { kind: 'code' } },
      block('heading', 'export class Store {', { level: 1 }),
      code('open', 150, 1),
      code('outside', 150, 0),
    ]);
    expect(chunks.map(({ kind, headings }) => [kind, ...headings])).toEqual([
      ['code', 'export class Store'],
      ['code'],
      ['summary'],
    ]);
  });

  it('cut a function over the limit between lines', async () => {
    const body = Array.from({ length: 400 }, (_, i) => `  call${i}(one, two, three);`).join('\n');
    const { chunks } = await chunkParts([block('code', `function big() {\n${body}\n}`, { level: 0 })]);
    for (const { kind, text } of chunks) {
      if (kind !== 'code') continue;
      expect(countWords(text)).toBeLessThanOrEqual(limits.maxWords);
      expect(text).toMatch(/[;{}]$/);
    }
  });
});

describe('the summary of a document', () => {
  it('holds title, headings and the beginning, and stands last', async () => {
    const { chunks, text } = await chunkParts([
      { type: 'metadata', metadata: { title: 'Handbook' } },
      block('margin', 'top'),
      heading(1, 'Leave'),
      block('paragraph', prose(400)),
      heading(1, 'Pay'),
      block('paragraph', prose(200)),
    ]);
    const summary = chunks.at(-1)!;
    expect(summary.kind).toBe('summary');
    expect(summary.text.startsWith('Handbook\nLeave · Pay\nLeave\nThe word0')).toBe(true);
    expect(summary.end - summary.start).toBeLessThanOrEqual(limits.summaryLength);
    expect(text.slice(summary.start, summary.end)).not.toContain('top');
  });
});

describe('for every document', () => {
  const sentence = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', ' ', '. ', 'Ж', '😀', '👍🏽', '\n', 'e\u0301', '中', '3.2 '),
    minLength: 1,
    maxLength: 400,
  });
  const part = fc.oneof(
    { weight: 5, arbitrary: sentence.map((text) => block('paragraph', text)) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 1, max: 400 }).map((count) => block('paragraph', prose(count))),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('A', 'B', 'C'))
        .map(([level, text]) => heading(level, text)),
    },
    { weight: 1, arbitrary: sentence.map((text) => block('margin', text)) },
    { weight: 1, arbitrary: sentence.map((text) => block('code', text)) },
    { weight: 1, arbitrary: sentence.map((text) => row(7, 1, [text.replaceAll('\n', ' '), 'x'])) },
    { weight: 1, arbitrary: sentence.map((text) => block('footnote', text)) },
  );

  it('cover all of it but its margins, in order, as slices of its text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 40 }), async (parts) => {
        const { chunks, text, blocks } = await chunkParts(parts);
        const cut = chunks.filter(({ kind }) => kind !== 'summary');
        let before = 0;
        for (const { kind, start, end, text: own } of cut) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          before = end;
          if (kind !== 'rows') expect(text.slice(start, end)).toBe(own);
          expect(own).toBe(own.trim());
          expect(own.isWellFormed()).toBe(true);
          if (kind === 'prose')
            expect(countWords(own)).toBeLessThanOrEqual(limits.maxWords + limits.maxSentenceLength);
        }
        for (const { block: one, start } of blocks) {
          const end = start + one.text.trimEnd().length;
          const first = start + (one.text.length - one.text.trimStart().length);
          if (one.text.trim() === '') continue;
          const overlapping = cut.filter((chunk) => chunk.start < end && chunk.end > first);
          if (one.kind === 'margin') expect(overlapping).toEqual([]);
          else if (one.kind === 'heading' && overlapping.length === 0) {
            expect(cut.some(({ headings }) => headings.includes(one.text.trim()))).toBe(true);
          } else {
            expect(overlapping[0]!.start).toBeLessThanOrEqual(first);
            expect(overlapping.at(-1)!.end).toBeGreaterThanOrEqual(end);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
