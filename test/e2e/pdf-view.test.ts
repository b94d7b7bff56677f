/** Are the words under the marker of a PDF the cited words, whatever way its page is turned and cut? */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Anchor } from '../../src/api/anchor.ts';
import type { DocumentView } from '../../src/api/types.ts';
import type { Block } from '../../src/engine/document.ts';
import { parsePdf } from '../../src/engine/parse/pdf/parse-pdf.ts';
import { anchorsOfRange } from '../../src/engine/retrieve/anchors.ts';
import { type MadePage, makePdf } from '../fixtures-made/pdf/make-pdf.ts';
import { testData } from '../test-data.ts';
import { findChromium } from './browser.ts';
import { type PageWords, readPageWords } from './lit-words.ts';
import { type MountedView, mountView } from './mount-view.ts';

const chromium = findChromium();
const hasBrowser = chromium !== undefined;
if (!hasBrowser) console.log('The PDF view is not proved in a browser: no Chromium found.');

let folder: string;
let mounted: MountedView;
const files: Record<string, { bytes: Uint8Array; type: string }> = {};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-pdf-view-'));
  if (!hasBrowser) return;
  files['/original/start'] = { bytes: await makePdf([{ lines: [] }]), type: 'application/pdf' };
  mounted = await mountView({ component: 'pdf/pdf-view', props: { view: viewOf('start') }, files });
}, 90_000);

afterAll(async () => {
  await mounted?.close();
  await rm(folder, { recursive: true, force: true });
});

function viewOf(name: string): DocumentView {
  return { document: { id: 1, title: name, kind: 'pdf' }, originalUrl: `/original/${name}` } as DocumentView;
}

async function parse(
  name: string,
  bytes: Uint8Array,
): Promise<{ text: string; anchors(a: number, b: number): Anchor[] }> {
  const file = path.join(folder, `${name}.pdf`);
  await writeFile(file, bytes);
  const blocks: (Block & { start: number })[] = [];
  let text = '';
  const source = { path: file, name: `${name}.pdf`, sizeBytes: bytes.length };
  for await (const part of parsePdf(source, new AbortController().signal)) {
    if (part.type !== 'block') continue;
    blocks.push({ ...part.block, start: text.length });
    text += part.block.text;
  }
  return { text, anchors: (start, end) => anchorsOfRange(blocks, start, end) };
}

let visits = 1;

/** Lights a passage and returns the words under the marker on one page. */
async function light(name: string, anchors: Anchor[], page: number, zoom = 1): Promise<PageWords> {
  visits += 1;
  await mounted.setProps({ view: viewOf(name), anchors, visit: visits, zoom });
  expect(await mounted.lit()).toBe(true);
  await mounted.page.waitForSelector(`.pdf-page[data-page="${page}"] .textLayer`);
  return (await mounted.page.evaluate(`(${readPageWords})(${page})`)) as PageWords;
}

const lines = [
  { text: 'Rules for visitors of the north site', x: 40, y: 60, size: 16 },
  { text: 'Every visitor signs the book at the gate before', x: 40, y: 100 },
  { text: 'noon and wears a badge. Посетители носят жилет', x: 40, y: 114 },
  { text: 'and leave by 18:45 through the eastern door.', x: 40, y: 128 },
  { text: 'Dogs stay outside.', x: 40, y: 160 },
];
const crop: [number, number, number, number] = [50, 60, 320, 420];
const cases = ([0, 90, 180, 270] as const).flatMap((rotation): { name: string; page: MadePage }[] => [
  { name: `turned-${rotation}`, page: { rotation, lines: lines } },
  {
    name: `turned-${rotation}-cropped`,
    page: {
      rotation,
      crop,
      lines: lines.map((line) => ({ ...line, x: line.x - 20, y: line.y - 20 })),
      hidden: [{ text: 'CUTAWAY', x: 60, y: 20 }],
    },
  },
]);

