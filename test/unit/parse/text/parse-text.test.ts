/** Are paragraphs, headings and lines of plain text told apart, and does every character keep its line? */
import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../../src/engine/parse/text/decode-text.ts';
import { readFileParts, readParts, withFile } from '../read-parts.ts';

async function kinds(text: string): Promise<string[]> {
  const { blocks } = await readParts('a.txt', text);
  return blocks.map(
    (block) => `${block.kind}${block.level ?? ''}: ${block.text.trimEnd().replaceAll('\n', ' / ')}`,
  );
}

describe('parseText', () => {
  const cases: { name: string; text: string; expected: string[] }[] = [
    {
      name: 'parts paragraphs at blank lines and keeps their lines',
      text: 'One line\nand another.\n\n\nA second paragraph.\n',
      expected: ['paragraph: One line / and another.', 'paragraph: A second paragraph.'],
    },
    {
      name: 'takes numbered clauses above their text for headings, with their depth',
      text: 'Intro text here.\n\n3 Term and Notice\n\nText of three.\n\n3.2 Termination\nEither party may end it.\n',
      expected: [
        'paragraph: Intro text here.',
        'heading2: 3 Term and Notice',
        'paragraph: Text of three.',
        'heading3: 3.2 Termination',
        'paragraph: Either party may end it.',
      ],
    },
    {
      name: 'knows parts and articles by name in several languages',
      text: 'Глава I. Общие положения\n\nСтатья 5. Порядок расчётов\n\nОплата за десять дней.\n\n§ 3 Kündigung\n\nText.\n',
      expected: [
        'heading1: Глава I. Общие положения',
        'heading2: Статья 5. Порядок расчётов',
        'paragraph: Оплата за десять дней.',
        'heading2: § 3 Kündigung',
        'paragraph: Text.',
      ],
    },
    {
      name: 'leaves a numbered list a list',
      text: 'To do:\n\n1. Buy milk\n2. Call Bob\n3. Sleep\n',
      expected: ['paragraph: To do:', 'paragraph: 1. Buy milk / 2. Call Bob / 3. Sleep'],
    },
    {
      name: 'leaves numbered lines with blank lines between a list',
      text: 'To do\n\n1. Buy milk\n\n2. Call Bob\n\n3. Sleep\n',
      expected: ['title: To do', 'list-item: 1. Buy milk', 'list-item: 2. Call Bob', 'list-item: 3. Sleep'],
    },
    {
      name: 'takes underlined and shouted lines for headings',
      text: 'Report\n======\n\nText one.\n\nFINAL PROVISIONS\n\nText two.\n',
      expected: [
        'heading1: Report / ======',
        'paragraph: Text one.',
        'heading1: FINAL PROVISIONS',
        'paragraph: Text two.',
      ],
    },
    {
      name: 'takes a first short line that stands alone for the title',
      text: 'Minutes of the meeting\n\nPresent: all.\n',
      expected: ['title: Minutes of the meeting', 'paragraph: Present: all.'],
    },
    {
      name: 'parts list items at their marks',
      text: 'We sell\n- apples\n  and pears\n- plums\n',
      expected: ['paragraph: We sell', 'list-item: - apples /   and pears', 'list-item: - plums'],
    },
  ];
  it.each(cases)('$name', async ({ text, expected }) => {
    expect(await kinds(text)).toEqual(expected);
  });

  it('gives each source line a span of its own, by CR, LF or CRLF', async () => {
    const { blocks } = await readParts('a.txt', 'one\r\ntwo\rthree\n\r\nfive');
    const lines = blocks.flatMap(({ text, spans }) =>
      spans.map(({ start, end, anchor }) => [text.slice(start, end), anchor.kind === 'lines' && anchor.from]),
    );
    expect(lines).toEqual([
      ['one', 1],
      ['two', 2],
      ['three', 3],
      ['five', 5],
    ]);
  });

  it('writes accents composed and control characters as spaces', async () => {
    const { text } = await readParts('a.txt', 'cafe\u0301 \u0007bell\u000cfeed');
    expect(text).toBe('café  bell feed\n');
  });

  it('says that a text of blank lines is empty', async () => {
    await expect(readParts('a.txt', '\n \n\t\n')).rejects.toMatchObject({ reason: 'empty' });
  });

  it('keeps every line of any text, in order, under its number', async () => {
    const line = fc.string({
      unit: fc.constantFrom('a', 'Б', '1', '.', ' ', '-', '\t', '😀', '=', '§'),
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), async (lines) => {
        fc.pre(lines.some((one) => one.trim() !== ''));
        const { blocks } = await readParts('a.txt', lines.join('\n'));
        const found = blocks.flatMap(({ text, spans }) =>
          spans.map(({ start, end, anchor }) => [
            anchor.kind === 'lines' ? anchor.from : 0,
            text.slice(start, end),
          ]),
        );
        const expected = lines.flatMap((one, i) => (one.trim() === '' ? [] : [[i + 1, one]]));
        expect(found).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('cuts a line of megabytes without cutting a character, and keeps its number', async () => {
    const long = `start ${'😀é'.repeat(200_000)} end`;
    const { blocks, text } = await readParts('a.txt', `first\n${long}\nlast`);
    expect(text.replaceAll('\n', '')).toBe(`first${long}last`);
    expect(blocks.every((block) => block.text.isWellFormed())).toBe(true);
    expect(
      new Set(
        blocks.flatMap((block) => block.spans.map(({ anchor }) => anchor.kind === 'lines' && anchor.from)),
      ),
    ).toEqual(new Set([1, 2, 3]));
    expect(Math.max(...blocks.map((block) => block.text.length))).toBeLessThan(20_000);
  });

  it('reads 100 MB at constant memory', async () => {
    await withFile('big.txt', '', async (file) => {
      const paragraph = `${'The quick record of a long day goes on without an end in sight. '.repeat(12)}\n\n`;
      await writeFile(file.path, paragraph.repeat(Math.ceil(100e6 / paragraph.length)));
      const { parseText } = await import('../../../../src/engine/parse/text/parse-text.ts');
      const before = process.memoryUsage().rss;
      let highest = 0;
      let blocks = 0;
      for await (const part of parseText(file, new AbortController().signal)) {
        if (part.type === 'block' && ++blocks % 5_000 === 0)
          highest = Math.max(highest, process.memoryUsage().rss);
      }
      expect(blocks).toBeGreaterThan(100_000);
      expect((highest - before) / 1e6).toBeLessThan(200);
    });
  }, 120_000);

  it('stops when it is told to', async () => {
    await withFile('big.txt', 'line of text\n\n'.repeat(200_000), async (file) => {
      const { parseText } = await import('../../../../src/engine/parse/text/parse-text.ts');
      const abort = new AbortController();
      const read = async (): Promise<void> => {
        for await (const part of parseText(file, abort.signal)) if (part.type === 'block') abort.abort();
      };
      await expect(read()).rejects.toThrow();
    });
  });

  it('reads a file that is written in koi8-r after a megabyte of ASCII', async () => {
    const head = 'plain words only\n'.repeat(70_000);
    const tail = Buffer.from([
      0xf3, 0xd2, 0xcf, 0xcb, 0x20, 0xd0, 0xcf, 0xd3, 0xd4, 0xc1, 0xd7, 0xcb, 0xc9, 0x20, 0xc4, 0xc5, 0xd3,
      0xd1, 0xd4, 0xd8, 0x20, 0xc4, 0xce, 0xc5, 0xca,
    ]);
    await withFile('late.txt', Buffer.concat([Buffer.from(head), tail]), async (file) => {
      const { text, metadata } = await readFileParts(file);
      expect(text.endsWith('Срок поставки десять дней\n')).toBe(true);
      expect(metadata.encoding).toBe('koi8-r');
    });
  });
});

describe('readLines', () => {
  it('gives the same lines wherever the pieces are cut', async () => {
    const text = 'one\r\ntwo\rthree\n\nfive\r\n';
    const whole = text.split(/\r\n|\n|\r/).slice(0, -1);
    for (let cut = 0; cut <= text.length; cut++) {
      const lines: string[] = [];
      for await (const batch of readLines(
        (async function* () {
          yield text.slice(0, cut);
          yield text.slice(cut);
        })(),
      )) {
        lines.push(...batch.map((line) => line.text));
      }
      expect(lines).toEqual(whole);
    }
  });
});
