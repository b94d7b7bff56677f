/** Do scans become text, and do the boxes of their words cover the words that were drawn? */
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../../src/api/anchor.ts';
import type { Block } from '../../../../src/engine/document.ts';
import { makePdf } from '../../../fixtures-made/pdf/make-pdf.ts';
import {
  drawLines,
  drawPdf,
  mixedPdf,
  spoil,
  toPng,
  toTiff,
  turn,
} from '../../../fixtures-made/pictures/make-picture.ts';
import { readPdf } from '../pdf/read-pdf.ts';
import { characterErrors } from './character-errors.ts';
import { recogniseFile } from './recognise-file.ts';

const lines = [
  { text: 'Rules for visitors of the north site', x: 40, y: 60, size: 16 },
  { text: 'Every visitor signs the book at the gate before noon', x: 40, y: 100 },
  { text: 'and wears a badge. Посетители носят жилет и каску,', x: 40, y: 114 },
  { text: 'пропуск сдают до 18:45 у восточных ворот.', x: 40, y: 128 },
  { text: 'Dogs stay outside, as do bicycles and skates.', x: 40, y: 170 },
];
const text = [
  'Rules for visitors of the north site\n',
  'Every visitor signs the book at the gate before noon and wears a badge. Посетители носят жилет и каску, пропуск сдают до 18:45 у восточных ворот.\n',
  'Dogs stay outside, as do bicycles and skates.\n',
];

/** Box of the stretch of a line that holds these words. */
function boxOf(blocks: Block[], words: string): Box {
  for (const block of blocks) {
    const at = block.text.indexOf(words);
    if (at < 0) continue;
    const span = block.spans.find(({ start, end }) => start <= at && at + words.length <= end);
    if (span?.anchor.kind === 'page') return span.anchor.boxes[0]!;
  }
  throw new Error(`Not found: ${words}`);
}

function expectCovers(found: Box, drawn: Box, slack: number): void {
  const edges = (box: Box) => [box.x, box.y, box.x + box.width, box.y + box.height];
  const [left, bottom, right, top] = edges(found) as [number, number, number, number];
  const [drawnLeft, drawnBottom, drawnRight, drawnTop] = edges(drawn) as [number, number, number, number];
  // PDFium's boxes have the height of the font, recognised ones that of the letters.
  expect(left).toBeGreaterThan(drawnLeft - slack);
  expect(bottom).toBeGreaterThan(drawnBottom - slack);
  expect(right).toBeLessThan(drawnRight + slack);
  expect(top).toBeLessThan(drawnTop + slack);
  expect((right - left) * (top - bottom)).toBeGreaterThan(0.5 * drawn.width * drawn.height);
}

