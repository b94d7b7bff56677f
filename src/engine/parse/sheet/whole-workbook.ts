/** Which sheets and cells does a workbook hold whose format is read as a whole: old binary, new binary? */
import { readFile } from 'node:fs/promises';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import type { CFB$Container } from 'cfb';
import { sheet as limits } from '../../config.ts';
import { type DocumentMetadata, ParseFailure, type Part, type SourceFile } from '../../document.ts';
import { detectLanguage } from '../../language/detect-language.ts';
import { readXmlText } from '../flow/xml/read-xml-file.ts';
import type { CellRange } from './a1.ts';
import { toCellText } from './cell-text.ts';
import type { SheetCell, SheetRow } from './find-header.ts';
import {
  guessLocale,
  type NumberFormat,
  readFormatCode,
  showBoolean,
  showNumber,
  valueBeneath,
} from './number-format.ts';
import { type SheetNotes, withNotes } from './sheet-notes.ts';
import { SheetTables } from './sheet-tables.ts';

/** Text that the language is judged by, in UTF-16 units. */
const SAMPLE_LENGTH = 20_000;

/** What a workbook is made of, beside its cells. */
export interface OpenedWorkbook {
  names: string[];
  /** Of an old one in a container. */
  container: CFB$Container | undefined;
  /** The identifier by which a packed workbook points to the part of its sheet, by number from 0. */
  relationOf(sheet: number): string | undefined;
}

interface Sheet {
  name: string;
  isHidden: boolean;
  notes: SheetNotes;
  sheet: WorkSheet | undefined;
}

interface Shown {
  /** Written in XML: comments come with their marks. */
  isXml: boolean;
  locale: string;
  is1904: boolean;
  formats: Map<string, NumberFormat>;
}

/**
 * Reads all sheets of a workbook; `notesOf` finds what is said on a sheet and does not come with its cells. Formulas are not evaluated, their last values are read. Throws ParseFailure: too-large,
 * encrypted, damaged, empty.
 */
