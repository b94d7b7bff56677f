/** Which workbooks do the tests of the parser and of the view read? */
import ExcelJS from 'exceljs';

const bytesOf = async (book: ExcelJS.Workbook): Promise<Buffer> => Buffer.from(await book.xlsx.writeBuffer());

/** An English budget: a title, a header of two rows with merged names, formulas, several tables, a hidden sheet. */
export async function englishBudget(): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  book.title = 'Budget 2024';
  book.creator = 'Finance';
  const sheet = book.addWorksheet('Budget');
  sheet.columns = [{ width: 18 }, { width: 14 }, { width: 12 }, { width: 12 }, { width: 12 }];
  sheet.addRow(['Budget of the Northgate plant']);
  sheet.addRow([]);
  sheet.addRow(['Department', 'Head', 'Costs', null, 'Change']);
  sheet.addRow([null, null, 'Plan', 'Actual', null]);
  for (const range of ['A3:A4', 'B3:B4', 'C3:D3', 'E3:E4']) sheet.mergeCells(range);
  sheet.getRow(3).font = { bold: true };
  sheet.getRow(4).font = { bold: true };
  const rows: [string, string, number, number][] = [
    ['Assembly', 'I. Novak', 120_500.5, 118_000],
    ['Paint shop', 'O. Lind', 80_250, 91_400.25],
    ['Logistics', 'P. Ortiz', 45_000, 45_000],
  ];
  for (const [name, head, plan, actual] of rows) {
    const row = sheet.addRow([name, head, plan, actual]);
    row.getCell(3).numFmt = '#,##0.00';
    row.getCell(4).numFmt = '#,##0.00';
    row.getCell(5).value = { formula: `D${row.number}/C${row.number}-1`, result: actual / plan - 1 };
    row.getCell(5).numFmt = '0.0%';
  }
  sheet.addRow([]);
  sheet.addRow(['Opened', 'Rich text', 'Link']);
  const last = sheet.addRow([new Date(Date.UTC(2024, 2, 12)), null, null]);
  last.getCell(1).numFmt = 'dd.mm.yyyy';
  last.getCell(2).value = { richText: [{ text: 'half ' }, { font: { bold: true }, text: 'bold' }] };
  last.getCell(3).value = { text: 'the rules', hyperlink: 'https://example.org' };
  const regions = book.addWorksheet('Regions');
  regions.addRows([
    ['Region', 'City', 'Orders'],
    ['North', 'Oslo', 12],
    [null, 'Bergen', 7],
    ['South', 'Rome', 31],
    ['Broken', 'Nowhere', { error: '#DIV/0!' }],
  ]);
  regions.mergeCells('A2:A3');
  const hidden = book.addWorksheet('Rates', { state: 'hidden' });
  hidden.addRows([
    ['Currency', 'Rate'],
    ['EUR', 1.0842],
  ]);
  book.addWorksheet('Names').addRow(['Name', 'Born', 'Town']);
  return bytesOf(book);
}

/** Russian accounts: money in roubles, months by name, a decimal comma. */
export async function russianAccounts(): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Счета');
  sheet.addRow(['Контрагент', 'Дата', 'Сумма', 'Доля']);
  sheet.addRow(['ООО «Ромашка»', new Date(Date.UTC(2024, 4, 7)), 1_234_567.5, 0.256]);
  sheet.addRow(['АО «Вектор»', new Date(Date.UTC(2024, 10, 21)), 980, 0.1]);
  sheet.getCell('B2').numFmt = '[$-419]d mmmm yyyy;@';
  sheet.getCell('B3').numFmt = '[$-FC19]dd mmmm yyyy \\г\\.;@';
  for (const name of ['C2', 'C3']) sheet.getCell(name).numFmt = '#,##0.00\\ "₽"';
  for (const name of ['D2', 'D3']) sheet.getCell(name).numFmt = '0.0%';
  return bytesOf(book);
}

/** Many rows, each with words of its own. */
export async function tallSheet(rows: number): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Stock');
  sheet.addRow(['Article', 'Shelf', 'Pieces']);
  for (let row = 2; row <= rows; row++) sheet.addRow([`article ${row}`, `shelf ${row % 97}`, row * 3]);
  return bytesOf(book);
}

export const russianCsv = [
  'Товар;Цена;Поставка;Примечание',
  'Чай «Ассам»;1 234,50;12.03.2024;"хранить в сухом\nместе"',
  'Кофе;99,90;01.11.2024;"сорт ""люкс"""',
  'Сахар;54,00;02.11.2024;',
].join('\r\n');