describe('a scanned page', () => {
  it.each([0, 1, 2, 3] as const)(
    'is read at the places of its words when it is turned by %i quarters',
    async (turns) => {
      const drawn = await makePdf([{ rotation: (turns * 90) as 0 | 90 | 180 | 270, lines }]);
      const scan = await mixedPdf([{ ...(await drawPdf(drawn, 200)), quarterTurns: turns }]);
      const read = await recogniseFile('scan.pdf', scan);
      expect(characterErrors(text.join(''), read.text)).toBeLessThan(0.02);
      expect(read.blocks[0]?.kind).toBe('heading');
      const original = await readPdf(drawn);
      for (const line of [
        'Every visitor signs the book at the gate before noon',
        'Dogs stay outside, as do bicycles',
      ]) {
        expectCovers(boxOf(read.blocks, line), boxOf(original.blocks, line), 1.5);
      }
    },
  );

  it('is set upright when it was scanned lying on its side', async () => {
    const lying = turn(await drawLines(lines, 200), 1);
    const { pages, blocks } = await recogniseFile('lying.pdf', await mixedPdf([lying]));
    expect(pages[0]?.turns).toBe(3);
    expect(characterErrors(text.join(''), blocks.map((block) => block.text).join(''))).toBeLessThan(0.02);
  });

  it('keeps each word of a page that lies askew at its place', async () => {
    const askew = spoil(await drawLines(lines, 200), 1.5);
    const { blocks } = await recogniseFile('askew.png', toPng(askew));
    const box = boxOf(blocks, 'bicycles');
    // As drawn, before it was turned about its middle, in pixels from the lower left corner.
    const straight = (await readPdf(await makePdf([{ lines }]))).blocks;
    const drawn = boxOf(straight, 'Dogs stay outside, as do bicycles');
    expect(box.height).toBeLessThan((1.8 * (drawn.height * 200)) / 72);
    expect(box.width).toBeLessThan((0.4 * drawn.width * 200) / 72);
  });

  it('joins the text that is written on other pages, and says what came from pictures', async () => {
    const picture = await drawLines([{ text: 'The annex lists three further sites.', x: 40, y: 60 }], 200);
    const { text, warnings } = await recogniseFile(
      'mixed.pdf',
      await mixedPdf([{ lines }, picture, undefined]),
    );
    expect(text).toContain('Every visitor signs the book');
    expect(text).toContain('The annex lists three further sites.\n');
    expect(warnings).toEqual([
      'recognised: Recognised from pictures: page 2: check the words in the original',
    ]);
  });
});

describe('a picture file', () => {
  it('of several pages is read page by page', async () => {
    const pages = await Promise.all(
      ['The first sheet of the fax', 'Второй лист факса'].map((line) =>
        drawLines([{ text: line, x: 40, y: 60 }], 200),
      ),
    );
    const { blocks, metadata } = await recogniseFile('fax.tif', toTiff(pages));
    expect(metadata.pages).toBe(2);
    expect(blocks.map((block) => [block.text, block.spans[0]?.anchor])).toMatchObject([
      ['The first sheet of the fax\n', { kind: 'page', page: 1 }],
      ['Второй лист факса\n', { kind: 'page', page: 2 }],
    ]);
  });

  it('without words is no failure of reading: it is empty', async () => {
    const blank = { width: 600, height: 400, pixels: new Uint8Array(240_000).fill(230) };
    const { failure, pages } = await recogniseFile('sky.png', toPng(blank));
    expect(pages).toEqual([{ page: 1, width: 600, height: 400, turns: 0, lines: [] }]);
    expect([failure?.reason, failure?.message]).toEqual([
      'empty',
      'Picture not read: sky.png: its pictures hold no words',
    ]);
  });

  it('in a script whose language is not installed is named, not guessed', async () => {
    const greek = 'Η εταιρεία ανακοίνωσε τα αποτελέσματα του τρίτου τριμήνου';
    const picture = await drawLines(
      [60, 80, 100].map((y) => ({ text: greek, x: 40, y })),
      200,
    );
    const { failure, text } = await recogniseFile('greek.png', toPng(picture));
    expect(text).toBe('');
    expect(failure?.message).toContain('its language is none of those that are installed');
  });

  it('in a neighbouring language is read, and it is said that its language is not installed', async () => {
    const german = [
      'Die Gesellschaft hat die Ergebnisse der Sitzung nicht veröffentlicht,',
      'weil der Bericht über die Aufwendungen für das Jahr noch nicht vorliegt',
      'und die Prüfer mit der Arbeit erst nach dem Ende der Frist beginnen.',
    ];
    const picture = await drawLines(
      german.map((line, index) => ({ text: line, x: 30, y: 60 + index * 16 })),
      200,
    );
    const { text, warnings } = await recogniseFile('bericht.png', toPng(picture));
    expect(text).toContain('Die Gesellschaft hat die Ergebnisse der Sitzung');
    expect(warnings.at(-1)).toBe(
      'recognised-without-language: Recognised without its language: page 1: it seems to be German, which is not installed: letters may be wrong',
    );
  });
});
