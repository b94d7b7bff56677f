/** Which documents are in a state of the ledger, and how many of those that a question asks are searched? */
import type { Database } from 'better-sqlite3';
import type { ReasonCode } from '../../api/errors.ts';
import {
  harmlessWarnings,
  type LedgerCounts,
  type LedgerFilter,
  noLedgerCounts,
  reasonsOf,
  stateOfFailure,
} from '../../api/ledger.ts';
import type { Coverage, DocumentState } from '../../api/types.ts';
import type { ScopeCondition } from './scope.ts';
import type { LedgerPart } from './types.ts';

const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** What ledgerStateOf calls "partly". Its first two conditions are those of the index documents_with_warnings. */
const partly = `d.state = 'indexed' AND d.warnings <> '[]' AND EXISTS (
  SELECT 1 FROM json_each(d.warnings) WHERE ifnull(value ->> 'code', '') NOT IN (${listed(harmlessWarnings)}))`;

/** Constants alone: what a caller writes never enters it. */
export function stateCondition(filter: LedgerFilter): string {
  switch (filter) {
    case 'indexed':
    case 'failed':
      return `d.state = '${filter}'`;
    case 'waiting':
    case 'scan-waiting':
      return "d.state = 'waiting'";
    case 'partly':
      return partly;
    case 'incomplete':
      return `(d.state <> 'indexed' OR ${partly})`;
    case 'excluded':
      return 'FALSE'; // what was left out has a list of its own
    default: {
      // A failure has a reason but for one that something else wrote.
      const reasons = [...reasonsOf(filter), ...(stateOfFailure(undefined) === filter ? [''] : [])];
      return `d.state = 'failed' AND d.reason IN (${listed(reasons)})`;
    }
  }
}

/** The documents of a part of the ledger, whatever their state. */
export function ledgerCondition(part: LedgerPart, scope: ScopeCondition | undefined): ScopeCondition {
  const parts = [scope?.sql ?? 'd.is_visible = 1'];
  const values = [...(scope?.values ?? [])];
  if (part.folderId !== undefined) {
    parts.push('d.folder_id = ?');
    values.push(part.folderId);
  }
  if (part.text !== undefined && part.text.trim() !== '') {
    const pattern = `%${part.text.trim().replace(/[\\%_]/g, '\\$&')}%`;
    parts.push("(d.path LIKE ? ESCAPE '\\' OR d.title LIKE ? ESCAPE '\\')");
    values.push(pattern, pattern);
  }
  return { sql: parts.join(' AND '), values };
}

export function readLedgerCounts(
  db: Database,
  part: LedgerPart,
  scope: ScopeCondition | undefined,
): LedgerCounts {
  const { sql, values } = ledgerCondition(part, scope);
  const groups = db
    .prepare<
      (string | number)[],
      { state: DocumentState; reason: ReasonCode | ''; is_partly: number; count: number }
    >(
      `SELECT d.state AS state, d.reason AS reason, (${partly}) AS is_partly, count(*) AS count
       FROM documents d WHERE ${sql} GROUP BY 1, 2, 3`,
    )
    .all(...values);
  const counts = noLedgerCounts();
  for (const { state, reason, is_partly, count } of groups) {
    if (state === 'indexed') counts[is_partly === 1 ? 'partly' : 'indexed'] += count;
    else if (state === 'waiting') counts['scan-waiting'] += count;
    else counts[stateOfFailure(reason === '' ? undefined : reason)] += count;
  }
  return counts;
}

/** Asked with every question: only documents with warnings are looked at, which the index holds and nothing else. */
export const partlyCountSql = (condition: string): string =>
  `SELECT count(*) FROM documents d INDEXED BY documents_with_warnings WHERE ${condition} AND ${partly}`;

export function readCoverage(
  db: Database,
  { indexed, waiting, failed }: Record<DocumentState, number>,
  { sql, values }: ScopeCondition,
): Coverage {
  const inPart = db
    .prepare<(string | number)[], number>(partlyCountSql(sql))
    .pluck()
    .get(...values)!;
  return { searched: indexed, total: indexed + waiting + failed, failed, waiting, partly: inPart };
}
