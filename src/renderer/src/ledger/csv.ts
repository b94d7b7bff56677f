/** How is the ledger written for a spreadsheet, in the language of the page? */
import type { TFunction } from 'i18next';
import { ledgerCsv as csvOf, type Exclusion, exclusionReasons } from '../../../api/ledger.ts';
import type { DocumentRow } from '../../../api/types.ts';

const heads = [
  ...['path', 'title', 'kind', 'state', 'reason', 'message', 'sizeBytes', 'modified', 'pages'],
] as const;

export function ledgerCsv(rows: DocumentRow[], excluded: Exclusion[], t: TFunction): string {
  const isExclusion = (reason: string) => exclusionReasons.some((one) => one === reason);
  return csvOf(rows, excluded, {
    heads: heads.map((head) => t(`csv.${head}` as 'csv.path')),
    kind: (kind) => t(`kind.${kind}`),
    state: (state) => t(`rowState.${state}`),
    reason: (reason) =>
      t((isExclusion(reason) ? `exclusion.${reason}` : `reason.${reason}`) as 'reason.empty'),
  });
}
