/** How is the ledger written for a spreadsheet? */
import { causesOf, type Exclusion, type LedgerCause, type LedgerState } from './ledger.ts';
import type { DocumentKind, DocumentRow } from './types.ts';

const columns = [
  'folder',
  'path',
  'title',
  'kind',
  'state',
  'why',
  'todo',
  'message',
  'sizeBytes',
  'modified',
  'pages',
] as const;

export type LedgerColumn = (typeof columns)[number];

/** The words of a language. */
export interface LedgerWords {
  column(column: LedgerColumn): string;
  kind(kind: DocumentKind): string;
  state(state: LedgerState): string;
  why(cause: LedgerCause): string;
  todo(cause: LedgerCause): string;
}

export interface LedgerTable {
  rows: DocumentRow[];
  excluded: Exclusion[];
  /** Names of the folders, by number. */
  folders: ReadonlyMap<number, string>;
}

/** RFC 4180 with a byte order mark, which tells Excel that it is UTF-8. Times are UTC, as ISO 8601. */
export function ledgerCsv({ rows, excluded, folders }: LedgerTable, words: LedgerWords): string {
  const documents = rows.map((row): Line => {
    const causes = causesOf(row);
    return {
      ...{ folder: folders.get(row.folderId), path: row.path, title: row.title },
      kind: row.kind && words.kind(row.kind),
      state: words.state(row.ledgerState),
      why: causes.map(words.why).join(' '),
      todo: [...new Set(causes.map(words.todo))].join(' '),
      message: [row.message, ...row.warnings.map(({ message }) => message)].filter(Boolean).join(' '),
      ...{ sizeBytes: row.sizeBytes, modified: timeOf(row.modifiedAtMs), pages: row.pages },
    };
  });
  const leftOut = excluded.map(
    ({ folderId, path, reason }): Line => ({
      ...{ folder: folders.get(folderId), path, state: words.state('excluded') },
      ...{ why: words.why(reason), todo: words.todo(reason) },
    }),
  );
  const head = columns.map((column) => cell(words.column(column)));
  const lines = [...documents, ...leftOut].map((line) => columns.map((column) => cell(line[column])));
  return `\uFEFF${[head, ...lines].map((line) => line.join(',')).join('\r\n')}\r\n`;
}

type Line = Partial<Record<LedgerColumn, string | number | undefined>>;

/** A file may bear a time that no calendar has. */
function timeOf(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

/**
 * Quoted where needed. A cell that a spreadsheet would take for a formula (file names are foreign text) is given an
 * apostrophe in front.
 */
function cell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
