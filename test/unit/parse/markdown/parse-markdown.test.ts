/** Is Markdown read without its markup, and does every line keep its number? */
import { describe, expect, it } from 'vitest';
import { readParts } from '../read-parts.ts';

async function outline(text: string): Promise<string[]> {
  const { blocks } = await readParts('a.md', text);
  return blocks.map(({ kind, level, text: own, spans }) => {
    const lines = spans.map(({ anchor }) =>
      anchor.kind === 'lines'
        ? anchor.from === anchor.to
          ? anchor.from
          : `${anchor.from}-${anchor.to}`
        : '?',
    );
    return `${lines.join(',')} ${kind}${level ?? ''}: ${own.trimEnd().replaceAll('\n', ' / ').replaceAll('\t', ' | ')}`;
  });
}

describe('parseMarkdown', () => {
  const cases: { name: string; text: string; expected: string[] }[] = [
    {
      name: 'reads headings of both kinds and paragraphs over several lines',
      text: '# One *two*\n\nText **bold** and\n[a link](http://e.org "t") here.\n\nTitle\n=====\n\nSub\n---\n',
      expected: [
        '1 heading1: One two',
        '3,4 paragraph: Text bold and / a link here.',
        '6 heading1: Title',
        '9 heading2: Sub',
      ],
    },
    {
      name: 'reads lists, nested and loose',
      text: '- a\n  - b\n\n1. c\n\n   d\n',
      expected: ['1 list-item: a', '2 list-item: b', '4 list-item: c', '6 list-item: d'],
    },
    {
      name: 'keeps code as it is',
      text: '```ts\nconst a = 1;\n\nif (a) {}\n```\n\n    indented\n',
      expected: ['2,4 code: const a = 1; /  / if (a) {}', '7 code: indented'],
    },
    {
      name: 'reads tables row by row',
      text: '| Item | `Price` |\n|------|-------|\n| Tea  | **10**  |\n| Milk |       |\n',
      expected: ['1 row: Item | Price', '3 row: Tea | 10', '4 row: Milk'],
    },
    {
      name: 'leaves tags of HTML out and keeps what they hold',
      text: '<div align="center">\n  <b>Centre</b>\n</div>\n\nText <kbd>Ctrl</kbd><!-- no -->.\n',
      expected: ['2 paragraph:   Centre', '5 paragraph: Text Ctrl.'],
    },
    {
      name: 'stands for all its lines where a span of code crosses them',
      text: 'One `code\nover` two\nthree\n',
      expected: ['1-3,1-3 paragraph: One code over two / three'],
    },
  ];
  it.each(cases)('$name', async ({ text, expected }) => {
    expect(await outline(text)).toEqual(expected);
  });

  it('reads front matter, which stays out of passages', async () => {
    const text =
      '---\ntitle: "Leave rules"\nauthor: Olga\ndate: 2024-05-06\ntags:\n  - hr\n---\n\n# Other title\n\nText.\n';
    const { metadata, blocks } = await readParts('a.md', text);
    expect(metadata).toMatchObject({ title: 'Leave rules', author: 'Olga', date: '2024-05-06' });
    expect(blocks.map(({ kind }) => kind)).toEqual(['margin', 'heading', 'paragraph']);
    expect(blocks[1]!.spans[0]!.anchor).toEqual({ kind: 'lines', from: 9, to: 9 });
  });

  it('takes a rule at the top for a rule', async () => {
    expect(await outline('---\n\nText, not: a property\nmore text\n\n---\n')).toEqual([
      '3,4 paragraph: Text, not: a property / more text',
    ]);
  });

  it('is not held up by tags that never end', async () => {
    const { text } = await readParts(
      'a.md',
      `words\n\n<div>\n${'<script '.repeat(20_000)}\n${'<!-- '.repeat(20_000)}\n\n${'['.repeat(5_000)}\n`,
    );
    expect(text).toContain('words');
  });

  it('reads a file of megabytes in pieces with the right lines', async () => {
    const section = (i: number): string =>
      `## Part ${i}\n\nWords of part ${i}.\n\n\`\`\`\n# no heading\n\`\`\`\n\n`;
    const { blocks } = await readParts('a.md', Array.from({ length: 30_000 }, (_, i) => section(i)).join(''));
    const last = blocks.filter(({ text }) => text === 'Words of part 29999.\n');
    expect(last.map(({ spans }) => spans[0]!.anchor)).toEqual([
      { kind: 'lines', from: 29_999 * 8 + 3, to: 29_999 * 8 + 3 },
    ]);
    expect(blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(30_000);
  });
});
