/** Are sheets of every kind shown as one grid, with the words in it that were read, where their anchors say? */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Anchor } from '../../src/api/anchor.ts';
import { ParseFailure, type SourceFile } from '../../src/engine/document.ts';
import { parseDocument } from '../../src/engine/parse/parse-document.ts';
import { testData } from '../test-data.ts';
import { madeBooks } from '../unit/parse/sheet/made-books.ts';
import { findChromium } from './browser.ts';
import { type LitCell, litCells } from './lit-words.ts';
import { type MountedView, mountView } from './mount-view.ts';
import { type ReadDocument, readAll, sourceFile, withFile } from './read-parts.ts';
import { anchorsOf, Rows, sheetView } from './sheet-rows.ts';

const hasBrowser = findChromium() !== undefined;
if (!hasBrowser) console.warn('sheets of all kinds not shown: no Chromium is installed');

const binary = /\.(xls|xlsb|ods)$/i;
/** Rows of one document that are lit, spread over it. */
const ROWS_LIT = 12;

describe.skipIf(!hasBrowser)('sheets of every kind', () => {
  let mounted: MountedView;
  let rows: Rows;
  let opened = 0;

  beforeAll(async () => {
    rows = new Rows({ text: '', blocks: [], tables: [], metadata: {}, warnings: [] });
    mounted = await mountView({
      component: 'sheet/sheet-view',
      props: { view: sheetView(0, rows), anchors: [], quote: '' },
      files: {},
      rows: (sheet, from, count) => rows.get(sheet, from, count),
    });
  });
  afterAll(() => mounted?.close());

  async function open(file: SourceFile): Promise<ReadDocument> {
    const read = await readAll(parseDocument, file);
    rows = new Rows(read);
    await mounted.setProps({ view: sheetView(++opened, rows), anchors: [] });
    return read;
  }

  async function light(anchors: Anchor[]): Promise<LitCell[]> {
    await mounted.setProps({ anchors, visit: ++opened });
    expect(await mounted.lit()).toBe(true);
    await mounted.page.waitForTimeout(60);
    return (await mounted.page.evaluate(litCells)) as LitCell[];
  }

  it.each(Object.entries(madeBooks()))('%s: cited cells are lit and seen', async (name, bytes) => {
    await withFile(name, bytes, async (file) => {
      const read = await open(file);
      const row = read.blocks.find((block) => block.text.startsWith('ООО «Ромашка»'))!;
      const words = row.text.trim();
      const lit = await light(anchorsOf(read, words));
      expect(lit.map((cell) => cell.name)).toEqual(['A2', 'B2', 'C2']);
      expect(lit.map((cell) => cell.text)).toEqual(words.split('\t'));
      expect(lit[1]!.text.replace(/\s/, '')).toMatch(/^1234[.,]50?$/);
      expect(lit[2]!.text).toBe('12.03.2024');
      expect(lit.every((cell) => cell.isSeen)).toBe(true);
      const names = await light(anchorsOf(read, 'Контрагент\tСумма\tСрок'));
      expect(names.map((cell) => cell.name)).toEqual(['A1', 'B1', 'C1']);
    });
  });

  const fixtures = testData('fixtures');
  const names = fixtures
    ? readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) => binary.test(name))
    : [];
  it.skipIf(names.length === 0).each(names)(
    '%s: rows are lit with the words that were read',
    async (name) => {
      const file = await sourceFile(path.join(fixtures!, name));
      const read = await open(file).catch((error: unknown) => error);
      if (!('blocks' in (read as ReadDocument))) return expect(read).toBeInstanceOf(ParseFailure);
      const { blocks } = read as ReadDocument;
      const step = Math.max(1, Math.floor(blocks.length / ROWS_LIT));
      for (const block of blocks.filter((_, at) => at % step === 0)) {
        // Of a wide row its end, where the grid has scrolled the farthest.
        const span = block.spans.at(-1)!;
        const lit = await light([span.anchor]);
        expect(lit.map((cell) => cell.text)).toEqual([block.text.slice(span.start, span.end)]);
        expect(lit[0]!.isSeen).toBe(true);
      }
    },
  );

  it('leaves the page without errors', () => {
    expect(mounted.errors).toEqual([]);
  });
});
