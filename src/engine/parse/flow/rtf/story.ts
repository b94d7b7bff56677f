/** Which paragraphs and tables does one story of rich text hold: the body, a note, a header, a text box? */
import type { FlowItem } from '../flow-items.ts';
import { alignRows, type GridRow, type RowGrid } from '../row-grid.ts';

export type StoryKind = 'body' | 'box' | 'footnote' | 'margin';

/** What the paragraph marks say of the text before them. */
export interface ParagraphState {
  isInTable: boolean;
  /** 1 in a table, more in a table inside one. */
  tableDepth: number;
  isList: boolean;
  /** 1 to 9. */
  headingLevel?: number | undefined;
  isTitle: boolean;
}

/** A label of letters or figures belongs to the text; a bullet is drawn by the list. */
const isBullet = (label: string): boolean => !/[\p{L}\p{N}]/u.test(label) || /^[o§]$/u.test(label);

export class RtfStory {
  readonly kind: StoryKind;
  readonly items: FlowItem[] = [];
  #text = '';
  #label = '';
  #cell: string[] = [];
  #cells: string[] = [];
  #rows: GridRow[] = [];

  constructor(kind: StoryKind) {
    this.kind = kind;
  }

  add(text: string): void {
    this.#text += text;
  }

  addLabel(text: string): void {
    this.#label += text;
  }

  endParagraph(state: ParagraphState): void {
    const text = this.#take();
    if (state.isInTable && this.kind !== 'margin') {
      if (text !== '') this.#cell.push(text);
      return;
    }
    this.#endTable();
    if (text === '') return;
    if (this.kind === 'footnote' || this.kind === 'margin')
      this.items.push({ type: 'paragraph', kind: this.kind, text });
    else if (state.isTitle) this.items.push({ type: 'paragraph', kind: 'title', text });
    else if (state.headingLevel !== undefined) {
      this.items.push({ type: 'paragraph', kind: 'heading', text, level: state.headingLevel });
    } else this.items.push({ type: 'paragraph', kind: state.isList ? 'list-item' : 'paragraph', text });
  }

  endCell(): void {
    const text = this.#take();
    if (text !== '') this.#cell.push(text);
    this.#cells.push(this.#cell.join('\n'));
    this.#cell = [];
  }

  /** The end of a cell in a table inside a cell. */
  endInnerCell(): void {
    const text = this.#take();
    if (text !== '') this.#cell.push(text);
  }

  endRow(grid: RowGrid | undefined, isHeader: boolean): void {
    const text = this.#take();
    if (text !== '') this.#cell.push(text);
    if (this.#cell.length > 0) this.#cells.push(this.#cell.join('\n'));
    if (this.#cells.length > 0) this.#rows.push({ cells: this.#cells, grid, isHeader });
    this.#cells = [];
    this.#cell = [];
  }

  /** Everything is read. */
  end(state: ParagraphState): void {
    this.endParagraph({ ...state, isInTable: false });
    this.#endTable();
  }

  #endTable(): void {
    if (this.#cell.length > 0 || this.#cells.length > 0) this.endRow(undefined, false);
    if (this.#rows.length > 0) this.items.push({ type: 'table', rows: alignRows(this.#rows) });
    this.#rows = [];
  }

  /** The text so far behind its label; starts anew. */
  #take(): string {
    const label = this.#label.trim();
    const text = this.#text.trim();
    this.#text = '';
    this.#label = '';
    return label === '' || text === '' || isBullet(label) ? text : `${label} ${text}`;
  }
}
