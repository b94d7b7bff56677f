/** Do the lit boxes of a picture cover the words that were drawn on it, whatever way it is stored? */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from '../../src/api/anchor.ts';
import type { DocumentView } from '../../src/api/types.ts';
import { viewImage } from '../../src/engine/parse/image/view-image.ts';
import { toRecord } from '../../src/engine/parse/recognise/recognised-page.ts';
import { anchorsOfRange } from '../../src/engine/retrieve/anchors.ts';
import { makePdf } from '../fixtures-made/pdf/make-pdf.ts';
import { drawLines, type Grey, toPng, toTiff, turn } from '../fixtures-made/pictures/make-picture.ts';
import { readPdf } from '../unit/parse/pdf/read-pdf.ts';
import { recogniseFile } from '../unit/parse/recognise/recognise-file.ts';
import { findChromium } from './browser.ts';
import { type PageWords, readPageWords } from './lit-words.ts';
import { type MountedView, mountView } from './mount-view.ts';

const hasBrowser = findChromium() !== undefined;
if (!hasBrowser) console.log('The view of pictures is not proved in a browser: no Chromium found.');

const dpi = 200;
const lines = [
  { text: 'Rules for visitors of the north site', x: 40, y: 60, size: 16 },
  { text: 'Every visitor signs the book at the gate before noon', x: 40, y: 100 },
  { text: 'Посетители носят жилет и каску весь день', x: 40, y: 140 },
];

let folder: string;
let mounted: MountedView;
let drawn: Grey;
const files: Record<string, { bytes: Uint8Array; type: string }> = {};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-image-view-'));
  drawn = await drawLines(lines, dpi);
  if (!hasBrowser) return;
  files['/view/start'] = { bytes: await makePdf([{ lines: [] }]), type: 'application/pdf' };
  mounted = await mountView({ component: 'image/image-view', props: { view: viewOf('start') }, files });
}, 90_000);

afterAll(async () => {
  await mounted?.close();
  await rm(folder, { recursive: true, force: true });
});

function viewOf(name: string): DocumentView {
  const document = { id: 1, title: name, kind: 'image' };
  return { document, originalUrl: `/original/${name}`, viewUrl: `/view/${name}` } as DocumentView;
}

/** As a camera that was held upright stores it: lying, with an EXIF orientation of 6. */
async function lyingPhoto(): Promise<Uint8Array> {
  const png = Buffer.from(toPng(turn(drawn, 3))).toString('base64');
  const packed = (await mounted.page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/jpeg', 0.8).split(',')[1];
  })()`)) as string;
  const jpeg = Buffer.from(packed, 'base64');
  // APP1 with one entry of TIFF: tag 274, SHORT, one value.
  const exif = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010006000000000000', 'hex');
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

const pictures: { name: string; page: number; make: () => Uint8Array | Promise<Uint8Array> }[] = [
  { name: 'scan.png', page: 1, make: () => toPng(drawn) },
  { name: 'photo.jpg', page: 1, make: lyingPhoto },
  { name: 'fax.tif', page: 2, make: () => toTiff([blank(300, 200), { ...turn(drawn, 3), orientation: 6 }]) },
];

function blank(width: number, height: number): Grey {
  return { width, height, pixels: new Uint8Array(width * height).fill(255) };
}

/** Where the words were drawn, as shares of the page from its upper left corner. */
async function drawnBox(words: string): Promise<Box> {
  const { blocks } = await readPdf(await makePdf([{ lines }]));
  const block = blocks.find(({ text }) => text.includes(words))!;
  const at = block.text.indexOf(words);
  const [anchor] = anchorsOfRange([{ ...block, start: 0 }], at, at + words.length);
  if (anchor?.kind !== 'page') throw new Error('Not on a page.');
  const box = anchor.boxes[0]!;
  return {
    x: box.x / 400,
    y: (560 - box.y - box.height) / 560,
    width: box.width / 400,
    height: box.height / 560,
  };
}

async function litBoxes(page: number): Promise<Box[]> {
  return (await mounted.page.evaluate(`(() => {
    const page = document.querySelector('.pdf-page[data-page="${page}"]');
    const whole = page.getBoundingClientRect();
    return [...page.querySelectorAll('.pdf-lit')].map((element) => {
      const box = element.getBoundingClientRect();
      return {
        x: (box.left - whole.left) / whole.width,
        y: (box.top - whole.top) / whole.height,
        width: box.width / whole.width,
        height: box.height / whole.height,
      };
    });
  })()`)) as Box[];
}

describe.skipIf(!hasBrowser)('picture view', () => {
  it.each(pictures)('lights the cited words where they are drawn: $name', async ({ name, page, make }) => {
    const bytes = await make();
    const read = await recogniseFile(name, bytes);
    const file = { path: path.join(folder, name), name, sizeBytes: bytes.length };
    const recognisedPath = path.join(folder, `${name}.jsonl`);
    await writeFile(file.path, bytes);
    await writeFile(recognisedPath, read.pages.map(toRecord).join(''));
    files[`/view/${name}`] = { bytes: await viewImage({ ...file, recognisedPath }), type: 'application/pdf' };
    let start = 0;
    const blocks = read.blocks.map((block) => {
      const placed = { ...block, start };
      start += block.text.length;
      return placed;
    });
    for (const [visit, passage] of ['signs the book at the gate', 'носят жилет и каску'].entries()) {
      const at = read.text.indexOf(passage);
      expect(at, `${passage} in ${read.text}`).toBeGreaterThanOrEqual(0);
      const anchors = anchorsOfRange(blocks, at, at + passage.length);
      await mounted.setProps({ view: viewOf(name), anchors, visit: visit + 1, zoom: visit + 1 });
      expect(await mounted.lit()).toBe(true);
      await mounted.page.waitForSelector(`.pdf-page[data-page="${page}"] .textLayer`);
      const words = (await mounted.page.evaluate(`(${readPageWords})(${page})`)) as PageWords;
      expect(words.lit.join(' ')).toBe(passage);
      const [lit, ...more] = await litBoxes(page);
      expect(more).toEqual([]);
      const wanted = await drawnBox(passage);
      // The last letter's white space is lit up to the next word.
      expect(Math.abs(lit!.x - wanted.x)).toBeLessThan(0.01);
      expect(Math.abs(lit!.x + lit!.width - wanted.x - wanted.width)).toBeLessThan(0.02);
      expect(Math.abs(lit!.y + lit!.height / 2 - wanted.y - wanted.height / 2)).toBeLessThan(0.006);
    }
  });
});
