/** The workbooks of the sample library: budgets, a large list of orders, a staffing table. */
import exceljs from 'exceljs';

const orderCount = 9_000;

function workbook(author: string): exceljs.Workbook {
  const book = new exceljs.Workbook();
  book.creator = author;
  book.created = new Date('2026-01-15T09:00:00Z');
  book.modified = book.created;
  return book;
}

async function toBytes(book: exceljs.Workbook): Promise<Uint8Array> {
  return new Uint8Array(await book.xlsx.writeBuffer());
}

const departments: [string, string, number, number, number, number][] = [
  ['Research', 'Timo Lindqvist', 412_000, 398_500, 420_000, 441_000],
  ['Production', 'Niklas Överby', 905_000, 880_000, 861_500, 934_000],
  ['Sales', 'Wilhelmina Dahlgren', 236_000, 251_000, 248_000, 262_500],
  ['Human Resources', 'Ingrid Palm', 64_000, 58_200, 61_900, 60_400],
  ['Service Desk', 'Jonas Wikner', 88_700, 91_300, 87_000, 95_600],
  ['Legal', 'Agnes Hollander', 47_500, 52_000, 39_800, 55_100],
];

/** Three sheets: departments by quarter with merged headers, training by person, and a hidden one with assumptions. */
export function makeBudget(): Promise<Uint8Array> {
  const book = workbook('Finance');
  const quarters = book.addWorksheet('Departments');
  quarters.columns = [
    { width: 20 },
    { width: 24 },
    { width: 14 },
    { width: 14 },
    { width: 14 },
    { width: 14 },
    { width: 16 },
  ];
  quarters.addRow(['Operating budget 2026, euros']);
  quarters.mergeCells('A1:G1');
  quarters.addRow([]);
  quarters.addRow(['Department', 'Owner', 'First half', '', 'Second half', '', 'Year']);
  quarters.addRow(['', '', 'Q1', 'Q2', 'Q3', 'Q4', '']);
  for (const range of ['A3:A4', 'B3:B4', 'C3:D3', 'E3:F3', 'G3:G4']) quarters.mergeCells(range);
  departments.forEach((row, index) => {
    const at = 5 + index;
    const year = row[2] + row[3] + row[4] + row[5];
    quarters.addRow([...row, { formula: `SUM(C${at}:F${at})`, result: year }]);
  });
  for (let column = 3; column <= 7; column += 1) quarters.getColumn(column).numFmt = '#,##0 "€"';
  for (const at of [3, 4]) quarters.getRow(at).font = { bold: true };

  const projects = book.addWorksheet('Projects');
  projects.addRow(['Project', 'Start', 'End', 'Granted', 'Spent share', 'Remark']);
  projects.getRow(1).font = { bold: true };
  const rows: [string, string, string, number, number, string][] = [
    ['SL-5 housing', '2025-10-01', '2026-08-31', 480_000, 0.34, 'second mould approved in January'],
    ['Coating chamber 3', '2026-02-01', '2027-01-31', 1_150_000, 0.05, 'supplier not chosen yet'],
    ['Cloud telemetry', '2026-01-15', '2026-06-30', 95_000, 0.22, 'pilot with two customers'],
    ['Solar roof', '2026-04-01', '2026-11-30', 210_000, 0, 'permit expected in March'],
    ['Forklift renewal', '2026-03-01', '2026-03-31', 64_300, 0, 'leasing was dearer'],
  ];
  for (const [name, start, end, granted, share, remark] of rows) {
    projects.addRow([name, new Date(start), new Date(end), granted, share, remark]);
  }
  projects.getColumn(2).numFmt = 'dd.mm.yyyy';
  projects.getColumn(3).numFmt = 'dd.mm.yyyy';
  projects.getColumn(4).numFmt = '#,##0 "€"';
  projects.getColumn(5).numFmt = '0 %';
  projects.columns.forEach((column, index) => {
    column.width = [22, 12, 12, 14, 12, 34][index];
  });

  const assumptions = book.addWorksheet('Assumptions', { state: 'hidden' });
  assumptions.addRow(['Assumption', 'Value']);
  assumptions.addRow(['Exchange rate, kronor for one euro', 11.35]);
  assumptions.addRow(['Pay rise in April', '3.1 %']);
  assumptions.addRow(['Electricity, euros per megawatt hour', 92]);
  return toBytes(book);
}

