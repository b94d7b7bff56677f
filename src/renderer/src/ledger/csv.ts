/** How is the ledger written for a spreadsheet? */
import type { TFunction } from 'i18next';
import type { DocumentRow } from '../../../api/types.ts';

/**
 * Quoted where needed. A cell that a spreadsheet would take for a formula (file names are foreign text) is given an
 * apostrophe in front.
 */
function cell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 with a byte order mark, which tells Excel that it is UTF-8. */
export function ledgerCsv(rows: DocumentRow[], t: TFunction): string {
  const heads = [
    'path',
    'title',
    'kind',
    'state',
    'reason',
    'message',
    'sizeBytes',
    'modified',
    'pages',
  ] as const;
  const lines = rows.map((row) => [
    row.path,
    row.title,
    row.kind && t(`kind.${row.kind}`),
    t(`ledger.rowState.${row.state}`),
    row.reason && t(`reason.${row.reason}`),
    [row.message, ...row.warnings.map(({ message }) => message)].filter(Boolean).join(' '),
    row.sizeBytes,
    new Date(row.modifiedAtMs).toISOString(),
    row.pages,
  ]);
  const all = [heads.map((head) => t(`csv.${head}`)), ...lines];
  return `\uFEFF${all.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
}
