/** Which rows does a table of an XML document have, whose cells say how many rows and columns they span? */
import { xml as limits } from '../../../config.ts';
import type { Attributes } from '../../zip/read-xml.ts';
import type { FlowTableCell, FlowTableRow } from '../flow-table.ts';

export class XmlTable {
  readonly rows: FlowTableRow[] = [];
  /** Open tables, this one included. */
  depth = 1;
  #isHeader = false;
  #row: FlowTableCell[] | undefined;
  #headerCells = 0;
  #column = 0;
  /** Rows that a cell above still covers, by column. */
  readonly #covered: number[] = [];

  set isHeader(isHeader: boolean) {
    this.#isHeader = isHeader;
  }

  openRow(): void {
    this.#row = [];
    this.#column = 0;
    this.#headerCells = 0;
  }

  /** Ends a cell with its text. */
  closeCell(text: string, attributes: Attributes, isHeaderCell: boolean): void {
    const row = this.#row;
    if (!row || this.#column >= limits.maxColumns) return;
    const index = Number(attributes['ss:Index'] ?? 0);
    while (this.#column < index - 1 && this.#column < limits.maxColumns)
      this.#push({ text: '', span: 1, merge: 'none' }, 1);
    this.#fill();
    const span = count(attributes.colspan, 0) || count(attributes['ss:MergeAcross'], 1) || 1;
    const rows =
      count(attributes.rowspan, 0) ||
      count(attributes.morerows, 1) ||
      count(attributes['ss:MergeDown'], 1) ||
      1;
    if (isHeaderCell) this.#headerCells += 1;
    this.#push({ text, span, merge: rows > 1 ? 'start' : 'none' }, rows);
  }

  closeRow(): void {
    if (!this.#row) return;
    this.#fill();
    const filled = this.#row.filter(({ text }) => text.trim() !== '').length;
    if (this.rows.length < limits.maxRows) {
      this.rows.push({
        cells: this.#row,
        isHeader: this.#isHeader || (filled > 0 && this.#headerCells >= this.#row.length),
      });
    }
    this.#row = undefined;
  }

  #push(cell: FlowTableCell, rows: number): void {
    this.#row?.push(cell);
    for (let i = 0; i < cell.span; i++) this.#covered[this.#column + i] = rows - 1;
    this.#column += cell.span;
  }

  /** Cells from above that reach into this row here. */
  #fill(): void {
    while ((this.#covered[this.#column] ?? 0) > 0) {
      this.#row?.push({ text: '', span: 1, merge: 'on' });
      this.#covered[this.#column]! -= 1;
      this.#column += 1;
    }
  }
}

function count(value: string | undefined, more: number): number {
  const number = Number(value ?? 0);
  return Number.isInteger(number) && number > 0 ? Math.min(number + more, limits.maxColumns) : 0;
}
