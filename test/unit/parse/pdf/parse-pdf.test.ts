import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { ParseFailure } from '../../../../src/engine/document.ts';
import { type MadePage, makePdf, rawPdf, sheet } from '../../../fixtures-made/pdf/make-pdf.ts';
import { drawPdf, mixedPdf } from '../../../fixtures-made/pictures/make-picture.ts';
import { readPdf } from './read-pdf.ts';

const paragraph = [
  'The northern depot opens its gates at six in the morning on every',
  'working day of the year, and trucks that arrive before that hour wait',
  'in the outer yard until the keeper has signed the sheet.',
];

function down(lines: string[], x: number, y: number, pitch = 14, size = 11): MadePage['lines'] {
  return lines.map((text, index) => ({ text, x, y: y + index * pitch, size }));
}

async function failureOf(bytes: Uint8Array): Promise<string> {
  const outcome = await readPdf(bytes).catch((error: unknown) => error);
  return outcome instanceof ParseFailure ? outcome.reason : 'no failure';
}

describe('parsePdf: text', () => {
  it('makes headings, paragraphs and list items of lines', async () => {
    const { blocks } = await readPdf(
      await makePdf([
        {
          lines: [
            { text: 'Depot rules', x: 40, y: 50, size: 20 },
            ...down(paragraph, 40, 90),
            { text: 'Safety', x: 40, y: 150, isBold: true },
            { text: '• Wear a helmet.', x: 40, y: 170 },
            { text: '• Keep the exits free.', x: 40, y: 184 },
          ],
        },
      ]),
    );
    expect(blocks.map(({ kind, level, text }) => [kind, level, text])).toEqual([
      ['heading', 1, 'Depot rules\n'],
      ['paragraph', undefined, `${paragraph.join(' ')}\n`],
      ['heading', 4, 'Safety\n'],
      ['list-item', undefined, '• Wear a helmet.\n'],
      ['list-item', undefined, '• Keep the exits free.\n'],
    ]);
  });

  it('begins a block at each numbered clause, and never at a number inside a sentence', async () => {
    const clauses = [
      '2.1 The keeper opens the outer gates of the depot at six in the morning.',
      '2.2 The sheet is signed by the keeper and by the driver as stated in clause',
      '2.1 above, before the load is weighed and the seal is broken at the dock.',
      '2.3. Seals are kept for a year in the cabinet of the northern depot there.',
    ];
    const { blocks } = await readPdf(await makePdf([{ lines: down(clauses, 40, 60) }]));
    expect(blocks.map(({ text }) => text)).toEqual([
      `${clauses[0]}\n`,
      `${clauses[1]} ${clauses[2]}\n`,
      `${clauses[3]}\n`,
    ]);
  });

  it.each([
    {
      name: 'a divided word is whole again',
      lines: ['The company keeps its regis-', 'ter of goods.'],
      text: 'register of goods',
    },
    {
      name: 'a compound keeps its hyphen when it stands elsewhere',
      lines: ['A long-term plan is a long-', 'term promise.'],
      text: 'a long-term promise',
    },
    {
      name: 'a ligature becomes letters',
      lines: ['The keeper ﬁles his ﬂoor plans.'],
      text: 'The keeper files his floor plans.',
    },
    {
      name: 'Cyrillic is read',
      lines: ['Договор поставки № 12 действует до 31 декабря.'],
      text: 'Договор поставки № 12',
    },
  ])('$name', async ({ lines, text }) => {
    const read = await readPdf(await makePdf([{ lines: down(lines, 40, 60) }]));
    expect(read.text).toContain(text);
  });

  it('reads two columns one after the other, also when they are drawn line by line', async () => {
    const left = [
      'The first column speaks of grain',
      'and of the barns where it lies',
      'until the carts come to fetch it',
      'in the last week of September.',
    ];
    const right = [
      'The second column speaks of ice',
      'and of the boats that carry it',
      'from the lakes of the far north',
      'to the cellars of the old town.',
    ];
    const columns = await makePdf([
      { lines: [...down(left, 30, 100, 13, 10), ...down(right, 215, 100, 13, 10)] },
    ]);
    const { text } = await readPdf(columns);
    expect(text.replace(/\s+/g, ' ')).toBe(`${left.join(' ')} ${right.join(' ')} `);
  });

  it('reads three columns one after the other', async () => {
    const column = (word: string) => [
      `The ${word} column tells a tale`,
      `of ${word} barns and old carts`,
      `and of the ${word} gatekeepers`,
      `who always stay ${word} here.`,
    ];
    const names = ['first', 'second', 'third'];
    const lines = names.flatMap((name, index) => down(column(name), 20 + index * 125, 100, 11, 8));
    const { text } = await readPdf(await makePdf([{ lines }]));
    expect(text.replace(/\s+/g, ' ')).toBe(`${names.flatMap(column).join(' ')} `);
  });

  it('reads what was filled into a form', async () => {
    const form = await PDFDocument.create();
    const field = form.getForm().createTextField('receiver');
    field.setText('Harbour office');
    field.addToPage(form.addPage([300, 300]), { x: 40, y: 200, width: 200, height: 24 });
    expect((await readPdf(await form.save())).text).toBe('Harbour office\n');
  });

  it('keeps the cells of a row on one line, separated by tabs', async () => {
    const cells = [
      ['Item', 'Quantity', 'Price'],
      ['Bolts', '1,200', '88.40'],
      ['Washers', '3,000', '41.15'],
      ['Nuts', '950', '60.00'],
    ];
    const lines = cells.flatMap((row, index) =>
      row.map((text, column) => ({ text, x: 40 + column * 120, y: 80 + index * 16 })),
    );
    const { text } = await readPdf(await makePdf([{ lines }]));
    expect(text).toBe(`${cells.map((row) => row.join('\t')).join('\n')}\n`);
  });

  it('sets running headers and footers apart, but keeps them', async () => {
    const pages = Array.from({ length: 5 }, (_, index) => ({
      lines: [
        { text: 'Annual report of the depot', x: 40, y: 30, size: 9 },
        { text: `Chapter ${'abcde'[index]} tells of year ${2000 + index * 3}.`, x: 40, y: 200 },
        { text: `Page ${index + 1} of 5`, x: 180, y: 540, size: 9 },
      ],
    }));
    const { blocks } = await readPdf(await makePdf(pages));
    expect(blocks.filter(({ kind }) => kind === 'margin')).toHaveLength(10);
    expect(blocks.filter(({ kind }) => kind !== 'margin').map(({ text }) => text)[2]).toBe(
      'Chapter c tells of year 2006.\n',
    );
  });

  it('takes title, author and number of pages from the document', async () => {
    const bytes = await makePdf([{ lines: down(['One.'], 40, 60) }, { lines: down(['Two.'], 40, 60) }], {
      title: 'Depot rules',
      author: 'A. Keeper',
    });
    expect((await readPdf(bytes)).metadata).toMatchObject({
      kind: 'pdf',
      title: 'Depot rules',
      author: 'A. Keeper',
      pages: 2,
    });
  });
});

