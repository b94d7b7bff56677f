/** Does every cell that another reader finds stand in the text, with an anchor that leads to it? */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type CellObject, read, utils, type WorkBook } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { ParseFailure } from '../../../../src/engine/document.ts';
import { parseDocument } from '../../../../src/engine/parse/parse-document.ts';
import { type ReadDocument, readAll, sourceFile, withFile } from '../../../e2e/read-parts.ts';
import { englishBudget, russianAccounts } from '../../../e2e/sheet-sample.ts';
import { testData } from '../../../test-data.ts';
import { russianOds } from './made-books.ts';

interface Place {
  text: string;
  value: unknown;
}

const DAY_MS = 86_400_000;
const BEFORE_1900 = Date.UTC(1899, 11, 30);
const BEFORE_1904 = Date.UTC(1904, 0, 1);

/** What was read, by sheet and cell. */
function placesOf(document: ReadDocument): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { spans, text, row } of document.blocks) {
    for (const { start, end, anchor } of spans) {
      if (anchor.kind !== 'cells') throw new Error('a sheet has anchors of cells');
      const value = row!.cells.find((cell) => cell.start === start && cell.text !== '')?.value;
      places.set(`${anchor.sheet}!${anchor.range}`, { text: text.slice(start, end), value });
    }
  }
  return places;
}

/** Why the place doesn't hold what the other reader found; undefined where it does. */
function difference(cell: CellObject, place: Place | undefined, is1904: boolean): string | undefined {
  const found = cell.t === 'e' ? cell.w : cell.v;
  if (!place) return `${JSON.stringify(found)} was not read`;
  const same =
    typeof place.value === 'string' && typeof found === 'number'
      ? dayOf(found, is1904) === place.value.slice(0, 10)
      : typeof found === 'string'
        ? plain(place.text).startsWith(plain(found))
        : place.value === found;
  return same ? undefined : `${JSON.stringify(found)} was read as ${JSON.stringify(place)}`;
}

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
const dayOf = (serial: number, is1904: boolean): string =>
  new Date((is1904 ? BEFORE_1904 : BEFORE_1900) + Math.floor(serial + 1e-9) * DAY_MS)
    .toISOString()
    .slice(0, 10);

function differences(book: WorkBook, document: ReadDocument): { cells: number; faults: string[] } {
  const places = placesOf(document);
  const faults: string[] = [];
  let cells = 0;
  for (const name of book.SheetNames) {
    const sheet = book.Sheets[name]!;
    const covered = (sheet['!merges'] ?? []).flatMap((range) => coveredBy(utils.encode_range(range)));
    for (const ref of Object.keys(sheet).filter((key) => !key.startsWith('!') && !covered.includes(key))) {
      const cell = sheet[ref] as CellObject;
      if (cell.t === 'z' || plain(String(cell.v ?? '')) === '' || isShownAsNothing(cell)) continue;
      cells += 1;
      const key = `${name.normalize('NFC')}!${ref}`;
      const fault = difference(cell, places.get(key), book.Workbook?.WBProps?.date1904 ?? false);
      if (fault) faults.push(`${key}: ${fault}`);
    }
  }
  return { cells, faults };
}

/** A format such as "0;-0;;@" hides zeros. */
const isShownAsNothing = ({ t, w }: CellObject): boolean => t === 'n' && plain(w ?? 'shown') === '';

/** Cells under a merged one, which nobody sees. */
function coveredBy(range: string): string[] {
  const { s, e } = utils.decode_range(range);
  const cells: string[] = [];
  for (let r = s.r; r <= Math.min(e.r, s.r + 500); r++)
    for (let c = s.c; c <= Math.min(e.c, s.c + 500); c++)
      if (r > s.r || c > s.c) cells.push(utils.encode_cell({ r, c }));
  return cells;
}

/** Workbooks in which no cell says anything. */
const empty: ReadonlySet<string> = new Set([
  ...['45430.xlsx', '47504.xlsx', 'testEXCEL_embeddedPDF_mac.xlsx', 'testEXCEL_poi-61034.xlsx'],
  ...['testExcel_embeddedPDF.xlsx', 'testWPSAttachment.xlsx', 'empty.xlsx', 'testEXCEL_embeddedPDF_mac.xls'],
]);
const MAX_SECONDS = 20;

const fixtures = testData('fixtures');
const names = fixtures
  ? readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(xlsx|xlsm|xltx|xls|xlsb|ods|csv|tsv|db|sqlite|parquet)$/i.test(name),
    )
  : [];
if (!fixtures) console.warn('real spreadsheets not read: the test data is absent');

describe('another reader of workbooks', () => {
  it.each([
    ['budget.xlsx', englishBudget],
    ['accounts.xlsx', russianAccounts],
    ['debts.ods', async () => Buffer.from(russianOds())],
  ] as const)('finds the same cells in %s', async (name, make) => {
    const bytes = await make();
    const document = await withFile(name, bytes, (file) => readAll(parseDocument, file));
    const found = differences(read(bytes, { cellNF: true }), document);
    expect(found.cells).toBeGreaterThan(5);
    expect(found.faults).toEqual([]);
  });

  it.skipIf(!fixtures).each(names)('%s: text with anchors, or the right reason, in time', async (name) => {
    const file = await sourceFile(path.join(fixtures!, name));
    const started = process.cpuUsage();
    const outcome = await readAll(parseDocument, file).catch((error: unknown) => error);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(MAX_SECONDS);
    if (outcome instanceof ParseFailure) {
      expect(outcome.reason).toBe(/protected/.test(name) ? 'encrypted' : 'empty');
      if (outcome.reason === 'empty') expect(empty).toContain(file.name);
      return;
    }
    const document = outcome as ReadDocument;
    for (const { text, spans } of document.blocks) {
      let rest = text;
      for (const { start, end } of spans.toReversed()) rest = rest.slice(0, start) + rest.slice(end);
      expect(rest.trim()).toBe('');
    }
    // Old and binary workbooks are read by this same library: they prove nothing here.
    if (!/\.(xlsx|xlsm|ods)$/.test(name)) return;
    const { cells, faults } = differences(read(readFileSync(file.path), { cellNF: true }), document);
    expect(faults).toEqual([]);
    expect(placesOf(document).size).toBeGreaterThanOrEqual(cells);
  });
});
