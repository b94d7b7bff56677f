/** What became of each file, why, and what can be done about it? */
import type { ReasonCode } from './errors.ts';
import type { DocumentRow } from './types.ts';

/** States of the ledger, from read to not read. */
export const ledgerStates = [
  'indexed', // all of it is searched
  'partly', // it is searched, but some of it was not read: its warnings say what
  'scan-waiting', // its pages are pictures, whose words must be recognised first
  'protected', // a password is needed
  'unsupported', // no parser reads this kind of content
  'broken', // its bytes break the rules of its format, or broke the parser
  'too-large', // over a limit on size, cells, pages, memory or expansion
  'timed-out', // reading it did not end within its time
  'unreadable', // nothing came out of it: no access, no name that can be written, gone, or empty
  'excluded', // left out on purpose: by its name, or by rules of the folder; never counted as a failure
] as const;

export type LedgerState = (typeof ledgerStates)[number];

/**
 * What a list can be narrowed to: one state, or several that belong together. `indexed`, `waiting` and `failed` are the three
 * of DocumentState, so `indexed` holds what was read in part as well; `incomplete` is all whose text is not searched whole.
 */
export const ledgerFilters = [...ledgerStates, 'waiting', 'failed', 'incomplete'] as const;

export type LedgerFilter = (typeof ledgerFilters)[number];

/** What is missing of a document that was read in part. */
export const losses = [
  'part-pictures', // pages that are pictures
  'part-over-limit', // what is over a limit
  'part-damaged', // what stands in a damaged part
  'part-inside', // an attachment, or content of another format
  'part-timed-out', // what came after its time was over
  'part-protected', // a part that needs a password
  'part-unread', // any other part
] as const;

export type Loss = (typeof losses)[number];

/** Why something was left out. */
export const exclusionReasons = [
  'hidden', // its name begins with a dot
  'system', // systems and programs keep it for themselves
  'ignored', // a rule of an ignore file excludes it
  'link', // a link that leads out of the folder, or nowhere
] as const;

export type ExclusionReason = (typeof exclusionReasons)[number];

/** Everything that keeps text from being searched; each has its words and what can be done. */
export type LedgerCause = ReasonCode | Loss | ExclusionReason;

/** A file, or a whole folder, that is not read at all. */
export interface Exclusion {
  folderId: number;
  /** Relative to its folder; a folder ends in "/" and stands for all that is in it. */
  path: string;
  reason: ExclusionReason;
}

const stateOfReason: Record<
  ReasonCode,
  Exclude<LedgerState, 'indexed' | 'partly' | 'scan-waiting' | 'excluded'>
> = {
  empty: 'unreadable',
  // Recognition was never to come; documents that wait for it have not failed.
  'no-text': 'unreadable',
  encrypted: 'protected',
  damaged: 'broken',
  unsupported: 'unsupported',
  'too-large': 'too-large',
  'timed-out': 'timed-out',
  // Both are helped by dividing the file.
  'out-of-memory': 'too-large',
  crashed: 'broken',
  unreadable: 'unreadable',
  gone: 'unreadable',
  'bad-name': 'unreadable',
};

/** Warnings of documents all of whose text is there. */
export const harmlessWarnings: readonly string[] = [
  'quote-not-closed', // its signs are read as they stand
  'recognised', // words came from pictures and may hold mistakes
  'recognised-without-language',
];

const lossOfWarning = new Map<string, Loss>([
  ...['no-text', 'bad-text', 'pages-without-text', 'pages-with-bad-text', 'not-recognised'].map(
    (code) => [code, 'part-pictures'] as const,
  ),
  ...[
    ...['cells-left-out', 'paragraphs-left-out', 'pages-cut', 'pages-over-limit'],
    ...['too-large', 'out-of-memory'],
  ].map((code) => [code, 'part-over-limit'] as const),
  ...['part-damaged', 'pages-unreadable', 'recognition-failed', 'damaged', 'crashed', 'empty'].map(
    (code) => [code, 'part-damaged'] as const,
  ),
  ...['attachments', 'part-not-read', 'table-not-read', 'unsupported'].map(
    (code) => [code, 'part-inside'] as const,
  ),
  ['timed-out', 'part-timed-out'],
  ['encrypted', 'part-protected'],
]);

/** What a warning says is missing; undefined where nothing is. A code that nobody listed counts as a loss. */
export function lossOf(code: string): Loss | undefined {
  if (harmlessWarnings.includes(code)) return undefined;
  return lossOfWarning.get(code) ?? 'part-unread';
}

type Told = Pick<DocumentRow, 'state' | 'reason' | 'warnings'>;

/** The state of a document that was met; what was left out has a list of its own. */
export function ledgerStateOf({ state, reason, warnings }: Told): LedgerState {
  if (state === 'indexed') return warnings.some(({ code }) => lossOf(code)) ? 'partly' : 'indexed';
  if (state === 'waiting') return 'scan-waiting';
  return stateOfFailure(reason);
}

/** A failure without a reason can only come from a library that was written to by something else. */
export function stateOfFailure(reason: ReasonCode | undefined): LedgerState {
  return reason === undefined ? 'unreadable' : stateOfReason[reason];
}

/** Why not all of its text is searched; empty where it is. What is missing of a document that was read comes once each. */
export function causesOf({ state, reason, warnings }: Told): LedgerCause[] {
  if (state === 'waiting') return ['no-text'];
  if (state === 'failed') return [reason ?? 'unreadable'];
  return [...new Set(warnings.flatMap(({ code }) => lossOf(code) ?? []))];
}

/** Reasons that lead to a state of documents that could not be read. */
export function reasonsOf(state: LedgerState): ReasonCode[] {
  return (Object.keys(stateOfReason) as ReasonCode[]).filter((reason) => stateOfReason[reason] === state);
}

/** How many documents are in each state; of those left out, only the listed ones count. */
export type LedgerCounts = Record<LedgerState, number>;

export function noLedgerCounts(): LedgerCounts {
  return Object.fromEntries(ledgerStates.map((state) => [state, 0])) as LedgerCounts;
}

/** States that a filter lets through; undefined lets through every document, but nothing that was left out. */
export function statesOf(filter: LedgerFilter | undefined): LedgerState[] {
  const failed = ledgerStates.filter((state) => reasonsOf(state).length > 0);
  if (filter === undefined) return ledgerStates.filter((state) => state !== 'excluded');
  if (filter === 'indexed') return ['indexed', 'partly'];
  if (filter === 'waiting') return ['scan-waiting'];
  if (filter === 'failed') return failed;
  if (filter === 'incomplete') return ['partly', 'scan-waiting', ...failed];
  return [filter];
}

/** How many documents a filter lets through. */
export function countOf(counts: LedgerCounts, filter: LedgerFilter | undefined): number {
  return statesOf(filter).reduce((sum, state) => sum + counts[state], 0);
}
