/** Which single files are as large as an analyst ever meets? Made by script, the same ones each time, never whole in memory. */
import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { Zip, ZipPassThrough } from 'fflate';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { createRandom } from './synthetic.ts';

/** Makes its file in a folder, of a share of its full size. */
export interface LargeFile {
  what: string;
  make(folder: string, scale: number): Promise<void>;
}

const ROWS = 1_000_000;
const PAGES = 2_000;
const LOG_BYTES = 1024 ** 3;
/** Rows, lines and messages that are put together before they are written. */
const AT_ONCE = 1_000;

const words = (
  'invoice contract delivery warehouse payment deadline customer supplier quarter audit ledger balance ' +
  'договор поставка склад оплата срок клиент квартал аудит баланс остаток накладная отчёт'
).split(' ');

function* sentences(seed: number): Generator<string, never> {
  const random = createRandom(seed);
  for (;;) {
    const length = 6 + Math.floor(random() * 8);
    const said = Array.from({ length }, () => words[Math.floor(random() * words.length)]!);
    yield `${said.join(' ')} ${Math.floor(random() * 1e6)}`;
  }
}

const next = (source: Generator<string, never>): string => source.next().value;

/** Calls back with the file's end until `count` pieces are written. */
function writePieces(file: string, count: number, piece: (number: number) => string): void {
  const handle = openSync(file, 'w');
  try {
    for (let from = 0; from < count; from += AT_ONCE) {
      const to = Math.min(from + AT_ONCE, count);
      writeSync(handle, Array.from({ length: to - from }, (_, at) => piece(from + at)).join(''));
    }
  } finally {
    closeSync(handle);
  }
}

/** Stored, not packed: a million rows of five cells are 300 MB. */
async function makeSheet(folder: string, scale: number): Promise<void> {
  const rows = Math.round(ROWS * scale);
  const source = sentences(1);
  const handle = openSync(path.join(folder, 'rows.xlsx'), 'w');
  const zip = new Zip((error, data) => {
    if (error) throw error;
    writeSync(handle, data);
  });
  const add = (name: string, pieces: Iterable<string>): void => {
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    for (const piece of pieces) entry.push(Buffer.from(piece), false);
    entry.push(new Uint8Array(0), true);
  };
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  add('[Content_Types].xml', [
    `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
    `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
  ]);
  add('_rels/.rels', [
    `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ]);
  add('xl/workbook.xml', [
    `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ]);
  add('xl/_rels/workbook.xml.rels', [
    `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ]);
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const names = ['Number', 'Subject', 'Amount', 'Partner', 'Remark'];
  const row = (number: number): string =>
    number === 1
      ? `<row r="1">${names.map((name, at) => text(`${'ABCDE'[at]}1`, name)).join('')}</row>`
      : `<row r="${number}"><c r="A${number}"><v>${number}</v></c>${text(`B${number}`, next(source))}<c r="C${number}"><v>${number * 7.25}</v></c>${text(`D${number}`, `Partner ${number % 9973}`)}${text(`E${number}`, words[number % words.length]!)}</row>`;
  add(
    'xl/worksheets/sheet1.xml',
    (function* () {
      yield `${head}<worksheet xmlns="${main}"><sheetData>`;
      for (let from = 1; from <= rows; from += AT_ONCE) {
        yield Array.from({ length: Math.min(AT_ONCE, rows - from + 1) }, (_, at) => row(from + at)).join('');
      }
      yield '</sheetData></worksheet>';
    })(),
  );
  zip.end();
  closeSync(handle);
}

async function makePages(folder: string, scale: number): Promise<void> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const source = sentences(2);
  const latin = () => next(source).replace(/[^\x20-\x7e]/g, 'o');
  for (let number = 1; number <= Math.round(PAGES * scale); number++) {
    const page = document.addPage([595, 842]);
    for (let line = 0; line < 45; line++)
      page.drawText(line === 0 ? `Part ${number}` : latin().slice(0, 90), {
        ...{ x: 60, y: 780 - line * 16, font },
        size: line === 0 ? 14 : 10,
      });
  }
  writeFileSync(path.join(folder, 'pages.pdf'), await document.save());
}

async function makeLog(folder: string, scale: number): Promise<void> {
  const file = path.join(folder, 'service.log');
  const source = sentences(3);
  const line = (number: number): string => {
    const at = new Date(1.75e12 + number * 730).toISOString();
    return `${at} ${number % 50 === 0 ? 'ERROR' : 'INFO '} [worker-${number % 16}] ${next(source)}\n`;
  };
  const sample = Buffer.byteLength(Array.from({ length: 200 }, (_, at) => line(at)).join('')) / 200;
  writePieces(file, Math.round((LOG_BYTES * scale) / sample), line);
}

export const largeFiles: LargeFile[] = [
  { what: 'workbook of a million rows', make: makeSheet },
  { what: 'PDF of 2,000 pages', make: makePages },
  { what: 'log of 1 GB', make: makeLog },
];

export const sizeOf = (folder: string, name: string): number => statSync(path.join(folder, name)).size;
