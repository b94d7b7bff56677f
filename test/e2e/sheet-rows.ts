/** What does the page get of a sheet that a parser read? */
import type { Anchor } from '../../src/api/anchor.ts';
import type { DocumentView, SheetHeader, SheetInfo, SheetRows } from '../../src/api/types.ts';
import { narrowSpans } from '../../src/engine/retrieve/anchors.ts';
import type { ReadDocument } from './read-parts.ts';

/** Rows as the store keeps them: displayed texts by sheet and row. */
export class Rows {
  readonly sheets: SheetInfo[] = [];
  readonly #headers = new Map<number, SheetHeader>();
  readonly #rows = new Map<string, Map<number, string[]>>();

  constructor(read: ReadDocument) {
    for (const table of read.tables) {
      const known = this.sheets.find((sheet) => sheet.name === table.name);
      if (known) known.merges.push(...table.merges);
      else {
        const { name, isHidden, merges, widths } = table;
        this.sheets.push({ name, isHidden, rows: 0, columns: 0, merges: [...merges], widths, headers: [] });
        this.#rows.set(name, new Map());
      }
    }
    for (const { row } of read.blocks) {
      const { name, columns, table } = read.tables.find((one) => one.table === row!.table)!;
      const sheet = this.sheets.find((one) => one.name === name)!;
      const known = this.#headers.get(table);
      if (known) known.lastRow = row!.row;
      else if (columns.length > 0) {
        const header = { firstRow: row!.row, lastRow: row!.row, columns };
        this.#headers.set(table, header);
        sheet.headers.push(header);
      }
      sheet.rows = Math.max(sheet.rows, row!.row);
      sheet.columns = Math.max(sheet.columns, row!.cells.length);
      this.#rows.get(name)!.set(
        row!.row,
        row!.cells.map((cell) => cell.text),
      );
    }
  }

  get(sheet: string, from: number, count: number): SheetRows {
    const rows: SheetRows['rows'] = [];
    for (let row = from; row < from + count; row++) {
      const cells = this.#rows.get(sheet)?.get(row);
      if (cells) rows.push({ row, cells });
    }
    return { rows };
  }
}

/** A document as the page is told of it, whose rows are asked for. */
export function sheetView(number: number, rows: Rows): DocumentView {
  return {
    document: {
      id: number,
      folderId: 1,
      path: 'sample.xlsx',
      title: 'Sample',
      kind: 'xlsx',
      state: 'indexed',
      ledgerState: 'indexed',
      sizeBytes: 1,
      modifiedAtMs: 0,
      language: 'en',
      isArchived: false,
      warnings: [],
    },
    absolutePath: '/sample.xlsx',
    originalUrl: `/original/${number}`,
    isChanged: false,
    sheets: rows.sheets,
  };
}

/** Where these words of the text stand. */
export function anchorsOf(read: ReadDocument, words: string): Anchor[] {
  const at = read.text.indexOf(words);
  if (at < 0) throw new Error(`"${words}" is not in the text`);
  return read.blocks.flatMap((block) =>
    narrowSpans(block.spans, at - block.offset, at + words.length - block.offset),
  );
}
