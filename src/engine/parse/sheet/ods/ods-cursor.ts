/** At which sheet, row and column of an OpenDocument sheet does an element stand? */
import type { Attributes } from '../../zip/read-xml.ts';

/** Rows that any program lets a sheet have. */
const MAX_ROWS = 1_048_576;

/** Elements in which no cell of the sheet stands: deleted rows, rules, forms, and what a program computes from. */
const skipped: ReadonlySet<string> = new Set(
  'table:tracked-changes table:content-validations table:named-expressions table:label-ranges table:dde-links table:consolidation table:calculation-settings table:scenario office:forms office:scripts office:event-listeners office:binary-data office:settings office:font-face-decls text:sequence-decls text:ruby-text svg:title svg:desc math:math draw:object meta:generator'.split(
    ' ',
  ),
);

/** Follows the elements; what stands in cells of a table inside a shape has the place of the cell that holds the shape. */
export class OdsCursor {
  /** Number of the sheet, from 0; -1 before the first. */
  sheet = -1;
  /** 1-based. */
  row = 0;
  /** Rows in a row that are as this one. */
  rowRepeats = 0;
  /** 0-based. */
  column = 0;
  /** Cells in a row that are as this one. */
  columnRepeats = 0;
  /** Between the tags of a cell. */
  isInCell = false;
  /** Tables around the element. */
  depth = 0;
  #skipDepth = 0;

  /** False for what is skipped. */
  open(name: string, attributes: Attributes): boolean {
    if (this.#skipDepth > 0 || skipped.has(name)) {
      this.#skipDepth += 1;
      return false;
    }
    if (name === 'table:table') {
      this.depth += 1;
      if (this.depth > 1) return true;
      this.sheet += 1;
      [this.row, this.rowRepeats] = [1, 0];
    } else if (this.depth !== 1) return true;
    else if (name === 'table:table-row') {
      this.row += this.rowRepeats;
      this.rowRepeats = repeats(attributes['table:number-rows-repeated'], MAX_ROWS + 1 - this.row);
      [this.column, this.columnRepeats] = [0, 0];
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      this.isInCell = true;
      this.column += this.columnRepeats;
      this.columnRepeats = repeats(attributes['table:number-columns-repeated'], MAX_ROWS);
    }
    return true;
  }

  /** False for the end of what is skipped. Row and column stay those of the element that ends. */
  close(name: string): boolean {
    if (this.#skipDepth > 0) {
      this.#skipDepth -= 1;
      return false;
    }
    if (name === 'table:table') this.depth -= 1;
    else if (this.depth === 1 && (name === 'table:table-cell' || name === 'table:covered-table-cell'))
      this.isInCell = false;
    return true;
  }

  get isSkipping(): boolean {
    return this.#skipDepth > 0;
  }
}

/** A number of repetitions, at least 1 but where nothing more has room; 1 for what is no number. */
export function repeats(value: string | undefined, most: number): number {
  const number = Number(value ?? 1);
  return Math.max(0, Math.min(Number.isInteger(number) && number > 0 ? number : 1, most));
}
