/** Does every document end in one state, with a cause, and can the filters be summed up? */
import { describe, expect, it } from 'vitest';
import { type ReasonCode, reasonCodes } from '../../../src/api/errors.ts';
import {
  causesOf,
  countOf,
  harmlessWarnings,
  type LedgerCause,
  type LedgerState,
  ledgerFilters,
  ledgerStateOf,
  ledgerStates,
  noLedgerCounts,
  statesOf,
} from '../../../src/api/ledger.ts';
import type { DocumentState } from '../../../src/api/types.ts';

interface Told {
  state: DocumentState;
  reason?: ReasonCode;
  warnings: { code: string; message: string }[];
}

const failed = (reason: ReasonCode): Told => ({ state: 'failed', reason, warnings: [] });
const read = (...codes: string[]): Told => ({
  state: 'indexed',
  warnings: codes.map((code) => ({ code, message: code })),
});

function check(told: Told, state: LedgerState, causes: LedgerCause[]): void {
  expect(ledgerStateOf(told)).toBe(state);
  expect(causesOf(told)).toEqual(causes);
}

describe('a document that could not be read', () => {
  const states: Record<ReasonCode, LedgerState> = {
    empty: 'unreadable',
    'no-text': 'unreadable',
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
  it.each(reasonCodes)('because "%s" has its state and its cause', (reason) => {
    check(failed(reason), states[reason], [reason]);
  });

  it('without any reason is unreadable', () => {
    check({ state: 'failed', warnings: [] }, 'unreadable', ['unreadable']);
  });
});

describe('a document that was read', () => {
  const cases: [codes: string[], state: LedgerState, causes: LedgerCause[]][] = [
    [[], 'indexed', []],
    ...harmlessWarnings.map((code): [string[], LedgerState, LedgerCause[]] => [[code], 'indexed', []]),
    [['no-text'], 'partly', ['part-pictures']],
    [['pages-without-text', 'pages-with-bad-text'], 'partly', ['part-pictures']],
    [['not-recognised', 'recognised'], 'partly', ['part-pictures']],
    [['cells-left-out'], 'partly', ['part-over-limit']],
    [['too-large'], 'partly', ['part-over-limit']],
    [['out-of-memory'], 'partly', ['part-over-limit']],
    [['part-damaged', 'attachments'], 'partly', ['part-damaged', 'part-inside']],
    [['damaged'], 'partly', ['part-damaged']],
    [['timed-out'], 'partly', ['part-timed-out']],
    [['encrypted'], 'partly', ['part-protected']],
    // A loss that nobody gave words yet is no secret.
    [['code-of-tomorrow'], 'partly', ['part-unread']],
    [['constructor'], 'partly', ['part-unread']],
  ];
  it.each(cases)('with warnings %j is %s', (codes, state, causes) => check(read(...codes), state, causes));
});

describe('a document of pictures', () => {
  it('waits', () => {
    const warnings = [{ code: 'no-text', message: '' }];
    check({ state: 'waiting', reason: 'no-text', warnings }, 'scan-waiting', ['no-text']);
  });
});

describe('the filters', () => {
  const counts = Object.fromEntries(ledgerStates.map((state, index) => [state, 10 ** index]));
  const sum = (...states: LedgerState[]) => states.reduce((total, state) => total + counts[state]!, 0);

  it('add up: what is searched and what is not are everything, and what was left out is beside it', () => {
    const of = (filter: Parameters<typeof countOf>[1]) => countOf(counts as never, filter);
    expect(of('indexed') + of('waiting') + of('failed')).toBe(of(undefined));
    expect(of('incomplete')).toBe(of(undefined) - counts.indexed!);
    expect(of('partly')).toBe(sum('partly'));
    expect(of('waiting')).toBe(sum('scan-waiting'));
    expect(of('failed')).toBe(
      sum('protected', 'unsupported', 'broken', 'too-large', 'timed-out', 'unreadable'),
    );
    expect(of(undefined) + of('excluded')).toBe(sum(...ledgerStates));
  });

  it.each(ledgerFilters)('"%s" lets something through', (filter) => {
    expect(statesOf(filter).length).toBeGreaterThan(0);
  });

  it('begin at zero', () => {
    expect(countOf(noLedgerCounts(), undefined)).toBe(0);
  });
});
