/** Does the page light the cited cells of workbooks and delimited files, with the cited words in them? */
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Anchor } from '../../src/api/anchor.ts';
import type { DocumentView, SheetInfo, SheetRows } from '../../src/api/types.ts';
import type { Parser, SourceFile } from '../../src/engine/document.ts';
import { parseDocument } from '../../src/engine/parse/parse-document.ts';
import { parseCsv } from '../../src/engine/parse/sheet/parse-csv.ts';
import { parseXlsx } from '../../src/engine/parse/sheet/parse-xlsx.ts';
import { narrowSpans } from '../../src/engine/retrieve/anchors.ts';
import { testData } from '../test-data.ts';
import { findChromium } from './browser.ts';
import { type LitCell, litCells } from './lit-words.ts';
import { type MountedView, mountView } from './mount-view.ts';
import { type ReadDocument, readAll, sourceFile, withFile } from './read-parts.ts';
import { englishBudget, russianAccounts, russianCsv, tallSheet } from './sheet-sample.ts';

const hasBrowser = findChromium() !== undefined;
if (!hasBrowser) console.warn('sheet view not tested: no Chromium is installed');

/** Rows as the store keeps them: displayed texts by sheet and row. */
class Rows {
  readonly sheets: SheetInfo[] = [];
  readonly #rows = new Map<string, Map<number, string[]>>();

  constructor(read: ReadDocument) {
    for (const table of read.tables) {
      const known = this.sheets.find((sheet) => sheet.name === table.name);
      if (known) known.merges.push(...table.merges);
      else {
        const { name, isHidden, merges, widths } = table;
        this.sheets.push({ name, isHidden, rows: 0, columns: 0, merges: [...merges], widths });
        this.#rows.set(name, new Map());
      }
    }
    for (const { row } of read.blocks) {
      const name = read.tables.find((table) => table.table === row!.table)!.name;
      const sheet = this.sheets.find((one) => one.name === name)!;
      sheet.rows = Math.max(sheet.rows, row!.row);
      sheet.columns = Math.max(sheet.columns, row!.cells.length);
      this.#rows.get(name)!.set(
        row!.row,
        row!.cells.map((cell) => cell.text),
      );
    }
  }

  get(sheet: string, from: number, count: number): SheetRows {
    const rows: SheetRows['rows'] = [];
    for (let row = from; row < from + count; row++) {
      const cells = this.#rows.get(sheet)?.get(row);
      if (cells) rows.push({ row, cells });
    }
    return { rows };
  }
}

function viewOf(number: number, rows: Rows): DocumentView {
  return {
    document: {
      id: number,
      folderId: 1,
      path: 'sample.xlsx',
      title: 'Sample',
      kind: 'xlsx',
      state: 'indexed',
      ledgerState: 'indexed',
      sizeBytes: 1,
      modifiedAtMs: 0,
      language: 'en',
      isArchived: false,
      warnings: [],
    },
    absolutePath: '/sample.xlsx',
    originalUrl: `/original/${number}`,
    isChanged: false,
    sheets: rows.sheets,
  };
}

function anchorsOf(read: ReadDocument, words: string): Anchor[] {
  const at = read.text.indexOf(words);
  expect(at, `"${words}" is in the text`).toBeGreaterThanOrEqual(0);
  return read.blocks.flatMap((block) =>
    narrowSpans(block.spans, at - block.offset, at + words.length - block.offset),
  );
}