export async function* readWholeWorkbook(
  kind: 'xls' | 'xlsb',
  file: SourceFile,
  signal: AbortSignal,
  notesOf: (book: OpenedWorkbook, sheet: number) => Promise<SheetNotes>,
): AsyncGenerator<Part> {
  const book = await openWorkbook(file);
  signal.throwIfAborted();
  yield { type: 'metadata', metadata: { kind, ...propertiesOf(book) } };
  const shown = howShown(book);
  const opened = openedFrom(book);
  const count = { table: 0, cells: 0 };
  for (const [at, name] of book.SheetNames.slice(0, limits.maxSheets).entries()) {
    signal.throwIfAborted();
    const isHidden = (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0;
    const notes = await notesOf(opened, at);
    yield* readSheet({ name, isHidden, notes, sheet: book.Sheets[name] }, shown, count);
  }
  if (count.cells === 0)
    throw new ParseFailure('empty', `Nothing to read: ${file.name}: no cell in it holds anything`);
  yield* leftOut(file, book, count.cells);
}

async function openWorkbook(file: SourceFile): Promise<WorkBook> {
  if (file.sizeBytes > limits.maxWholeBytes) {
    const most = Math.round(limits.maxWholeBytes / 1024 ** 2);
    throw new ParseFailure(
      'too-large',
      `The file was not read: ${file.name}: a workbook of this format may have ${most} MB at most; save it as XLSX.`,
    );
  }
  const given = await bytesOrText(file);
  const { read, set_cptable } = await import('@e965/xlsx');
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  try {
    return read(given, {
      ...{
        type: typeof given === 'string' ? 'string' : 'buffer',
        dense: true,
        cellNF: true,
        cellText: true,
        cellDates: false,
      },
      ...{ cellFormula: false, cellHTML: false, cellStyles: true, bookVBA: false, bookFiles: true },
    });
  } catch (cause) {
    if (/password|encrypt/i.test(String(cause))) {
      throw new ParseFailure(
        'encrypted',
        `The file could not be opened: ${file.name}: it needs a password; save a copy without one.`,
        { cause },
      );
    }
    throw new ParseFailure(
      'damaged',
      `Reading failed: ${file.name}: its content breaks the rules of its format: save the file again`,
      { cause },
    );
  }
}

/** Bytes, or text where the workbook is written in XML (Excel 2002 and 2003), whose encoding its reader does not know. */
async function bytesOrText(file: SourceFile): Promise<Uint8Array | string> {
  const bytes = file.bytes ?? (await readFile(file.path));
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1').replaceAll('\0', '');
  return /^(?:ï»¿|ÿþ|þÿ)?\s*</.test(head) ? (await readXmlText({ ...file, bytes })).text : bytes;
}

function openedFrom(book: WorkBook): OpenedWorkbook {
  const sheets = book.Workbook?.Sheets as { id?: string }[] | undefined;
  return {
    names: book.SheetNames,
    container: (book as { cfb?: CFB$Container }).cfb,
    relationOf: (sheet) => sheets?.[sheet]?.id,
  };
}

function propertiesOf({ Props: properties }: WorkBook): DocumentMetadata {
  const metadata: DocumentMetadata = {};
  const title = properties?.Title?.toString().trim().normalize('NFC');
  const author = properties?.Author?.toString().trim().normalize('NFC');
  const saved = properties?.ModifiedDate ?? properties?.CreatedDate;
  if (title) metadata.title = title;
  if (author) metadata.author = author;
  const day = saved instanceof Date && !Number.isNaN(saved.getTime()) ? saved.toISOString().slice(0, 10) : '';
  // Programs that keep no date write the first one they know.
  if (day > '1980-01-02') metadata.date = day;
  return metadata;
}

function howShown(book: WorkBook): Shown {
  const codes = new Set<string>();
  let sample = book.SheetNames.join(' ');
  for (const name of book.SheetNames) {
    for (const cell of cellsOf(book.Sheets[name])) {
      if (cell.t === 's' && sample.length < SAMPLE_LENGTH) sample += ` ${cell.v}`;
      if (typeof cell.z === 'string') codes.add(cell.z);
    }
  }
  return {
    isXml: book.bookType === 'xlml',
    locale: guessLocale(codes, detectLanguage(sample)),
    is1904: book.Workbook?.WBProps?.date1904 ?? false,
    formats: new Map(),
  };
}

function* cellsOf(sheet: WorkSheet | undefined): Generator<CellObject> {
  // Rows and cells that the file does not have are holes, whatever range it claims.
  for (const index in sheet?.['!data']) {
    const row = sheet['!data'][Number(index)];
    for (const column in row) yield row[Number(column)]!;
  }
}

function* readSheet(
  { name, isHidden, notes, sheet }: Sheet,
  shown: Shown,
  count: { table: number; cells: number },
): Generator<Part> {
  const widths = Array.from(
    (sheet?.['!cols'] ?? []).slice(0, limits.maxWidths),
    (column) => column?.wch ?? 0,
  );
  const merges = (sheet?.['!merges'] ?? []).slice(0, limits.maxMerges).map(
    ({ s, e }): CellRange => ({
      ...{ firstRow: s.r + 1, lastRow: e.r + 1, firstColumn: s.c, lastColumn: e.c },
    }),
  );
  const tables = new SheetTables({ name: name.normalize('NFC'), isHidden, merges, widths }, count.table);
  for (const index in sheet?.['!data']) {
    const row = toRow(Number(index), sheet['!data'][Number(index)]!, shown);
    if (row.cells.length === 0) continue;
    if (count.cells + row.cells.length > limits.maxCells) break;
    count.cells += row.cells.length;
    for (const noted of notes.with(row)) yield* tables.push(noted);
  }
  for (const noted of notes.before(Number.POSITIVE_INFINITY)) {
    count.cells += noted.cells.length;
    yield* tables.push(noted);
  }
  yield* tables.end();
  count.table = tables.nextTable;
}

function toRow(index: number, cells: CellObject[], shown: Shown): SheetRow {
  const row: SheetRow = { row: index + 1, cells: [] };
  for (const at in cells) {
    const column = Number(at);
    const cell = column < limits.maxColumns ? toCell(column, cells[column]!, shown) : undefined;
    if (cell) row.cells.push(cell);
  }
  return row;
}

function toCell(column: number, cell: CellObject, shown: Shown): SheetCell | undefined {
  const { text, value } = contentOf(cell, shown);
  const notes = (cell.c ?? []).map(({ t: note = '' }) =>
    (shown.isXml ? note.replaceAll(/<[^>]*>/g, '') : note).replaceAll(/\s+/gu, ' ').trim(),
  );
  const said = toCellText(withNotes(text, notes)).trim();
  if (said === '') return undefined;
  return { column, text: said, isBold: false, ...(value === undefined ? {} : { value }) };
}

function contentOf(cell: CellObject, shown: Shown): Pick<SheetCell, 'text' | 'value'> {
  const { t: type, v: value, w: written } = cell;
  if (type === 'b') return { text: showBoolean(Boolean(value), shown.locale), value: Boolean(value) };
  if (type !== 'n' || typeof value !== 'number') return { text: String(written ?? value ?? '') };
  const format = formatOf(cell, shown);
  const text = showNumber(value, format, shown.locale, shown.is1904);
  return { text, value: valueBeneath(value, format, shown.is1904) };
}

function formatOf({ z: code }: CellObject, { formats, locale }: Shown): NumberFormat {
  const key = typeof code === 'string' ? code : 'General';
  let format = formats.get(key);
  if (!format) {
    format = readFormatCode(key, locale);
    formats.set(key, format);
  }
  return format;
}

function* leftOut(file: SourceFile, book: WorkBook, cells: number): Generator<Part> {
  const all = book.SheetNames.reduce((sum, name) => {
    for (const cell of cellsOf(book.Sheets[name])) if (cell.t !== 'z') sum += 1;
    return sum;
  }, 0);
  const what =
    all > limits.maxCells && cells < all
      ? `${limits.maxCells.toLocaleString('en')} cells`
      : book.SheetNames.length > limits.maxSheets
        ? `${limits.maxSheets} sheets`
        : undefined;
  if (what === undefined) return;
  const message = `${file.name} has more than ${what}: the rest was left out`;
  yield { type: 'warning', warning: { code: 'cells-left-out', message } };
}
