/** Which tables does an SQLite database hold? Read by SQLite itself, compiled to WebAssembly. */
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { sheet as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import type { DataPart } from './parse-database.ts';

type Value = null | number | bigint | string | Uint8Array;

/** What is used of sql.js, which carries no types. */
interface Sqlite {
  Database: new (
    bytes: Uint8Array,
  ) => { prepare(sql: string): Statement; exec(sql: string): unknown; close(): void };
}
interface Statement {
  step(): boolean;
  get(values: null, how: { useBigInt: boolean }): Value[];
  getColumnNames(): string[];
  free(): void;
}

const require = createRequire(import.meta.url);

// Bytes 18 and 19 of the header: which version writes and reads; 2 wants a log beside the file, 1 does not.
const VERSION_BYTES = [18, 19];
const WITHOUT_LOG = 1;

const TABLES = `SELECT name, sql FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`;
/** Tables in which full-text search keeps its index; what was written stands in "_content". */
const INDEX_PARTS = ['data', 'idx', 'docsize', 'config', 'segments', 'segdir', 'stat'];

/** Without virtual tables, whose modules are not here, and their index. */
function tableNames(all: [name: string, sql: string | null][]): string[] {
  const isVirtual = (sql: string | null) => /^\s*create\s+virtual/i.test(sql ?? '');
  const left = new Set(
    all.filter(([, sql]) => isVirtual(sql)).flatMap(([name]) => INDEX_PARTS.map((part) => `${name}_${part}`)),
  );
  return all.filter(([name, sql]) => !isVirtual(sql) && !left.has(name)).map(([name]) => String(name));
}

/**
 * Tables only: views could count without end. Nothing of the file runs but what a plain table needs. Throws ParseFailure:
 * too-large, damaged.
 */
export async function* readSqlite(file: SourceFile): AsyncGenerator<DataPart> {
  if (file.sizeBytes > limits.maxDatabaseBytes) {
    const most = Math.round(limits.maxDatabaseBytes / 1024 ** 2);
    throw new ParseFailure(
      'too-large',
      `The file was not read: ${file.name}: a database may have ${most} MB at most; export the tables as CSV.`,
    );
  }
  const bytes = Uint8Array.from(file.bytes ?? (await readFile(file.path)));
  for (const at of VERSION_BYTES) bytes[at] = WITHOUT_LOG;
  const init = require('sql.js/dist/sql-wasm.js') as (how: { wasmBinary: Uint8Array }) => Promise<Sqlite>;
  const wasmBinary = await readFile(require.resolve('sql.js/dist/sql-wasm.wasm'));
  const { Database } = await init({ wasmBinary });
  const database = new Database(bytes);
  try {
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;');
    const names = tableNames([...rowsOf(database.prepare(TABLES))] as [string, string | null][]);
    for (const name of names.slice(0, limits.maxSheets)) yield tableOf(database, name);
  } catch (cause) {
    if (cause instanceof ParseFailure) throw cause;
    throw new ParseFailure(
      'damaged',
      `Reading failed: ${file.name}: the database is broken or under a password: ${(cause as Error).message}`,
      { cause },
    );
  } finally {
    database.close();
  }
  if (await hasLog(file)) {
    yield { warning: `${file.name} was read without its log (-wal): the latest changes are not in it` };
  }
}

function tableOf(database: InstanceType<Sqlite['Database']>, name: string): DataPart {
  try {
    const statement = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`);
    return { name, columns: statement.getColumnNames(), rows: rowsOf(statement) };
  } catch (error) {
    return { warning: `Table "${name}" was not read: ${(error as Error).message}` };
  }
}

function* rowsOf(statement: Statement): Generator<Value[]> {
  try {
    while (statement.step()) yield statement.get(null, { useBigInt: true });
  } finally {
    statement.free();
  }
}

async function hasLog({ path }: SourceFile): Promise<boolean> {
  return stat(`${path}-wal`).then(
    ({ size }) => size > 0,
    () => false,
  );
}
