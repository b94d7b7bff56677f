/** Workbooks and tables of one content in every format that is shown as a grid. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { utils, type WorkBook, write } from '@e965/xlsx';
import Database from 'better-sqlite3';
import { strToU8, zipSync } from 'fflate';
import { parquetWriteBuffer } from 'hyparquet-writer';

/** Two sheets, the second hidden: words, numbers as shown, a day, a merged cell, a note. */
export function russianBook(): WorkBook {
  const book = utils.book_new();
  const sheet = utils.aoa_to_sheet([
    ['Контрагент', 'Сумма', 'Срок'],
    ['ООО «Ромашка»', 1234.5, 45_363],
    ['ИП Петров', -7, null],
  ]);
  sheet.B2.z = '#,##0.00';
  sheet.C2.z = 'dd.mm.yyyy';
  utils.cell_add_comment(sheet.A3, 'check the contract', 'Auditor');
  const rates = utils.aoa_to_sheet([
    ['Currency', 'Rate'],
    ['EUR', 1.5],
  ]);
  utils.book_append_sheet(book, sheet, 'Долги');
  utils.book_append_sheet(book, rates, 'Rates');
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] };
  book.Props = { Title: 'Долги клиентов', Author: 'Бухгалтерия' };
  return book;
}

const OPEN_DOCUMENT = ['office', 'table', 'text', 'style', 'fo', 'dc', 'meta', 'draw', 'calcext', 'svg']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');
const MIME = 'application/vnd.oasis.opendocument.spreadsheet';

/** An OpenDocument sheet from its styles, its sheets and what follows them. */
export function odsFrom(styles: string, sheets: string, after = ''): Uint8Array {
  const body = odsBody(styles, sheets, after);
  const meta =
    '<dc:title>Долги</dc:title><dc:creator>Бухгалтерия</dc:creator><dc:date>2024-03-12T10:00:00</dc:date>';
  return zipSync({
    mimetype: [strToU8(MIME), { level: 0 }],
    'content.xml': strToU8(
      `<?xml version="1.0"?><office:document-content ${OPEN_DOCUMENT}>${body}</office:document-content>`,
    ),
    'meta.xml': strToU8(
      `<office:document-meta ${OPEN_DOCUMENT}><office:meta>${meta}</office:meta></office:document-meta>`,
    ),
    'styles.xml': strToU8(`<office:document-styles ${OPEN_DOCUMENT}/>`),
    'META-INF/manifest.xml': strToU8('<manifest:manifest/>'),
  });
}

/** The same in one file of XML. */
export function flatOdsFrom(styles: string, sheets: string): string {
  const meta = '<office:meta><dc:title>Flat</dc:title></office:meta>';
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${OPEN_DOCUMENT} office:mimetype="${MIME}">${meta}${odsBody(styles, sheets)}</office:document>`;
}

function odsBody(styles: string, sheets: string, after = ''): string {
  return `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${sheets}${after}</office:spreadsheet></office:body>`;
}

/** The book's first sheet as LibreOffice writes it. */
export function russianOds(): Uint8Array {
  const text = (words: string): string =>
    `<table:table-cell office:value-type="string"><text:p>${words}</text:p></table:table-cell>`;
  const number = (value: number, shown: string): string =>
    `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`;
  const day =
    '<table:table-cell office:value-type="date" office:date-value="2024-03-12"><text:p>12.03.2024</text:p></table:table-cell>';
  const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;
  const rest = '<table:table-row table:number-rows-repeated="1048573"><table:table-cell/></table:table-row>';
  return odsFrom(
    '',
    `<table:table table:name="Долги">${row(text('Контрагент'), text('Сумма'), text('Срок'))}${row(text('ООО «Ромашка»'), number(1234.5, '1\u00a0234,50'), day)}${row(text('ИП Петров'), number(-7, '-7'))}${rest}</table:table>`,
  );
}

/** A database that this writes, as bytes. */
export function databaseOf(fill: (database: Database.Database) => void): Buffer {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-database-'));
  try {
    const file = path.join(folder, 'made.db');
    const database = new Database(file);
    fill(database);
    database.close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One content by the name of its file. */
export function madeBooks(): Record<string, Uint8Array> {
  const xml = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles><Style ss:ID="d"><NumberFormat ss:Format="dd\\.mm\\.yyyy"/></Style><Style ss:ID="m"><NumberFormat ss:Format="#,##0.00"/></Style></Styles><Worksheet ss:Name="Долги"><Table><Row><Cell><Data ss:Type="String">Контрагент</Data></Cell><Cell><Data ss:Type="String">Сумма</Data></Cell><Cell><Data ss:Type="String">Срок</Data></Cell></Row><Row><Cell><Data ss:Type="String">ООО «Ромашка»</Data></Cell><Cell ss:StyleID="m"><Data ss:Type="Number">1234.5</Data></Cell><Cell ss:StyleID="d"><Data ss:Type="DateTime">2024-03-12T00:00:00.000</Data></Cell></Row></Table></Worksheet></Workbook>`;
  const table = databaseOf((database) => {
    database.exec('CREATE TABLE Долги(Контрагент TEXT, Сумма REAL, Срок TEXT)');
    database.exec("INSERT INTO Долги VALUES ('ООО «Ромашка»', 1234.5, '12.03.2024')");
  });
  const columnData = [
    { name: 'Контрагент', data: ['ООО «Ромашка»'], type: 'STRING' as const },
    { name: 'Сумма', data: [1234.5], type: 'DOUBLE' as const },
    { name: 'Срок', data: ['12.03.2024'], type: 'STRING' as const },
  ];
  return {
    'долги.ods': russianOds(),
    'долги.xls': write(russianBook(), { type: 'buffer', bookType: 'biff8' }) as Buffer,
    'долги.xlsb': write(russianBook(), { type: 'buffer', bookType: 'xlsb' }) as Buffer,
    'долги.xlsm': write(russianBook(), { type: 'buffer', bookType: 'xlsm' }) as Buffer,
    'долги.xml': Buffer.from(xml),
    'долги.db': table,
    'долги.parquet': new Uint8Array(parquetWriteBuffer({ columnData })),
    'долги.tsv': Buffer.from('Контрагент\tСумма\tСрок\nООО «Ромашка»\t1234,5\t12.03.2024\n', 'utf16le'),
  };
}
