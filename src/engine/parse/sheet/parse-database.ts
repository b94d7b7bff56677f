/** Which tables and rows does a file of tables hold, SQLite or Parquet? */
import { sheet as limits } from '../../config.ts';
import { ParseFailure, type Parser, type Part } from '../../document.ts';
import { toCellText } from './cell-text.ts';
import type { SheetCell } from './find-header.ts';
import { readParquet } from './read-parquet.ts';
import { readSqlite } from './read-sqlite.ts';
import { SheetTables } from './sheet-tables.ts';

/** A table with a name for each column, of which every row has a value for each. */
export interface DataTable {
  name: string;
  columns: string[];
  rows: AsyncIterable<unknown[]> | Iterable<unknown[]>;
}

/** What a reader finds, in order. */
export type DataPart = DataTable | { warning: string };

const PARQUET_MARK = 'PAR1';

/**
 * Each table is a sheet whose first row holds the names of the columns. Throws ParseFailure: too-large, encrypted, damaged, empty,
 * unsupported.
 */
export const parseDatabase: Parser = async function* (file, signal) {
  yield { type: 'metadata', metadata: { kind: 'database' } };
  const { readHead } = await import('./read-head.ts');
  const isParquet = (await readHead(file, PARQUET_MARK.length)) === PARQUET_MARK;
  const parts = isParquet ? readParquet(file) : readSqlite(file);
  let [table, cells, isFull] = [0, 0, false];
  for await (const part of parts) {
    if ('warning' in part) {
      yield warning('table-not-read', part.warning);
      continue;
    }
    if (isFull) break;
    const shape = { name: part.name, isHidden: false, merges: [], widths: [], headerRow: 1 };
    const tables = new SheetTables(shape, table);
    const columns = part.columns.slice(0, limits.maxColumns);
    let number = 1;
    yield* tables.push({ row: number, cells: columns.flatMap((name, column) => toCell(column, name)) });
    for await (const values of untilFault(part.rows)) {
      signal.throwIfAborted();
      if (!Array.isArray(values)) {
        yield warning(
          'part-damaged',
          `Table "${part.name}" is broken: only the rows before the fault were read`,
        );
        break;
      }
      number += 1;
      const row = columns.flatMap((_, column) => toCell(column, values[column]));
      cells += row.length;
      isFull = cells > limits.maxCells;
      if (isFull) break;
      if (row.length > 0) yield* tables.push({ row: number, cells: row });
    }
    yield* tables.end();
    table = tables.nextTable;
  }
  if (table === 0) throw new ParseFailure('empty', `Nothing to read: ${file.name}: there is no table in it`);
  if (isFull) {
    const most = limits.maxCells.toLocaleString('en');
    yield warning('cells-left-out', `${file.name} has more than ${most} cells: the rest was left out`);
  }
};

/** The rows, then the fault that ended them, if one did. */
async function* untilFault(rows: DataTable['rows']): AsyncGenerator<unknown[] | { fault: unknown }> {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  while (true) {
    const next = await new Promise<IteratorResult<unknown[]>>((resolve) => resolve(iterator.next())).then(
      (result) => result,
      (fault: unknown) => ({ fault }),
    );
    if ('fault' in next) yield next;
    if ('fault' in next || next.done) return;
    yield next.value;
  }
}

function warning(code: string, message: string): Part {
  return { type: 'warning', warning: { code, message } };
}

/** None for what is empty. */
function toCell(column: number, given: unknown): SheetCell[] {
  const { text, value } = shown(given);
  const said = toCellText(text).trim();
  if (said === '') return [];
  const beneath = value === undefined ? {} : { value };
  return [{ column, text: said, isBold: false, ...beneath }];
}

function shown(value: unknown): { text: string; value?: number | string | boolean } {
  if (value === null || value === undefined) return { text: '' };
  if (typeof value === 'number' || typeof value === 'boolean') return { text: String(value), value };
  if (typeof value === 'bigint') {
    const isExact = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
    return { text: String(value), ...(isExact ? { value: Number(value) } : {}) };
  }
  if (value instanceof Date) {
    const iso = Number.isNaN(value.getTime())
      ? ''
      : value.toISOString().replace(/T00:00:00\.000Z$|\.\d+Z$/, '');
    return { text: iso.replace('T', ' '), value: iso };
  }
  if (value instanceof Uint8Array) return { text: `(${value.length.toLocaleString('en')} bytes)` };
  if (typeof value === 'object') {
    const plain = (_: string, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner);
    return { text: JSON.stringify(value, plain) };
  }
  return { text: String(value) };
}