const turns = ([0, 90, 180, 270] as const).flatMap((rotation) => [
  { rotation, crop: undefined },
  { rotation, crop: [60, 80, 300, 400] as [number, number, number, number] },
]);

describe('parsePdf: places', () => {
  it.each(turns)(
    'boxes lie in the visible area, rotation $rotation, crop $crop',
    async ({ rotation, crop }) => {
      const page: MadePage = {
        rotation,
        lines: down(['Alpha beta gamma delta', 'epsilon zeta eta theta.'], 20, 40),
        hidden: [],
      };
      if (crop) {
        page.crop = crop;
        page.hidden = [{ text: 'outside', x: 10, y: 20 }];
      }
      const { text, blocks } = await readPdf(await makePdf([page]));
      expect(text).toBe('Alpha beta gamma delta epsilon zeta eta theta.\n');
      const [x, y, width, height] = crop ?? [0, 0, sheet.width, sheet.height];
      const boxes = blocks.flatMap(({ spans }) =>
        spans.flatMap(({ anchor }) => (anchor.kind === 'page' ? anchor.boxes : [])),
      );
      expect(boxes).toHaveLength(2);
      for (const box of boxes) {
        expect(box.x).toBeGreaterThanOrEqual(x);
        expect(box.y).toBeGreaterThanOrEqual(y);
        expect(box.x + box.width).toBeLessThanOrEqual(x + width);
        expect(box.y + box.height).toBeLessThanOrEqual(y + height);
      }
      const direction = { 0: 'right', 90: 'up', 180: 'left', 270: 'down' }[rotation];
      expect(blocks[0]!.spans.map(({ stops }) => stops?.direction)).toEqual([direction, direction]);
    },
  );

  it('spans of any text are ascending, apart, inside the block, and stops mark its words', async () => {
    const word = fc.stringMatching(/^[A-Za-zа-я0-9.,;()-]{1,12}$/);
    const line = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
        const { blocks } = await readPdf(await makePdf([{ lines: down(lines, 30, 50) }]));
        for (const { text, spans } of blocks) {
          expect(text.normalize('NFC')).toBe(text);
          expect(text.endsWith('\n')).toBe(true);
          let end = 0;
          for (const span of spans) {
            expect(span.start).toBeGreaterThanOrEqual(end);
            end = span.end;
            const inside = text.slice(span.start, span.end);
            const starts = [...inside.matchAll(/(?<=^|\s)\S/g)].map((match) => match.index);
            const stops = span.stops?.at.filter((_, index) => index % 2 === 0) ?? [0];
            expect(stops).toEqual(expect.arrayContaining(starts));
            const places = span.stops?.at.filter((_, index) => index % 2 === 1) ?? [];
            expect(places).toEqual(places.toSorted((a, b) => a - b));
          }
          expect(end).toBeLessThan(text.length);
        }
      }),
      { numRuns: 12 },
    );
  });
});

