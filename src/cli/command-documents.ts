/** `lectern documents`: the ledger. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import {
  type Exclusion,
  type LedgerFilter,
  type LedgerState,
  ledgerFilters,
  ledgerStates,
} from '../api/ledger.ts';
import { ledgerCsv } from '../api/ledger-csv.ts';
import type { DocumentRow } from '../api/types.ts';
import type { Engine } from '../engine/engine.ts';
import { causeInWords, englishWords, toExclusionJson, toLedgerJson } from './shapes.ts';
import { UsageError } from './usage-error.ts';
import {
  checkScope,
  type LibraryOption,
  needsLibrary,
  note,
  print,
  printJson,
  withEngine,
} from './with-engine.ts';

/** Rows read from the ledger at a time. */
const pageLength = 1000;

interface LedgerOptions extends LibraryOption {
  json?: boolean;
  state?: string;
  /** Where the table goes; "-" is the standard output. */
  csv?: string;
  scope?: string;
}

/** What was left out is listed when it is asked for, and closes the table of everything. */
export async function documents(options: LedgerOptions): Promise<void> {
  const state = toFilter(options.state);
  if (options.json && options.csv !== undefined)
    throw new UsageError("options '--json' and '--csv' exclude each other");
  await withEngine(
    options,
    async (engine) => {
      await checkScope(engine, options.scope);
      const rows = await allRows(engine, state, options.scope);
      const isWhole = state === undefined && options.scope === undefined;
      const excluded = state === 'excluded' || isWhole ? await engine.store.exclusions({}) : [];
      if (options.csv !== undefined) await writeCsv(engine, options.csv, rows, excluded);
      else if (options.json) {
        printJson([...rows.map(toLedgerJson), ...(isWhole ? [] : excluded.map(toExclusionJson))]);
      } else showLedger(rows, excluded, isWhole);
    },
    needsLibrary,
  );
}

function toFilter(state: string | undefined): LedgerFilter | undefined {
  if (state === undefined) return undefined;
  const known = ledgerFilters.find((one) => one === state);
  if (known !== undefined) return known;
  throw new UsageError(
    `option '--state' argument '${state}' is invalid: use one of ${ledgerFilters.join(', ')}`,
  );
}

async function allRows(
  { store }: Engine,
  state: LedgerFilter | undefined,
  scope: string | undefined,
): Promise<DocumentRow[]> {
  const rows: DocumentRow[] = [];
  const query = {
    ...(state === undefined ? {} : { state }),
    ...(scope === undefined ? {} : { scope: { path: scope, includeArchived: true } }),
  };
  for (;;) {
    const page = await store.documents({ ...query, limit: pageLength, offset: rows.length });
    rows.push(...page.rows);
    if (page.rows.length < pageLength) return rows;
  }
}

function showLedger(rows: DocumentRow[], excluded: Exclusion[], isWhole: boolean): void {
  for (const row of rows) print(lineOf(row.ledgerState, row.path, causeInWords(row)));
  if (isWhole) {
    if (excluded.length > 0) note(`${excluded.length} left out: see "lectern documents --state excluded"`);
    return;
  }
  for (const { path: at, reason } of excluded) {
    print(lineOf('excluded', at, `${englishWords.why(reason)} ${englishWords.todo(reason)}`));
  }
}

const stateWidth = Math.max(...ledgerStates.map((state) => state.length));

/** A file's name may hold line breaks. */
const lineOf = (state: LedgerState, at: string, why: string): string =>
  `${state.padEnd(stateWidth)} ${at.replaceAll(/\p{Cc}/gu, '�')}${why === '' ? '' : `: ${why}`}`;

async function writeCsv(
  { store }: Engine,
  file: string,
  rows: DocumentRow[],
  excluded: Exclusion[],
): Promise<void> {
  const folders = new Map((await store.folders()).map(({ id, name }) => [id, name]));
  const table = ledgerCsv({ rows, excluded, folders }, englishWords);
  if (file === '-') {
    process.stdout.write(table);
    return;
  }
  try {
    await writeFile(path.resolve(file), table);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new AppError(
      'BAD_REQUEST',
      `Writing the table failed: ${file}: the system refuses it (${code}); give another place.`,
      { cause },
    );
  }
}
