/** In which state is a document, in the words that people and programs use? */
import type { ReasonCode } from './errors.ts';
import type { DocumentRow } from './types.ts';

/** States of the ledger, from read to not read. */
export const ledgerStates = [
  'indexed', // all of it is searched
  'partly', // it is searched, but something in it was not read; its warnings say what
  'scan-waiting', // its pages are pictures, whose words must be recognised first
  'protected', // a password is needed
  'unsupported', // no parser reads this kind of content
  'broken', // its bytes break the rules of its format, or there is nothing in it
  'too-large', // over a limit on size, cells, pages, memory or expansion
  'timed-out', // reading it did not end within its time
  'unreadable', // the operating system did not give it out
  'excluded', // left out by its name, or by rules of the folder
] as const;

export type LedgerState = (typeof ledgerStates)[number];

/** What a list can be narrowed to: one state, or several that belong together. */
export const ledgerFilters = [...ledgerStates, 'searchable', 'waiting', 'failed'] as const;

export type LedgerFilter = (typeof ledgerFilters)[number];

/** Why something was left out. */
export const exclusionReasons = ['hidden', 'system', 'ignored'] as const;

export type ExclusionReason = (typeof exclusionReasons)[number];

/** A file, or a whole folder, that is not read at all. */
export interface Exclusion {
  folderId: number;
  /** Relative to its folder; a folder ends in "/" and stands for all that is in it. */
  path: string;
  reason: ExclusionReason;
}

const stateOfReason: Record<ReasonCode, LedgerState> = {
  empty: 'broken',
  'no-text': 'scan-waiting',
  encrypted: 'protected',
  damaged: 'broken',
  unsupported: 'unsupported',
  'too-large': 'too-large',
  'timed-out': 'timed-out',
  'out-of-memory': 'too-large',
  crashed: 'broken',
  unreadable: 'unreadable',
  gone: 'unreadable',
  'bad-name': 'unreadable',
};

/** Of a document that was met; what was left out has a list of its own. */
export function ledgerStateOf({
  state,
  reason,
  warnings,
}: Pick<DocumentRow, 'state' | 'reason' | 'warnings'>): LedgerState {
  if (state === 'indexed') return warnings.length > 0 ? 'partly' : 'indexed';
  if (state === 'waiting') return 'scan-waiting';
  return reason === undefined ? 'broken' : stateOfReason[reason];
}

/** Reasons that lead to a state. */
export function reasonsOf(state: LedgerState): ReasonCode[] {
  return (Object.keys(stateOfReason) as ReasonCode[]).filter((reason) => stateOfReason[reason] === state);
}

const heads = ['path', 'title', 'kind', 'state', 'reason', 'message', 'size in bytes', 'modified', 'pages'];

/** Words of a language for what the ledger writes; English where a shell gives none. */
export interface LedgerWords {
  heads: string[];
  kind(kind: NonNullable<DocumentRow['kind']>): string;
  state(state: LedgerState): string;
  reason(reason: ReasonCode | ExclusionReason): string;
}

const codes: LedgerWords = { heads, kind: String, state: String, reason: String };

/** RFC 4180 with a byte order mark, which tells Excel that it is UTF-8. */
export function ledgerCsv(rows: DocumentRow[], excluded: Exclusion[], words: LedgerWords = codes): string {
  const lines = rows.map((row) => [
    row.path,
    row.title,
    row.kind && words.kind(row.kind),
    words.state(ledgerStateOf(row)),
    row.reason && words.reason(row.reason),
    [row.message, ...row.warnings.map(({ message }) => message)].filter(Boolean).join(' '),
    row.sizeBytes,
    new Date(row.modifiedAtMs).toISOString(),
    row.pages,
  ]);
  const left = excluded.map(({ path, reason }) => [
    ...[path, '', '', words.state('excluded'), words.reason(reason)],
    ...['', '', '', ''],
  ]);
  const all = [words.heads, ...lines, ...left];
  return `\uFEFF${all.map((line) => line.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/**
 * Quoted where needed. A cell that a spreadsheet would take for a formula (file names are foreign text) is given an
 * apostrophe in front.
 */
function csvCell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
