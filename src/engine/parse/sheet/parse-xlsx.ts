/** Which tables and rows does a workbook hold, and in which cell does each text stand? */
import { sheet as limits } from '../../config.ts';
import { ParseFailure, type Parser, type Part, type SourceFile } from '../../document.ts';
import { readOfficeProperties } from '../zip/office-properties.ts';
import { xmlPieces } from '../zip/read-xml.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { SheetNotes } from './sheet-notes.ts';
import { SheetTables } from './sheet-tables.ts';
import { readTail, SheetListener } from './sheet-xml.ts';
import { readWorkbook, type Workbook, type WorkbookSheet } from './workbook.ts';

/** What all sheets of a workbook share while they are read. */
interface Progress {
  nextTable: number;
  cells: number;
  isFull: boolean;
}

/**
 * Reads a workbook sheet by sheet, row by row; memory holds its strings and a few rows. Throws ParseFailure: empty,
 * encrypted, unsupported, damaged (no sheet can be read), too-large.
 */
export const parseXlsx: Parser = async function* (file, signal) {
  const archive = await ZipArchive.open(file);
  try {
    yield { type: 'metadata', metadata: { kind: 'xlsx', ...(await readOfficeProperties(archive, signal)) } };
    const workbook = await readWorkbook(archive, signal);
    if (workbook.sheets.every(({ part }) => part === undefined)) {
      throw new ParseFailure(
        'damaged',
        `Reading failed: ${file.name}: no sheet in it can be found: save the file again`,
      );
    }
    yield* partWarnings(workbook);
    const progress: Progress = { nextTable: 0, cells: 0, isFull: false };
    for (const sheet of workbook.sheets.slice(0, limits.maxSheets)) {
      yield* readSheet(archive, workbook, sheet, progress, signal);
    }
    if (progress.cells === 0) {
      throw new ParseFailure('empty', `Nothing to read: ${file.name}: no cell in it holds anything`);
    }
    yield* countWarnings(file, workbook, progress);
  } finally {
    archive.close();
  }
};

async function* readSheet(
  archive: ZipArchive,
  workbook: Workbook,
  sheet: WorkbookSheet,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const { name, isHidden, part } = sheet;
  if (part === undefined) {
    yield warning('part-not-read', `Sheet "${name}" was not read: the file has no such part`);
    return;
  }
  if (progress.isFull) return;
  const tail = await readTail(archive, part, signal).then(
    (found) => found,
    (error: unknown) => {
      if (error instanceof ParseFailure && error.reason === 'damaged') return { merges: [] };
      throw error;
    },
  );
  const notes = await SheetNotes.read(archive, part, signal);
  const listener = new SheetListener(workbook);
  const tables = new SheetTables({ name, isHidden, widths: listener.widths, ...tail }, progress.nextTable);
  const pieces = xmlPieces(archive, part, listener, signal);
  let outcome = 'whole';
  while (!progress.isFull) {
    const next = await pieces.next();
    for (const row of listener.take()) {
      progress.cells += row.cells.length;
      progress.isFull = progress.cells > limits.maxCells;
      if (progress.isFull) break;
      for (const noted of notes.with(row)) yield* tables.push(noted);
    }
    if (next.done) {
      outcome = next.value;
      break;
    }
  }
  await pieces.return('whole');
  for (const noted of notes.before(Number.POSITIVE_INFINITY)) {
    progress.cells += noted.cells.length;
    yield* tables.push(noted);
  }
  yield* tables.end();
  progress.nextTable = tables.nextTable;
  if (outcome === 'damaged') {
    yield warning(
      'part-damaged',
      `Sheet "${name}" is broken in the file: only the rows before the fault were read`,
    );
  }
}

function* partWarnings(workbook: Workbook): Generator<Part> {
  for (const part of workbook.damagedParts) {
    yield warning(
      'part-damaged',
      `The part ${part} is broken in the file: what stands after the fault was not read`,
    );
  }
  if (workbook.strings.isCut) {
    yield warning('cells-left-out', 'The workbook has more text than the limit: later texts were left out');
  }
}

function* countWarnings(file: SourceFile, workbook: Workbook, progress: Progress): Generator<Part> {
  if (progress.isFull) {
    const cells = limits.maxCells.toLocaleString('en');
    yield warning('cells-left-out', `${file.name} has more than ${cells} cells: the rest was left out`);
  }
  if (workbook.sheets.length > limits.maxSheets) {
    yield warning(
      'cells-left-out',
      `${file.name} has more than ${limits.maxSheets} sheets: the rest was left out`,
    );
  }
}

function warning(code: string, message: string): Part {
  return { type: 'warning', warning: { code, message } };
}
