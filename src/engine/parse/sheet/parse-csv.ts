/** Which rows does a delimited file hold, and in which cell does each field stand? */
import path from 'node:path';
import { Readable } from 'node:stream';
import { type Parser as CsvParser, parse } from 'csv-parse';
import { sheet as limits } from '../../config.ts';
import { ParseFailure, type Parser, type Part } from '../../document.ts';
import { decodeText } from '../text/decode-text.ts';
import { toCellText } from './cell-text.ts';
import { type Dialect, detectDialect } from './detect-delimiter.ts';
import { readFieldValue } from './field-value.ts';
import type { SheetCell, SheetRow } from './find-header.ts';
import { SheetTables } from './sheet-tables.ts';

/** Records that are handed on together. */
const BATCH_RECORDS = 200;

/**
 * Reads comma-, semicolon-, tab- or bar-separated text record by record. Rows are numbered by record, so a line break
 * inside quotes stays in its row. Throws ParseFailure: empty, unsupported (binary content).
 */
export const parseCsv: Parser = async function* (file, signal) {
  const text = await decodeText(file, signal);
  yield { type: 'metadata', metadata: { kind: 'csv', encoding: text.encoding } };
  const sample = await readSample(text.pieces());
  const dialect = detectDialect(sample.text, sample.isWhole);
  const name = path.basename(file.name, path.extname(file.name)).normalize('NFC');
  const tables = new SheetTables({ name, isHidden: false, merges: [], widths: [] }, 0);
  const records = new Records(text.pieces, dialect);
  let cells = 0;
  let isFull = false;
  let isEmpty = true;
  for await (const batch of records.read(signal)) {
    for (const { row, fields } of batch) {
      const cut = toRow(row, fields, dialect);
      if (cut.cells.length === 0) continue;
      isEmpty = false;
      cells += cut.cells.length;
      isFull = cells > limits.maxCells;
      if (isFull) break;
      yield* tables.push(cut);
    }
    if (isFull) break;
  }
  if (isEmpty) {
    throw new ParseFailure('empty', `Nothing to read: ${file.name}: the file has no fields.`);
  }
  yield* tables.end();
  if (isFull) {
    const most = limits.maxCells.toLocaleString('en');
    yield warning('cells-left-out', `${file.name} has more than ${most} cells: the rest was left out`);
  }
  if (records.brokenQuoteLine !== undefined) {
    const line = records.brokenQuoteLine;
    yield warning(
      'quote-not-closed',
      `A quote near line ${line} is never closed: from there on quotes are read as signs`,
    );
  }
};

function warning(code: string, message: string): Part {
  return { type: 'warning', warning: { code, message } };
}

async function readSample(pieces: AsyncIterable<string>): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length > limits.sampleLength)
      return { text: text.slice(0, limits.sampleLength), isWhole: false };
  }
  return { text, isWhole: true };
}

function toRow(row: number, fields: string[], dialect: Dialect): SheetRow {
  const cells: SheetCell[] = [];
  const width = Math.min(fields.length, limits.maxColumns);
  for (let column = 0; column < width; column++) {
    const field = fields[column]!;
    if (field.trim() === '') continue;
    const text = toCellText(field);
    const value = readFieldValue(text, dialect.hasDecimalComma);
    cells.push({ column, text, isBold: false, ...(value === undefined ? {} : { value }) });
  }
  return { row, cells };
}

interface Record {
  row: number;
  fields: string[];
}

/** Records of the text; after a quote that is never closed the rest is read again without quoting. */
class Records {
  /** Line near which such a quote stands. */
  brokenQuoteLine: number | undefined;
  readonly #pieces: () => AsyncIterable<string>;
  readonly #dialect: Dialect;
  #row = 0;
  #lines: number;

  constructor(pieces: () => AsyncIterable<string>, dialect: Dialect) {
    this.#pieces = pieces;
    this.#dialect = dialect;
    this.#row = dialect.hasDirective ? 1 : 0;
    this.#lines = this.#row;
  }

  async *read(signal: AbortSignal): AsyncGenerator<Record[]> {
    if (yield* this.#pass(true, signal)) return;
    this.brokenQuoteLine = this.#lines + 1;
    yield* this.#pass(false, signal);
  }

  /** True when the text was read to its end. */
  async *#pass(hasQuotes: boolean, signal: AbortSignal): AsyncGenerator<Record[], boolean> {
    const parser = parse({
      delimiter: this.#dialect.delimiter,
      quote: hasQuotes ? '"' : false,
      from_line: this.#lines + 1,
      max_record_size: limits.maxRecordLength,
      relax_column_count: true,
      relax_quotes: true,
      info: true,
      bom: true,
    });
    const source = Readable.from(this.#pieces(), { signal });
    source.on('error', (error) => parser.destroy(error));
    source.pipe(parser);
    try {
      return yield* this.#batches(parser, signal);
    } finally {
      source.destroy();
      parser.destroy();
    }
  }

  async *#batches(parser: CsvParser, signal: AbortSignal): AsyncGenerator<Record[], boolean> {
    const iterator = parser[Symbol.asyncIterator]();
    let batch: Record[] = [];
    while (true) {
      signal.throwIfAborted();
      const next = await iterator.next().then(
        (result) => result,
        (error: { code?: string }) => {
          if (error.code?.startsWith('CSV_')) return undefined;
          throw error;
        },
      );
      if (!next || next.done) {
        yield batch;
        return next !== undefined;
      }
      const { record, info } = next.value as { record: string[]; info: { lines: number } };
      this.#row += 1;
      this.#lines = info.lines;
      batch.push({ row: this.#row, fields: record });
      if (batch.length === BATCH_RECORDS) {
        yield batch;
        batch = [];
      }
    }
  }
}