const catalogue = '<< /Type /Catalog /Pages 2 0 R >>';
const emptyPage = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>';
const words = new TextEncoder();

describe('parsePdf: bad input', () => {
  it.each([
    { name: 'no PDF at all', bytes: words.encode('this is a letter, not a PDF'), reason: 'damaged' },
    { name: 'zero bytes', bytes: new Uint8Array(), reason: 'damaged' },
    { name: 'only a header', bytes: words.encode('%PDF-1.7\n'), reason: 'damaged' },
    { name: 'no pages', bytes: rawPdf([catalogue, '<< /Type /Pages /Kids [] /Count 0 >>']), reason: 'empty' },
    {
      name: 'an empty page',
      bytes: rawPdf([catalogue, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', emptyPage]),
      reason: 'empty',
    },
    {
      name: 'an unknown password',
      bytes: rawPdf(
        [
          catalogue,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          emptyPage,
          `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'a1'.repeat(32)}> /U <${'b2'.repeat(32)}> >>`,
        ],
        '/Encrypt 4 0 R /ID [<01><01>]',
      ),
      reason: 'encrypted',
    },
  ])('$name is refused: $reason', async ({ bytes, reason }) => {
    expect(await failureOf(bytes)).toBe(reason);
  });

  it('reads what a truncated file still holds, or says that it is damaged', async () => {
    const whole = await makePdf(Array.from({ length: 6 }, () => ({ lines: down(paragraph, 40, 60) })));
    for (const share of [0.3, 0.7, 0.95]) {
      const outcome = await readPdf(whole.slice(0, whole.length * share)).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ParseFailure);
    }
  });

  it('never fails in any other way, whatever bytes are changed', async () => {
    const whole = await makePdf([{ lines: down(paragraph, 40, 60) }]);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 40 }), async (changes) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const outcome = await readPdf(bytes).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ParseFailure);
      }),
      { numRuns: 40 },
    );
  });

  it('names the pages that are pictures, and none that are blank', async () => {
    const picture = await drawPdf(await makePdf([{ lines: down(['Some words.'], 40, 60) }]), 72);
    const pages = [1, 2, 3, 4, 5, 6].map((number) => {
      if (number === 6) return undefined;
      return number === 2 || number > 3 ? picture : { lines: down(['Some words.'], 40, 60) };
    });
    const { warnings, metadata } = await readPdf(await mixedPdf(pages));
    expect(warnings).toEqual(['pages-without-text: No text on pages 2, 4–5: pictures need recognition']);
    expect(metadata.pagesToRecognise).toEqual([2, 4, 5]);
  });

  it('refuses pictures without any text: they wait for recognition', async () => {
    const picture = await drawPdf(await makePdf([{ lines: down(['Some words.'], 40, 60) }]), 72);
    expect(await failureOf(await mixedPdf([picture]))).toBe('no-text');
  });

  it('stops when it is cancelled', async () => {
    const cancelled = AbortSignal.abort();
    await expect(readPdf(await makePdf([{ lines: down(paragraph, 40, 60) }]), cancelled)).rejects.toThrow(
      /abort/i,
    );
  });
});