describe.skipIf(!hasBrowser)('PDF view', () => {
  it.each(cases)('lights exactly the cited words: $name', async ({ name, page }) => {
    const bytes = await makePdf([page]);
    files[`/original/${name}`] = { bytes, type: 'application/pdf' };
    const parsed = await parse(name, bytes);
    expect(parsed.text).not.toContain('CUTAWAY');
    for (const passage of [
      'badge. Посетители носят жилет and leave by 18:45',
      'Dogs stay outside.',
      'visitors',
    ]) {
      const start = parsed.text.indexOf(passage);
      expect(start, passage).toBeGreaterThanOrEqual(0);
      const words = await light(name, parsed.anchors(start, start + passage.length), 1);
      expect(words.lit.join(' ')).toBe(passage);
    }
  });

  it('lights the same words at another zoom', async () => {
    const parsed = await parse('turned-90', files['/original/turned-90']!.bytes);
    const start = parsed.text.indexOf('noon and wears');
    const words = await light('turned-90', parsed.anchors(start, start + 14), 1, 2.5);
    expect(words.lit.join(' ')).toBe('noon and wears');
  });

  it('says that a place on no page can’t be shown', async () => {
    visits += 1;
    const nowhere: Anchor = { kind: 'page', page: 9, boxes: [{ x: 1, y: 1, width: 9, height: 9 }] };
    await mounted.setProps({ view: viewOf('turned-0'), anchors: [nowhere], visit: visits, zoom: 1 });
    expect(await mounted.lit()).toBe(false);
  });

  it('keeps only the pages near the screen and brings a far place into view', async () => {
    const many = await makePdf(
      Array.from({ length: 60 }, (_, index) => ({
        rotation: index % 3 === 2 ? 90 : 0,
        lines: [{ text: `Page ${index + 1} speaks of item ${index * 7}.`, x: 40, y: 300 }],
      })),
    );
    files['/original/many'] = { bytes: many, type: 'application/pdf' };
    const parsed = await parse('many', many);
    const start = parsed.text.indexOf('item 343');
    const words = await light('many', parsed.anchors(start, start + 8), 50);
    expect(words.lit.join(' ')).toBe('item 343.');
    const { page } = mounted;
    const seen = await page.evaluate(`(() => {
      const pane = document.querySelector('.pdf-pane').getBoundingClientRect();
      const lit = document.querySelector('.pdf-lit').getBoundingClientRect();
      return {
        isInView: lit.top >= pane.top && lit.bottom <= pane.bottom && lit.left >= pane.left && lit.right <= pane.right,
        canvases: document.querySelectorAll('canvas').length,
      };
    })()`);
    expect(seen).toMatchObject({ isInView: true });
    expect((seen as { canvases: number }).canvases).toBeLessThanOrEqual(5);
    expect((await mounted.places()).at(-1)).toBe('50 / 60');
  });

  it('breaks no rule of the page’s content policy and reports no error', () => {
    expect(mounted.errors).toEqual([]);
  });
});

const benefits = testData('eval/northwind/library/Northwind_Standard_Benefits_Details.pdf');
if (!benefits) console.log('The PDF view is not proved on a real document: test data is absent.');

describe.skipIf(!hasBrowser || !benefits)('PDF view of a real document', () => {
  it('lights exactly the words of passages all over it', async () => {
    const bytes = new Uint8Array(await readFile(benefits!));
    files['/original/real'] = { bytes, type: 'application/pdf' };
    const parsed = await parse('real', bytes);
    let proved = 0;
    for (const share of [0.1, 0.35, 0.6, 0.85]) {
      const start = parsed.text.indexOf('\n', parsed.text.length * share) + 1;
      const end = parsed.text.indexOf('. ', start + 60) + 1;
      const anchors = parsed.anchors(start, end);
      const [first] = anchors;
      if (first?.kind !== 'page' || anchors.length !== 1) continue;
      const words = await light('real', anchors, first.page);
      const squeeze = (text: string): string => text.replace(/\s+/g, '');
      expect(squeeze(words.lit.join(' '))).toBe(squeeze(parsed.text.slice(start, end)));
      proved += 1;
    }
    expect(proved).toBeGreaterThanOrEqual(2);
  });
});
