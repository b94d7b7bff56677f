/** Which sheets and cells does a workbook hold whose format is read as a whole: old binary, new binary, OpenDocument? */
import { readFile } from 'node:fs/promises';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { sheet as limits } from '../../config.ts';
import { type DocumentMetadata, ParseFailure, type Part, type SourceFile } from '../../document.ts';
import { detectLanguage } from '../../language/detect-language.ts';
import type { CellRange } from './a1.ts';
import type { SheetCell, SheetRow } from './find-header.ts';
import {
  guessLocale,
  type NumberFormat,
  readFormatCode,
  showBoolean,
  showNumber,
  valueBeneath,
} from './number-format.ts';
import { withNotes } from './sheet-notes.ts';
import { SheetTables } from './sheet-tables.ts';

/** Text that the language is judged by, in UTF-16 units. */
const SAMPLE_LENGTH = 20_000;

interface Shown {
  /** As the file itself writes it, where it does. */
  isWritten: boolean;
  locale: string;
  is1904: boolean;
  formats: Map<string, NumberFormat>;
}

/**
 * Reads all sheets of a workbook. Formulas are not evaluated, their last values are read. Throws ParseFailure: too-large,
 * encrypted, damaged, empty.
 */
export async function* readWholeWorkbook(
  kind: 'xls' | 'xlsb' | 'ods',
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const book = await openWorkbook(file);
  signal.throwIfAborted();
  yield { type: 'metadata', metadata: { kind, ...propertiesOf(book) } };
  const shown = howShown(kind, book);
  const count = { table: 0, cells: 0 };
  for (const [at, name] of book.SheetNames.slice(0, limits.maxSheets).entries()) {
    signal.throwIfAborted();
    const isHidden = (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0;
    yield* readSheet(name, isHidden, book.Sheets[name], shown, count);
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
  const bytes = file.bytes ?? (await readFile(file.path));
  const { read, set_cptable } = await import('@e965/xlsx');
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  try {
    return read(bytes, {
      ...{ type: 'buffer', dense: true, cellNF: true, cellText: true, cellDates: false },
      ...{ cellFormula: false, cellHTML: false, cellStyles: true, bookVBA: false },
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

function howShown(kind: string, book: WorkBook): Shown {
  const codes = new Set<string>();
  let sample = book.SheetNames.join(' ');
  for (const name of book.SheetNames) {
    for (const cell of cellsOf(book.Sheets[name])) {
      if (cell.t === 's' && sample.length < SAMPLE_LENGTH) sample += ` ${cell.v}`;
      if (typeof cell.z === 'string') codes.add(cell.z);
    }
  }
  return {
    isWritten: kind === 'ods',
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
  name: string,
  isHidden: boolean,
  sheet: WorkSheet | undefined,
  shown: Shown,
  count: { table: number; cells: number },
): Generator<Part> {
  const widths = (sheet?.['!cols'] ?? []).slice(0, limits.maxWidths).map((column) => column?.wch ?? 0);
  const merges = (sheet?.['!merges'] ?? []).slice(0, limits.maxMerges).map(
    ({ s, e }): CellRange => ({
      ...{ firstRow: s.r + 1, lastRow: e.r + 1, firstColumn: s.c, lastColumn: e.c },
    }),
  );
  const tables = new SheetTables({ name, isHidden, merges, widths }, count.table);
  for (const index in sheet?.['!data']) {
    const row = toRow(Number(index), sheet['!data'][Number(index)]!, shown);
    if (row.cells.length === 0) continue;
    if (count.cells + row.cells.length > limits.maxCells) break;
    count.cells += row.cells.length;
    yield* tables.push(row);
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
  const notes = (cell.c ?? []).map((note) => (note.t ?? '').replaceAll(/\s+/gu, ' ').trim());
  const said = withNotes(text, notes)
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, ' ')
    .trim()
    .slice(0, limits.maxCellLength);
  if (said === '') return undefined;
  return { column, text: said.normalize('NFC'), isBold: false, ...(value === undefined ? {} : { value }) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROLS = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/g;

function contentOf(cell: CellObject, shown: Shown): Pick<SheetCell, 'text' | 'value'> {
  const { t: type, v: value, w: written } = cell;
  if (type === 'b') return { text: showBoolean(Boolean(value), shown.locale), value: Boolean(value) };
  if (type !== 'n' || typeof value !== 'number') return { text: String(written ?? value ?? '') };
  const format = formatOf(cell, shown);
  const text = (shown.isWritten && written) || showNumber(value, format, shown.locale, shown.is1904);
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