/** One long sheet of orders, by a fixed generator. */
export function makeOrders(): Promise<Uint8Array> {
  const book = workbook('Order desk');
  const sheet = book.addWorksheet('Orders');
  sheet.addRow(['Order', 'Date', 'Customer', 'Country', 'Article', 'Pieces', 'Price each', 'Carrier']);
  sheet.getRow(1).font = { bold: true };
  let seed = 2025;
  const pick = <T>(items: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647;
    return items[seed % items.length] as T;
  };
  const customers = [
    'Orsted Marine',
    'Hofmann Waagen',
    'Kleczka Systemy',
    'Baltika Metrology',
    'Ruiz Instrumentos',
    'Nakatani Seiki',
    'Pellworm Werft',
  ];
  const countries = ['Denmark', 'Germany', 'Poland', 'Estonia', 'Spain', 'Japan', 'Germany'];
  const articles = [
    'SL-4/20',
    'SL-4/50',
    'SL-4/100',
    'Cable 5 m',
    'Cable 20 m',
    'Mounting plate',
    'Reference target',
  ];
  const prices = [412, 438, 505, 31.5, 58, 44.9, 129];
  const carriers = ['DSV', 'Schenker', 'own lorry', 'air freight'];
  for (let index = 0; index < orderCount; index += 1) {
    const customer = pick(customers.map((_, at) => at));
    const article = pick(articles.map((_, at) => at));
    const date = new Date(Date.UTC(2025, 0, 2 + Math.floor((index * 362) / orderCount)));
    sheet.addRow([
      `T-${100_001 + index}`,
      date,
      customers[customer],
      countries[customer],
      articles[article],
      pick([1, 2, 4, 5, 8, 10, 12, 20, 25, 40]),
      prices[article],
      pick(carriers),
    ]);
  }
  const special = sheet.getRow(6_401);
  special.getCell(3).value = 'Observatory of Skibotn';
  special.getCell(4).value = 'Norway';
  special.getCell(5).value = 'SL-4/100 polar edition';
  special.getCell(6).value = 3;
  special.getCell(7).value = 2_190;
  special.getCell(8).value = 'snow tractor';
  sheet.getColumn(2).numFmt = 'yyyy-mm-dd';
  sheet.getColumn(7).numFmt = '#,##0.00 "€"';
  sheet.columns.forEach((column, index) => {
    column.width = [12, 12, 24, 12, 22, 9, 13, 14][index];
  });
  return toBytes(book);
}

export function makeStaffing(): Promise<Uint8Array> {
  const book = workbook('Отдел кадров');
  const sheet = book.addWorksheet('Штат');
  sheet.addRow(['Подразделение', 'Должность', 'Ставок', 'Оклад', 'Занято', 'Принят']);
  sheet.getRow(1).font = { bold: true };
  const rows: [string, string, number, number, string, string | null][] = [
    ['Администрация', 'Генеральный директор', 1, 390_000, 'Юрий Баранцев', '2019-04-15'],
    ['Бухгалтерия', 'Финансовый директор', 1, 285_000, 'Лариса Ветрова', '2020-09-01'],
    ['Бухгалтерия', 'Экономист', 2, 118_000, 'Глеб Осокин', '2023-02-13'],
    ['Снабжение', 'Начальник отдела', 1, 172_000, 'Кирилл Вершинин', '2021-06-07'],
    ['Лаборатория', 'Инженер-оптик', 4, 145_500, 'Мария Туманова', '2022-11-21'],
    ['Лаборатория', 'Техник', 3, 86_000, 'вакансия', null],
    ['Канцелярия', 'Заведующая', 1, 97_400, 'Тамара Лисицына', '2018-01-09'],
    ['Служба безопасности', 'Дежурный', 4, 72_300, 'Зоя Краснопольская', '2024-05-20'],
  ];
  for (const [unit, post, count, salary, person, since] of rows) {
    sheet.addRow([unit, post, count, salary, person, since ? new Date(since) : null]);
  }
  sheet.getColumn(4).numFmt = '#,##0 [$₽-419]';
  sheet.getColumn(6).numFmt = 'dd.mm.yyyy';
  sheet.columns.forEach((column, index) => {
    column.width = [22, 24, 9, 14, 24, 12][index];
  });
  const leave = book.addWorksheet('Отпуска');
  leave.addRow(['Сотрудник', 'С', 'По', 'Замещает']);
  leave.addRow(['Лариса Ветрова', new Date('2026-07-06'), new Date('2026-07-26'), 'Глеб Осокин']);
  leave.addRow(['Мария Туманова', new Date('2026-08-03'), new Date('2026-08-30'), 'Егор Пахомов']);
  leave.addRow(['Кирилл Вершинин', new Date('2026-06-15'), new Date('2026-06-28'), 'Анна Сафина']);
  for (const column of [2, 3]) leave.getColumn(column).numFmt = 'dd.mm.yyyy';
  return toBytes(book);
}
