/** Which rows does a table of an OpenDocument text have? */
import { odf as limits } from '../../../config.ts';
import type { Attributes } from '../../zip/read-xml.ts';
import type { FlowTableCell, FlowTableRow } from '../flow-table.ts';

/** Gathers an outermost table; tables inside a cell become that cell's text. */
export class OdfTable {
  readonly rows: FlowTableRow[] = [];
  readonly name: string;
  /** Open tables, this one included. */
  depth = 1;
  #isHeader = false;
  #row: FlowTableCell[] = [];
  #cell: string[] = [];
  /** Columns that the last cell covers in this row. */
  #covered = 0;
  #attributes: Attributes = {};

  constructor(name: string) {
    this.name = name;
  }

  add(text: string): void {
    this.#cell.push(text.trim());
  }

  open(name: string, attributes: Attributes): void {
    if (this.depth > 1) return;
    if (name === 'table:table-header-rows') this.#isHeader = true;
    else if (name === 'table:table-row') this.#row = [];
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      this.#cell = [];
      this.#attributes = attributes;
    }
  }

  close(name: string): void {
    if (this.depth > 1) return;
    if (name === 'table:table-header-rows') this.#isHeader = false;
    else if (name === 'table:table-cell') this.#closeCell();
    else if (name === 'table:covered-table-cell') this.#closeCovered();
    else if (name === 'table:table-row') this.rows.push({ cells: this.#row, isHeader: this.#isHeader });
  }

  #closeCell(): void {
    const span = count(this.#attributes['table:number-columns-spanned']);
    const isTall = count(this.#attributes['table:number-rows-spanned']) > 1;
    const repeats = count(this.#attributes['table:number-columns-repeated']);
    const text = this.#cell.join('\n');
    for (let i = 0; i < repeats && this.#row.length < limits.maxColumns; i++) {
      this.#row.push({ text, span, merge: isTall ? 'start' : 'none' });
    }
    this.#covered = span - 1;
  }

  /** Covered by the cell to the left, or else by one above. */
  #closeCovered(): void {
    for (let left = count(this.#attributes['table:number-columns-repeated']); left > 0; left--) {
      if (this.#covered > 0) this.#covered -= 1;
      else if (this.#row.length < limits.maxColumns) this.#row.push({ text: '', span: 1, merge: 'on' });
    }
  }
}

function count(value: string | undefined): number {
  const number = Number(value ?? 1);
  return Number.isInteger(number) && number > 0 ? Math.min(number, limits.maxColumns) : 1;
}