describe.skipIf(!hasBrowser)('SheetView', () => {
  let mounted: MountedView;
  let rows: Rows;
  let opened = 0;

  beforeAll(async () => {
    const read = await withFile('first.xlsx', await englishBudget(), (file) => readAll(parseXlsx, file));
    rows = new Rows(read);
    mounted = await mountView({
      component: 'sheet/sheet-view',
      props: { view: viewOf(0, rows), anchors: [], quote: '' },
      files: {},
      rows: (sheet, from, count) => rows.get(sheet, from, count),
    });
  });
  afterAll(() => mounted?.close());

  async function open(parse: Parser, file: SourceFile): Promise<ReadDocument> {
    const read = await readAll(parse, file);
    rows = new Rows(read);
    await mounted.setProps({ view: viewOf(++opened, rows), anchors: [] });
    return read;
  }

  async function light(anchors: Anchor[]): Promise<LitCell[]> {
    await mounted.setProps({ anchors, visit: ++opened });
    expect(await mounted.lit()).toBe(true);
    await mounted.page.waitForTimeout(60);
    return (await mounted.page.evaluate(litCells)) as LitCell[];
  }

  /** Words of the text, cells divided by tabs, and the cells that must be lit with exactly these words. */
  async function check(read: ReadDocument, words: string, names: string[]): Promise<void> {
    const lit = await light(anchorsOf(read, words));
    expect(lit.map((cell) => cell.name)).toEqual(names);
    expect(lit.map((cell) => cell.text).filter((text) => text !== '')).toEqual(
      words.split(/[\t]/).filter((text) => text !== ''),
    );
    expect(
      lit.every((cell) => cell.isSeen),
      `${names} can be seen`,
    ).toBe(true);
  }

  it('lights cells of an English workbook: merged ones, formulas, dates, a hidden sheet', async () => {
    await withFile('budget.xlsx', await englishBudget(), async (file) => {
      const read = await open(parseXlsx, file);
      await check(read, 'Budget of the Northgate plant', ['A1']);
      await check(read, 'Paint shop\tO. Lind\t80,250.00\t91,400.25\t13.9%', ['A6', 'B6', 'C6', 'D6', 'E6']);
      await check(read, '12.03.2024\thalf bold\tthe rules', ['A10', 'B10', 'C10']);
      await check(read, 'Rome\t31', ['B4', 'C4']);
      await check(read, 'EUR\t1.0842', ['A2', 'B2']);
      await check(read, '#DIV/0!', ['C5']);
      expect(await mounted.page.locator('[role=tab][aria-selected=true]').textContent()).toContain('Regions');
      expect(await mounted.page.locator('.sheet-hidden').count()).toBe(1);
    });
  });

  it('lights the merged cell for each row that it covers', async () => {
    await withFile('budget.xlsx', await englishBudget(), async (file) => {
      const read = await open(parseXlsx, file);
      const row = read.blocks.find((block) => block.text === 'North\tBergen\t7\n')!;
      const lit = await light(row.spans.map((span) => span.anchor));
      expect(lit.map(({ name, text }) => [name, text])).toEqual([
        ['A2', 'North'],
        ['B3', 'Bergen'],
        ['C3', '7'],
      ]);
    });
  });

  it('shows Russian workbooks as Excel does', async () => {
    await withFile('счета.xlsx', await russianAccounts(), async (file) => {
      const read = await open(parseXlsx, file);
      await check(read, '7 Май 2024\t1\u00a0234\u00a0567,50 ₽\t25,6%', ['B2', 'C2', 'D2']);
      await check(read, 'АО «Вектор»\t21 ноября 2024 г.', ['A3', 'B3']);
      expect(await mounted.page.locator('[data-cell=C2][data-number]').count()).toBe(1);
    });
  });

  it('lights fields of a delimited file in a Russian code page', async () => {
    await withFile('товары.csv', iconv.encode(russianCsv, 'win1251'), async (file) => {
      const read = await open(parseCsv, file);
      await check(read, '1 234,50', ['B2']);
      await check(read, '12.03.2024\tхранить в сухом\nместе', ['C2', 'D2']);
      await check(read, 'сорт "люкс"', ['D3']);
    });
  });

  it('brings a row far below on screen and keeps few cells in the page', async () => {
    await withFile('stock.xlsx', await tallSheet(4_000), async (file) => {
      const read = await open(parseXlsx, file);
      await check(read, 'article 3765\tshelf 79\t11295', ['A3765', 'B3765', 'C3765']);
      expect(await mounted.page.locator('.sheet-cell').count()).toBeLessThan(1_000);
      await check(read, 'article 2\tshelf 2\t6', ['A2', 'B2', 'C2']);
    });
  });

  it('scrolls through a million rows, by keys too', async () => {
    const sheet: SheetInfo = {
      name: 'All',
      isHidden: false,
      rows: 1_048_576,
      columns: 300,
      merges: [],
      widths: [],
    };
    rows = Object.assign(Object.create(Rows.prototype) as Rows, {
      sheets: [sheet],
      get: (_: string, from: number, count: number): SheetRows => ({
        rows: Array.from({ length: count }, (_each, at) => ({ row: from + at, cells: [`row ${from + at}`] })),
      }),
    });
    await mounted.setProps({ view: viewOf(++opened, rows), anchors: [] });
    const lit = await light([{ kind: 'cells', sheet: 'All', range: 'A1048576' }]);
    expect(lit).toEqual([{ name: 'A1048576', text: 'row 1048576', isSeen: true }]);
    await mounted.page.locator('[role=grid]').focus();
    await mounted.page.keyboard.press('Control+Home');
    await mounted.page.keyboard.press('ArrowDown');
    await mounted.page.keyboard.press('End');
    await mounted.page.waitForTimeout(100);
    const active = mounted.page.locator('[role=gridcell][aria-selected=true]');
    expect(await active.getAttribute('data-cell')).toBe('KN2');
    expect(await active.isVisible()).toBe(true);
    await mounted.page.keyboard.press('Control+End');
    await mounted.page.waitForTimeout(100);
    expect(await active.getAttribute('data-cell')).toBe('KN1048576');
  });

  it('says so when the cited sheet is not there', async () => {
    await mounted.setProps({ anchors: [{ kind: 'cells', sheet: 'Gone', range: 'A1' }], visit: ++opened });
    expect(await mounted.lit()).toBe(false);
  });

  const fixtures = [
    ...['poi/49325.xlsx', 'poi/52348.xlsx', 'poi/51710.xlsx', 'docling/csv-tab.csv'],
    ...['poi/31661.xls', 'poi/19599-1.xls', 'tika/test-columnar.xls', 'poi/sample.xlsb', 'poi/62815.xlsb'],
  ];
  it.each(fixtures)('lights rows of %s', async (name) => {
    const found = testData(`fixtures/${name}`);
    if (!found) return console.warn(`${name} not tested: it is not on this machine`);
    const read = await open(parseDocument, await sourceFile(found));
    for (const block of [read.blocks[1]!, read.blocks.at(-1)!]) {
      const span = block.spans.at(-1)!;
      const lit = await light([span.anchor]);
      expect(lit.map((cell) => cell.text)).toEqual([block.text.slice(span.start, span.end)]);
      expect(lit[0]!.isSeen).toBe(true);
    }
  });

  it('leaves the page without errors', () => {
    expect(mounted.errors).toEqual([]);
  });
});
