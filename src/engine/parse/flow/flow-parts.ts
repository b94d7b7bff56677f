/** How does a parser that walks a document itself make blocks whose places stand in the page that Lectern draws of it? */
import type { ElementAnchor } from '../../../api/anchor.ts';
import type { Block, BlockKind, Cell, Part, Span, Table } from '../../document.ts';

/** A cell of a row, as displayed. `repeats`: what a cell above, which reaches down here, says in this row too. */
export type FlowCell = string | { text: string; value?: Cell['value']; repeats?: ElementAnchor | undefined };

/**
 * Makes blocks with element anchors "b1", "b2", … in the order of the calls; the page drawn from the same blocks (flow-page.ts) writes these
 * identifiers on its elements, so that offsets in a block's text are offsets in its element. One per document.
 */
export class FlowParts {
  #elements = 0;
  #tables = 0;

  /** A block of prose, or undefined where there is nothing to read in it. Line feeds inside stay. */
  block(kind: Exclude<BlockKind, 'row'>, text: string, level?: number): Part | undefined {
    const clean = cleanText(text, kind === 'code');
    if (clean.trim() === '') return undefined;
    const path = this.#next();
    const span: Span = {
      start: 0,
      end: clean.length,
      anchor: { kind: 'element', path, start: 0, end: clean.length },
    };
    const block: Block = {
      kind,
      text: `${clean}\n`,
      spans: [span],
      ...(level === undefined ? {} : { level: Math.min(9, Math.max(1, level)) }),
    };
    return { type: 'block', block };
  }

  /** Announces a table; its number goes to `row`. */
  table(columns: string[], name = ''): { part: Part; table: number } {
    this.#tables += 1;
    const table: Table = {
      table: this.#tables,
      name: oneLine(name),
      isSheet: false,
      isHidden: false,
      columns: columns.map(oneLine),
      merges: [],
      widths: [],
    };
    return { part: { type: 'table', table }, table: this.#tables };
  }

  /** A row of a table, or undefined where all its cells are empty. `row` is its ordinal from 1. */
  row(table: number, row: number, cells: readonly FlowCell[], isHeader: boolean): Part | undefined {
    const spans: Span[] = [];
    const made: Cell[] = [];
    let text = '';
    for (const [column, cell] of cells.entries()) {
      if (column > 0) text += '\t';
      const shown = oneLine(typeof cell === 'string' ? cell : cell.text);
      const value = typeof cell === 'string' ? undefined : cell.value;
      made.push({ text: shown, start: text.length, ...(value === undefined ? {} : { value }) });
      if (shown !== '') {
        const repeats = typeof cell === 'string' ? undefined : cell.repeats;
        const anchor = repeats ?? {
          kind: 'element' as const,
          path: this.#next(),
          start: 0,
          end: shown.length,
        };
        spans.push({ start: text.length, end: text.length + shown.length, anchor });
      }
      text += shown;
    }
    if (spans.length === 0) return undefined;
    const block: Block = {
      kind: 'row',
      text: `${text}\n`,
      spans,
      row: { table, row, isHeader, cells: made },
    };
    return { type: 'block', block };
  }

  #next(): string {
    this.#elements += 1;
    return `b${this.#elements}`;
  }
}

/** NFC, no control characters but line feed and tab, no half characters, no white space at either end; code keeps its indent. */
function cleanText(text: string, isCode = false): string {
  const clean = text
    .replaceAll(/\r\n?/gu, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|\p{Cs}|\u00ad|\ufeff/gu, '')
    .normalize('NFC');
  return isCode ? clean.replace(/^(?:[ \t]*\n)+/u, '').trimEnd() : clean.trim();
}

function oneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/gu, ' ');
}
