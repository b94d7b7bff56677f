import { readFileSync } from 'node:fs';
import { utils, write } from '@e965/xlsx';
import { unzipSync, zipSync } from 'fflate';
import { parquetWriteBuffer } from 'hyparquet-writer';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { ParseFailure, type Table } from '../../../../src/engine/document.ts';
import { testData } from '../../../test-data.ts';
import { readParts } from '../read-parts.ts';
import { databaseOf, russianBook } from './made-books.ts';

const tablesOf = (parts: { type: string }[]): Table[] =>
  parts.flatMap((part) => ('table' in part ? [part.table as Table] : []));

describe('workbooks that are read whole', () => {
  it.each([
    { name: 'долги.xls', bookType: 'biff8', kind: 'xls', hidden: true, title: 'Долги клиентов' },
    { name: 'долги.xlsb', bookType: 'xlsb', kind: 'xlsb', hidden: true, title: 'Долги клиентов' },
  ] as const)('$name: cells as shown, with their place and what is beneath', async (it) => {
    const bytes = write(russianBook(), { type: 'buffer', bookType: it.bookType });
    const { parts, metadata, text, blocks } = await readParts(it.name, bytes);
    expect(metadata).toMatchObject({ kind: it.kind });
    expect(metadata.title).toBe(it.title);
    expect(text).toContain('Контрагент\tСумма\tСрок\n');
    const row = blocks.find((block) => block.text.startsWith('ООО «Ромашка»'))!;
    expect(row.spans.map(({ anchor }) => anchor)).toEqual(
      ['A2', 'B2', 'C2'].map((range) => ({ kind: 'cells', sheet: 'Долги', range })),
    );
    expect(row.row?.cells[1]?.value).toBe(1234.5);
    expect(row.text).toBe('ООО «Ромашка»\t1\u00a0234,50\t12.03.2024\n');
    expect(row.row?.cells[2]?.value).toBe('2024-03-12');
    // The writer of the newer binary form leaves notes out, that of the older one all but ASCII.
    if (it.kind === 'xls') expect(text).toContain('ИП Петров [check the contract]\t-7');
    const tables = tablesOf(parts);
    expect(tables.map(({ name }) => name)).toEqual(['Долги', 'Rates']);
    expect(tables[0]?.columns).toEqual(['Контрагент', 'Сумма', 'Срок']);
    expect(tables[1]?.isHidden).toBe(it.hidden);
  });

  it('keeps Cyrillic of a code page, as Excel 95 wrote it', async () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([['Romashka']]), 'S');
    const bytes = Buffer.from(write(book, { type: 'buffer', bookType: 'biff5' }));
    // The writer knows ASCII alone: the letters and the record of the code page are put in afterwards.
    bytes.set(iconv.encode('Ромашка!', 'win1251'), bytes.indexOf('Romashka'));
    const record = bytes.indexOf(Buffer.from([0x42, 0, 2, 0]));
    bytes.writeUInt16LE(1251, record + 4);
    expect((await readParts('old.xls', bytes)).text).toBe('Ромашка!\n');
  });

  it('does not believe the range that a sheet claims', async () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([['only', 'two']]), 'S');
    const old = Buffer.from(write(book, { type: 'buffer', bookType: 'biff8' }));
    // Record 0x0200, 14 bytes: first and last row, first and last column.
    const at = old.indexOf(Buffer.from([0, 2, 14, 0, 0, 0, 0, 0]));
    old.writeUInt32LE(65_536, at + 8);
    old.writeUInt16LE(256, at + 14);
    const packed = unzipSync(write(book, { type: 'buffer', bookType: 'xlsb' }));
    const part = Object.keys(packed).find((name) => /sheet1\.bin$/.test(name))!;
    const sheet = Buffer.from(packed[part]!);
    // Record 0x94 0x01, 16 bytes: the same.
    const range = sheet.indexOf(Buffer.from([0x94, 1, 16]));
    sheet.writeUInt32LE(1_048_575, range + 7);
    sheet.writeUInt32LE(16_383, range + 15);
    const files = { 'lie.xls': old, 'lie.xlsb': zipSync({ ...packed, [part]: sheet }) };
    for (const [name, bytes] of Object.entries(files)) {
      const started = process.cpuUsage();
      expect((await readParts(name, bytes)).text).toBe('only\ttwo\n');
      expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
    }
  });

  it.each([
    {
      name: 'cut.xls',
      bytes: write(russianBook(), { type: 'buffer', bookType: 'biff8' }).subarray(0, 1_500),
    },
    { name: 'cut.xlsb', bytes: write(russianBook(), { type: 'buffer', bookType: 'xlsb' }).subarray(0, 900) },
  ])('$name ends with a reason', async ({ name, bytes }) => {
    const outcome = await readParts(name, bytes).then(
      ({ text }) => text,
      (error: unknown) => error,
    );
    expect(outcome).toBeInstanceOf(ParseFailure);
    expect((outcome as ParseFailure).reason).toMatch(/^(damaged|empty)$/);
  });

  it('refuses a packed workbook that unpacks to far more than its size', async () => {
    const packed = unzipSync(write(russianBook(), { type: 'buffer', bookType: 'xlsb' }));
    const bomb = zipSync({ ...packed, 'xl/worksheets/sheet1.bin': new Uint8Array(120 * 1024 ** 2) });
    await expect(readParts('bomb.xlsb', bomb)).rejects.toMatchObject({ reason: 'too-large' });
  }, 60_000);

  it('reads the XML of Excel 2003 as a grid, in its own encoding', async () => {
    const xml = `<?xml version="1.0" encoding="windows-1251"?><?mso-application progid="Excel.Sheet"?>
      <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
      <Styles><Style ss:ID="d"><NumberFormat ss:Format="dd\\.mm\\.yyyy"/></Style></Styles>
      <Worksheet ss:Name="Выписка"><Table ss:ExpandedColumnCount="16384" ss:ExpandedRowCount="1048576">
      <Row ss:Index="3"><Cell><Data ss:Type="String">Ромашка &amp; Ко</Data><Comment><ss:Data><B>Аня:</B> проверить</ss:Data></Comment></Cell>
      <Cell ss:Index="3" ss:StyleID="d"><Data ss:Type="DateTime">2024-03-12T00:00:00.000</Data></Cell></Row></Table></Worksheet></Workbook>`;
    for (const name of ['выписка.xls', 'выписка.xml']) {
      const { text, blocks, metadata } = await readParts(name, iconv.encode(xml, 'win1251'));
      expect(metadata.kind).toBe('xls');
      expect(text).toBe('Ромашка & Ко [Аня: проверить]\t\t12.03.2024\n');
      expect(blocks[0]!.spans.map(({ anchor }) => anchor)).toEqual(
        ['A3', 'C3'].map((range) => ({ kind: 'cells', sheet: 'Выписка', range })),
      );
    }
  });

  it.each(['WithTextBox.xlsb', '39512.xls'])(
    'reads the words of shapes over the cells of %s',
    async (name) => {
      const found = testData(`fixtures/poi/${name}`);
      if (!found) return console.warn('not tested: the test data is absent');
      const { text, blocks } = await readParts(name, readFileSync(found));
      expect(text).toContain(name.endsWith('xls') ? '[Option Button 39]' : '[Line 1 Line 2 Line 3]');
      expect(blocks[0]!.row!.row).toBe(2);
    },
  );

  it('says that a workbook is under a password', async () => {
    const found = testData('fixtures/tika/testEXCEL_protected_passtika.xls');
    if (!found) return console.warn('not tested: the test data is absent');
    await expect(readParts('locked.xls', readFileSync(found))).rejects.toMatchObject({ reason: 'encrypted' });
  });
});

