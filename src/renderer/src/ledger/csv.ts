/** How is the ledger written for a spreadsheet, in the language of the page? */
import type { TFunction } from 'i18next';
import { type LedgerTable, ledgerCsv } from '../../../api/ledger-csv.ts';

export function csvInWords(table: LedgerTable, t: TFunction): string {
  return ledgerCsv(table, {
    column: (column) => t(`ledger.column.${column}`),
    kind: (kind) => t(`kind.${kind}`),
    state: (state) => t(`ledger.state.${state}`),
    why: (cause) => t(`ledger.why.${cause}`),
    todo: (cause) => t(`ledger.todo.${cause}`),
  });
}
