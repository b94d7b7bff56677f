/** Which chunks does a table give, row by row? */
import { chunk as limits } from '../config.ts';
import type { Block, Chunk, Table } from '../document.ts';
import { countWords } from './count-words.ts';
import { CELL_SEPARATOR, renderRow } from './render-row.ts';

interface ColumnTotal {
  count: number;
  sum: number;
  least: number;
  most: number;
  /** Cells with text that is no number. */
  others: number;
}

/** Gathers one table's rows. Rows are never cut; header rows are said with every row and give no row of their own. */
export class TableChunker {
  private readonly table: Table;
  private readonly headings: string[];
  private readonly lines: string[] = [];
  private readonly totals: ColumnTotal[] = [];
  private words = 0;
  private rows = 0;
  /** Where the next chunk begins; the first one begins at the header. */
  private start: number | undefined;
  private end = 0;
  private first: number | undefined;
  private headerEnd = 0;

  constructor(table: Table, headings: string[]) {
    this.table = table;
    const name = table.name.trim();
    this.headings = name === '' || headings.at(-1) === name ? headings : [...headings, name];
  }

  get number(): number {
    return this.table.table;
  }

  /** Adds one row; returns the chunk that it does not fit into any more. */
  push(block: Block, offset: number): Chunk[] {
    const row = block.row!;
    this.first ??= offset;
    const end = offset + block.text.length - 1;
    if (row.isHeader) {
      if (!this.table.isSheet) this.start ??= offset;
      this.headerEnd = end;
      return [];
    }
    const text = renderRow(this.table.columns, row.cells);
    if (text === '') return [];
    this.rows++;
    if (this.table.isSheet) this.addTotals(block);
    const words = countWords(text);
    const done = this.lines.length > 0 && this.words + words > limits.maxRowWords ? this.flush() : [];
    this.start ??= offset;
    this.end = end;
    this.words += words;
    this.lines.push(text);
    return done;
  }

  /** The last rows, and for a sheet its description. */
  finish(): Chunk[] {
    const chunks = this.flush();
    if (this.first === undefined) return chunks;
    if (this.table.isSheet) chunks.push(this.describe(this.first));
    else if (this.rows === 0) chunks.push(this.headerOnly(this.first));
    return chunks;
  }

  private flush(): Chunk[] {
    if (this.lines.length === 0) return [];
    const text = this.lines.join('\n');
    const chunk: Chunk = { kind: 'rows', start: this.start!, end: this.end, text, headings: this.headings };
    this.lines.length = 0;
    this.words = 0;
    this.start = undefined;
    return [chunk];
  }

  private headerOnly(start: number): Chunk {
    const names = this.table.columns.filter((name) => name.trim() !== '');
    return {
      kind: 'rows',
      start,
      end: this.headerEnd,
      text: names.join(CELL_SEPARATOR),
      headings: this.headings,
    };
  }

  private addTotals(block: Block): void {
    block.row!.cells.slice(0, limits.maxDescribedColumns).forEach((cell, column) => {
      if (cell.text.trim() === '') return;
      this.totals[column] ??= {
        count: 0,
        sum: 0,
        least: Number.POSITIVE_INFINITY,
        most: Number.NEGATIVE_INFINITY,
        others: 0,
      };
      const total = this.totals[column];
      const number = typeof cell.value === 'number' ? cell.value : plainNumber(cell.text);
      if (number === undefined || typeof cell.value === 'string') {
        total.others++;
        return;
      }
      total.count++;
      total.sum += number;
      total.least = Math.min(total.least, number);
      total.most = Math.max(total.most, number);
    });
  }

  /** Columns, number of rows, and totals of the columns that hold numbers. */
  private describe(start: number): Chunk {
    const { columns } = this.table;
    const names = columns
      .slice(0, limits.maxDescribedColumns)
      .map((name) => name.replace(/\s+/g, ' ').trim());
    const lines = [this.table.name];
    if (names.some((name) => name !== ''))
      lines.push(`columns: ${names.filter((name) => name !== '').join(', ')}`);
    lines.push(`rows: ${this.rows}`);
    this.totals.forEach((total, column) => {
      if (total.count < 2 || total.others > total.count / 10) return;
      const name =
        names[column] === undefined || names[column] === '' ? `column ${column + 1}` : names[column];
      const [sum, least, most] = [total.sum, total.least, total.most].map(plain);
      lines.push(`${name}: sum ${sum}, from ${least} to ${most}`);
    });
    const end = Math.max(this.headerEnd, Math.min(this.end, start + 1));
    return { kind: 'sheet', start, end, text: lines.join('\n'), headings: this.headings };
  }
}

function plainNumber(text: string): number | undefined {
  return /^-?\d{1,15}([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : undefined;
}

/** Sums of cents must not read 0.30000000000000004. */
const plain = (value: number): string => String(Number(value.toFixed(6)));