describe('databases', () => {
  it('of SQLite: each table is a sheet, views and indexes are none', async () => {
    const bytes = databaseOf((database) => {
      database.pragma('journal_mode = WAL');
      database.exec(`CREATE TABLE clients(id INTEGER PRIMARY KEY, name TEXT, turnover REAL, photo BLOB);
        INSERT INTO clients VALUES (1, 'ООО Ромашка', 1234.5, x'0102'), (9007199254740993, 'Acme', NULL, NULL);
        CREATE TABLE "odd ""name" (a); INSERT INTO "odd ""name" VALUES ('x');
        CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
        CREATE VIRTUAL TABLE notes USING fts5(t); INSERT INTO notes VALUES ('kept words');`);
    });
    const { parts, text, metadata, blocks } = await readParts('clients.db', bytes);
    expect(metadata.kind).toBe('database');
    expect(tablesOf(parts).map(({ name, columns }) => [name, columns])).toEqual([
      ['clients', ['id', 'name', 'turnover', 'photo']],
      ['odd "name', ['a']],
      ['notes_content', ['id', 'c0']],
    ]);
    expect(text).toContain('1\tООО Ромашка\t1234.5\t(2 bytes)\n');
    expect(text).toContain('9007199254740993\tAcme\n');
    expect(text).toContain('kept words');
    expect(blocks[1]?.spans[1]?.anchor).toEqual({ kind: 'cells', sheet: 'clients', range: 'B2' });
  });

  it.each([
    { fault: 'cut', make: (bytes: Buffer) => bytes.subarray(0, 3_000) },
    {
      fault: 'overwritten',
      make: (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(8_092, 7)]),
    },
  ])('that are $fault end with a reason', async ({ make }) => {
    const bytes = databaseOf((database) => {
      database.exec('CREATE TABLE t(a); INSERT INTO t VALUES (1)');
    });
    await expect(readParts('bad.db', make(bytes))).rejects.toMatchObject({ reason: 'damaged' });
  });

  it('keep the rows before a broken page, and the tables after it', async () => {
    const bytes = databaseOf((database) => {
      database.exec('CREATE TABLE t(a); CREATE TABLE u(b); INSERT INTO u VALUES (1)');
      const insert = database.prepare('INSERT INTO t VALUES (?)');
      for (let row = 0; row < 300; row++) insert.run(`row ${row} ${'x'.repeat(200)}`);
    });
    bytes.fill(7, 7 * 4_096, 9 * 4_096);
    const { text, parts } = await readParts('bad.db', bytes);
    expect(text).toContain('row 0 ');
    expect(text).not.toContain('row 299 ');
    expect(text).toContain('b\n1\n');
    expect(parts.flatMap((part) => (part.type === 'warning' ? [part.warning.code] : []))).toEqual([
      'part-damaged',
    ]);
  });

  it('of Parquet: one table, days and nested values as text', async () => {
    const columnData = [
      { name: 'city', data: ['Kraków', 'Köln'], type: 'STRING' as const },
      { name: 'count', data: [7n, 12n], type: 'INT64' as const },
      { name: 'day', data: [new Date('2024-03-12T00:00:00Z'), undefined], type: 'TIMESTAMP' as const },
    ];
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
    const { parts, text } = await readParts('cities.parquet', bytes);
    expect(tablesOf(parts)).toMatchObject([{ name: 'cities', columns: ['city', 'count', 'day'] }]);
    expect(text).toBe('city\tcount\tday\nKraków\t7\t2024-03-12\nKöln\t12\n');
    const cut = bytes.subarray(0, bytes.length - 20);
    await expect(readParts('cut.parquet', cut)).rejects.toMatchObject({ reason: 'damaged' });
  });
});
