/** Which rows and columns has a table of an old Word document? Its rows say where their cells begin, in twips. */
import type { Part } from '../../../document.ts';
import type { FlowParts } from '../flow-parts.ts';
import { flowTable } from '../flow-table.ts';
import { alignRows, type GridRow, type RowGrid } from '../row-grid.ts';
import type { WordParagraph } from './stories.ts';

/** Gathers the paragraphs of one table; tables inside a cell become that cell's text. */
export class DocTable {
  readonly #rows: GridRow[] = [];
  #cells: string[] = [];
  #cell: string[] = [];

  add(paragraph: WordParagraph): void {
    const { text, tableDepth, endsCell, endsRow, grid, isHeaderRow } = paragraph;
    if (endsRow && tableDepth === 1) {
      this.#endRow(grid, isHeaderRow);
      return;
    }
    // Word 6 gives no formatting here: an empty cell right behind another one ends the row.
    if (
      grid === undefined &&
      endsCell &&
      text === '' &&
      this.#cell.length === 0 &&
      this.#isUnformatted(paragraph)
    ) {
      this.#endRow(undefined, false);
      return;
    }
    if (text.trim() !== '') this.#cell.push(text.trim());
    if (!endsCell || tableDepth > 1) return;
    this.#cells.push(this.#cell.join('\n'));
    this.#cell = [];
  }

  parts(flow: FlowParts): Generator<Part> {
    if (this.#cells.length > 0 || this.#cell.length > 0) this.#endRow(undefined, false);
    return flowTable(flow, alignRows(this.#rows));
  }

  #isUnformatted({ style, format }: WordParagraph): boolean {
    return style === undefined && Object.keys(format).length === 0 && this.#cells.length > 0;
  }

  #endRow(grid: RowGrid | undefined, isHeader: boolean): void {
    if (this.#cell.length > 0) this.#cells.push(this.#cell.join('\n'));
    this.#rows.push({ cells: this.#cells, grid, isHeader });
    this.#cells = [];
    this.#cell = [];
  }
}
