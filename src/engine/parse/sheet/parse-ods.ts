/** Which tables and rows does an OpenDocument sheet hold, packed (.ods) or flat (.fods)? */
import { sheet as limits } from '../../config.ts';
import {
  type DocumentMetadata,
  ParseFailure,
  type Parser,
  type Part,
  type SourceFile,
} from '../../document.ts';
import { OdfProperties, readOdfProperties, refuseEncrypted } from '../flow/odf/odf-properties.ts';
import { feedXml, readXmlText } from '../flow/xml/read-xml-file.ts';
import { readXml, type XmlListener, xmlPieces } from '../zip/read-xml.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { OdsOutline } from './ods/ods-outline.ts';
import { OdsRowReader, type OdsRows } from './ods/ods-rows.ts';
import { readHead } from './read-head.ts';
import { SheetTables } from './sheet-tables.ts';

/** The elements of a file, to be heard as often as needed. */
interface Source {
  properties(): Promise<DocumentMetadata>;
  /** A turn after each piece; its value: was the content read to its end. */
  content(listener: XmlListener): AsyncGenerator<void, boolean>;
  /** Styles that the content refers to and does not hold. */
  styles(listener: XmlListener): Promise<void>;
  close(): void;
}

const ZIP_MARK = 'PK';

/**
 * Two passes over the content: merged cells and styles first, then the rows; memory holds a few rows. Formulas are not
 * evaluated, links to other files are not followed. Throws ParseFailure: encrypted, damaged, empty, too-large.
 */
export const parseOds: Parser = async function* (file, signal) {
  const isPacked = (await readHead(file, ZIP_MARK.length)) === ZIP_MARK;
  const source = isPacked ? await openPacked(file, signal) : await openFlat(file, signal);
  try {
    yield { type: 'metadata', metadata: { kind: 'ods', ...(await source.properties()) } };
    const outline = new OdsOutline();
    await source.styles(outline);
    const isWhole = await toEnd(source.content(outline));
    const count = { cells: 0, isFull: false };
    yield* readSheets(source, outline, count);
    if (count.cells === 0) throw nothing(file, isWhole);
    if (!isWhole)
      yield warning('part-damaged', `${file.name} is broken: only what stands before the fault was read`);
    if (count.isFull)
      yield warning('cells-left-out', leftOut(file, `${limits.maxCells.toLocaleString('en')} cells`));
    if (outline.sheets.length > limits.maxSheets)
      yield warning('cells-left-out', leftOut(file, `${limits.maxSheets} sheets`));
  } finally {
    source.close();
  }
};

async function openPacked(file: SourceFile, signal: AbortSignal): Promise<Source> {
  const archive = await ZipArchive.open(file);
  const source: Source = {
    properties: () => readOdfProperties(archive, signal),
    async *content(listener) {
      return (yield* xmlPieces(archive, 'content.xml', listener, signal)) === 'whole';
    },
    styles: async (listener) => void (await readXml(archive, 'styles.xml', listener, signal)),
    close: () => archive.close(),
  };
  return refuseEncrypted(archive, file, signal).then(
    () => source,
    (error: unknown) => {
      archive.close();
      throw error;
    },
  );
}

async function openFlat(file: SourceFile, signal: AbortSignal): Promise<Source> {
  const { text } = await readXmlText(file);
  async function* content(listener: XmlListener): AsyncGenerator<void, boolean> {
    const pieces = feedXml(text, listener);
    for (let next = pieces.next(); ; next = pieces.next()) {
      signal.throwIfAborted();
      if (next.done) return next.value;
      yield;
    }
  }
  const properties = async (): Promise<DocumentMetadata> => {
    const found = new OdfProperties();
    await toEnd(content(found));
    return found.metadata;
  };
  return { properties, content, styles: async () => {}, close: () => {} };
}

async function toEnd(pieces: AsyncGenerator<void, boolean>): Promise<boolean> {
  while (true) {
    const next = await pieces.next();
    if (next.done) return next.value;
  }
}

async function* readSheets(
  source: Source,
  outline: OdsOutline,
  count: { cells: number; isFull: boolean },
): AsyncGenerator<Part> {
  const sheets = new SheetsInOrder(outline);
  const reader = new OdsRowReader(outline);
  const pieces = source.content(reader);
  for (let isOpen = true; isOpen && !count.isFull; ) {
    isOpen = !(await pieces.next()).done;
    for (const rows of reader.take()) {
      const tables = yield* sheets.upTo(rows.sheet);
      if (tables) yield* pushAll(tables, rows, count);
      if (count.isFull) break;
    }
  }
  await pieces.return(true);
  yield* sheets.upTo(outline.sheets.length);
}

function* pushAll(
  tables: SheetTables,
  { row, repeats, cells }: OdsRows,
  count: { cells: number; isFull: boolean },
): Generator<Part> {
  for (let at = 0; at < repeats; at++) {
    count.isFull = count.cells + cells.length > limits.maxCells;
    if (count.isFull) return;
    count.cells += cells.length;
    yield* tables.push({ row: row + at, cells });
  }
}

/** Sheets one after another, those without rows too. */
class SheetsInOrder {
  readonly #outline: OdsOutline;
  #at = -1;
  #tables: SheetTables | undefined;
  #nextTable = 0;

  constructor(outline: OdsOutline) {
    this.#outline = outline;
  }

  /** Ends the sheets before this one; its tables, or undefined where it is none that is read. */
  *upTo(sheet: number): Generator<Part, SheetTables | undefined> {
    while (this.#at < sheet) {
      if (this.#tables) {
        yield* this.#tables.end();
        this.#nextTable = this.#tables.nextTable;
      }
      this.#at += 1;
      const shape = this.#at < limits.maxSheets ? this.#outline.sheets[this.#at] : undefined;
      this.#tables = shape && !shape.isLinkedCopy ? new SheetTables(shape, this.#nextTable) : undefined;
    }
    return this.#tables;
  }
}

function nothing({ name }: SourceFile, isWhole: boolean): ParseFailure {
  return isWhole
    ? new ParseFailure('empty', `Nothing to read: ${name}: no cell in it holds anything`)
    : new ParseFailure('damaged', `Reading failed: ${name}: its content is broken: save the file again`);
}

function leftOut({ name }: SourceFile, what: string): string {
  return `${name} has more than ${what}: the rest was left out`;
}

function warning(code: string, message: string): Part {
  return { type: 'warning', warning: { code, message } };
}
