/** What must be known of OpenDocument sheets before their rows: names, merged cells, widths, styles? */
import { sheet as limits } from '../../../config.ts';
import type { Attributes, XmlListener } from '../../zip/read-xml.ts';
import { fromCellName } from '../a1.ts';
import type { SheetShape } from '../sheet-tables.ts';
import { OdsCursor, repeats } from './ods-cursor.ts';

export interface OdsSheet extends SheetShape {
  /** A copy of a sheet of another file, kept for formulas that refer to it: it is no sheet of this one. */
  isLinkedCopy: boolean;
  /** Style of cells that name none, by column. */
  columnStyles: (string | undefined)[];
}

/** Centimetres that a digit of the usual font takes. */
const CM_PER_CHARACTER = 0.2;
const CM_PER: Record<string, number> = {
  cm: 1,
  mm: 0.1,
  in: 2.54,
  pt: 2.54 / 72,
  pc: 2.54 / 6,
  px: 2.54 / 96,
};
/** Styles inherit from one another this many times at most. */
const MAX_PARENTS = 20;

/** Hears styles.xml and content.xml. */
export class OdsOutline implements XmlListener {
  readonly sheets: OdsSheet[] = [];
  readonly #cursor = new OdsCursor();
  readonly #bold = new Map<string, boolean>();
  readonly #parents = new Map<string, string>();
  readonly #hidden = new Set<string>();
  readonly #widths = new Map<string, number>();
  #style = '';
  #column = 0;

  /** A style of cells is bold, by itself or by one that it is made from. */
  isBold(style: string | undefined): boolean {
    let name = style;
    for (let steps = 0; name !== undefined && steps < MAX_PARENTS; steps++) {
      const own = this.#bold.get(name);
      if (own !== undefined) return own;
      name = this.#parents.get(name);
    }
    return false;
  }

  open(name: string, attributes: Attributes): void {
    if (!this.#cursor.open(name, attributes)) return;
    if (name.startsWith('style:')) this.#openStyle(name, attributes);
    else if (name === 'table:database-range') this.#openFilter(attributes);
    else if (this.#cursor.depth !== 1) return;
    else if (name === 'table:table') this.#openSheet(attributes);
    else if (name === 'table:table-source') this.sheets.at(-1)!.isLinkedCopy = true;
    else if (name === 'table:table-column') this.#openColumn(attributes);
    else if (name === 'table:table-cell') this.#openCell(attributes);
  }

  close(name: string): void {
    this.#cursor.close(name);
  }

  text(): void {}

  #openStyle(name: string, attributes: Attributes): void {
    if (name === 'style:style') {
      this.#style = attributes['style:name'] ?? '';
      const parent = attributes['style:parent-style-name'];
      if (parent !== undefined) this.#parents.set(this.#style, parent);
    } else if (name === 'style:text-properties') {
      const weight = attributes['fo:font-weight'];
      if (weight !== undefined) this.#bold.set(this.#style, weight === 'bold' || Number(weight) >= 600);
    } else if (name === 'style:table-properties') {
      if (attributes['table:display'] === 'false') this.#hidden.add(this.#style);
    } else if (name === 'style:table-column-properties') {
      const [, size, unit] = /^([\d.]+)([a-z]+)$/.exec(attributes['style:column-width'] ?? '') ?? [];
      const width = (Number(size) * (CM_PER[unit ?? ''] ?? 0)) / CM_PER_CHARACTER;
      if (width > 0) this.#widths.set(this.#style, Math.round(width * 100) / 100);
    }
  }

  #openSheet(attributes: Attributes): void {
    this.#column = 0;
    this.sheets.push({
      name: (attributes['table:name'] ?? `Sheet${this.sheets.length + 1}`).normalize('NFC'),
      isHidden: this.#hidden.has(attributes['table:style-name'] ?? ''),
      isLinkedCopy: false,
      merges: [],
      widths: [],
      columnStyles: [],
    });
  }

  /** Columns after the last one that matters are repeated to the end of the sheet: their width is only the default. */
  #openColumn(attributes: Attributes): void {
    const { widths, columnStyles } = this.sheets.at(-1)!;
    const count = repeats(attributes['table:number-columns-repeated'], limits.maxColumns);
    const width = this.#widths.get(attributes['table:style-name'] ?? '') ?? 0;
    const style = attributes['table:default-cell-style-name'];
    const last = Math.min(this.#column + count, limits.maxWidths);
    const isRest = this.#column + count >= limits.maxColumns / 16 && count > 1;
    for (let column = this.#column; column < last; column++) {
      if (!isRest) widths.push(width);
      columnStyles.push(style);
    }
    this.#column += count;
  }

  #openCell(attributes: Attributes): void {
    const columns = repeats(attributes['table:number-columns-spanned'], limits.maxColumns);
    const rows = repeats(attributes['table:number-rows-spanned'], Number.MAX_SAFE_INTEGER);
    const { merges } = this.sheets.at(-1)!;
    if (columns * rows < 2 || merges.length >= limits.maxMerges) return;
    const { row, column } = this.#cursor;
    merges.push({
      ...{ firstRow: row, lastRow: row + rows - 1 },
      ...{ firstColumn: column, lastColumn: column + columns - 1 },
    });
  }

  /** A range with buttons for a filter has its names in its first row. */
  #openFilter(attributes: Attributes): void {
    if (attributes['table:display-filter-buttons'] !== 'true') return;
    if (attributes['table:contains-header'] === 'false') return;
    const address = attributes['table:target-range-address'] ?? '';
    const [, quoted, plain, cell] =
      /^\$?(?:'((?:[^']|'')*)'|([^'.]+))\.(\$?[A-Z]+\$?\d+)/.exec(address) ?? [];
    const name = quoted?.replaceAll("''", "'") ?? plain;
    const place = fromCellName(cell ?? '');
    const sheet = this.sheets.find((one) => one.name === name?.normalize('NFC'));
    if (sheet && place && sheet.headerRow === undefined) sheet.headerRow = place.row;
  }
}
