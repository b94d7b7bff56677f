/** Which rows does an OpenDocument sheet hold, with the texts that its program showed last? */
import { sheet as limits, odf } from '../../../config.ts';
import type { Attributes, XmlListener } from '../../zip/read-xml.ts';
import { toCellText } from '../cell-text.ts';
import type { SheetCell } from '../find-header.ts';
import { withNotes } from '../sheet-notes.ts';
import { OdsCursor } from './ods-cursor.ts';
import type { OdsOutline } from './ods-outline.ts';
import { readOdsValue, showOdsValue } from './ods-value.ts';

/** Rows that are alike and follow each other. */
export interface OdsRows {
  sheet: number;
  /** Number of the first, 1-based. */
  row: number;
  repeats: number;
  cells: SheetCell[];
}

/** Elements of a comment that aren't its words. */
const noteHead: ReadonlySet<string> = new Set(
  'dc:creator dc:date meta:date-string meta:creator-initials loext:sender-initials'.split(' '),
);

const isNote = (name: string): boolean => name === 'office:annotation' || name.startsWith('draw:');

/** Rows are taken with `take`. Words of shapes and comments stand behind those of the cell that holds them. */
export class OdsRowReader implements XmlListener {
  readonly #outline: OdsOutline;
  readonly #cursor = new OdsCursor();
  #rows: OdsRows[] = [];
  #cells: SheetCell[] = [];
  #attributes: Attributes = {};
  #rowStyle: string | undefined;
  #paragraphs: string[] = [];
  #length = 0;
  #notes: string[] = [];
  /** Of shapes that belong to the sheet and to no cell; they go to its first cell. */
  #sheetNotes: string[] = [];
  /** Undefined between paragraphs. */
  #text: string | undefined;
  #note: string[] = [];
  /** Elements of comments and shapes around. */
  #noteDepth = 0;
  #isNoteHead = false;

  constructor(outline: OdsOutline) {
    this.#outline = outline;
  }

  take(): OdsRows[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    const cursor = this.#cursor;
    if (!cursor.open(name, attributes) || cursor.depth === 0) return;
    if (isNote(name)) {
      if (this.#noteDepth === 0) this.#note = [];
      this.#noteDepth += 1;
    } else if (noteHead.has(name)) this.#isNoteHead = true;
    else if (name.startsWith('text:')) this.#openText(name, attributes);
    else if (cursor.depth > 1) return;
    else if (name === 'table:table-row') this.#openRow(attributes);
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.#openCell(attributes);
  }

  close(name: string): void {
    const cursor = this.#cursor;
    const wasInCell = cursor.isInCell;
    if (!cursor.close(name)) return;
    if (name === 'text:p' || name === 'text:h') this.#closeParagraph();
    else if (isNote(name) && this.#noteDepth > 0) {
      this.#noteDepth -= 1;
      if (this.#noteDepth === 0) this.#closeNote(wasInCell);
    } else if (noteHead.has(name)) this.#isNoteHead = false;
    else if (cursor.depth > 1) return;
    else if (name === 'table:table-cell') this.#closeCell();
    else if (name === 'table:table-row') this.#closeRow();
    else if (name === 'table:table' && cursor.depth === 0) this.#closeSheet();
  }

  text(text: string): void {
    if (this.#text === undefined || this.#isNoteHead || this.#cursor.isSkipping) return;
    const plain = text.replaceAll(/[ \t\r\n]+/g, ' ');
    const isDouble = plain.startsWith(' ') && (this.#text === '' || /\s$/.test(this.#text));
    this.#add(isDouble ? plain.slice(1) : plain);
  }

  #add(text: string): void {
    if (this.#text === undefined || this.#length > limits.maxCellLength) return;
    this.#text += text;
    this.#length += text.length;
  }

  #openText(name: string, attributes: Attributes): void {
    if (name === 'text:p' || name === 'text:h') this.#text = '';
    else if (name === 'text:s')
      this.#add(' '.repeat(Math.min(odf.maxSpaces, Number(attributes['text:c'] ?? 1) || 1)));
    else if (name === 'text:tab') this.#add(' ');
    else if (name === 'text:line-break') this.#add('\n');
  }

  #closeParagraph(): void {
    const text = this.#text ?? '';
    this.#text = undefined;
    if (this.#noteDepth > 0) this.#note.push(text);
    else this.#paragraphs.push(text);
  }

  #closeNote(isOfCell: boolean): void {
    const said = toCellText(this.#note.join(' ').replaceAll(/\s+/gu, ' ').trim());
    if (said !== '') (isOfCell ? this.#notes : this.#sheetNotes).push(said);
  }

  #openRow(attributes: Attributes): void {
    this.#cells = [];
    this.#rowStyle = attributes['table:default-cell-style-name'];
  }

  #openCell(attributes: Attributes): void {
    this.#attributes = attributes;
    [this.#paragraphs, this.#notes, this.#length] = [[], [], 0];
  }

  #closeCell(): void {
    const { column, columnRepeats, sheet } = this.#cursor;
    const value = readOdsValue(this.#attributes);
    const written = this.#paragraphs.join('\n').trim();
    const said = written === '' ? showOdsValue(value, this.#attributes) : written;
    const text = toCellText(withNotes(said, this.#notes));
    if (text.trim() === '') return;
    const style = this.#attributes['table:style-name'] ?? this.#rowStyle;
    for (let at = column; at < Math.min(column + columnRepeats, limits.maxColumns); at++) {
      const isBold = this.#outline.isBold(style ?? this.#outline.sheets[sheet]?.columnStyles[at]);
      this.#cells.push({ column: at, text, isBold, ...(value === undefined ? {} : { value }) });
    }
  }

  #closeRow(): void {
    const { sheet, row, rowRepeats } = this.#cursor;
    const hasOwn = row === 1 && this.#sheetNotes.length > 0;
    if (hasOwn) this.#push(sheet, 1, 1, this.#withSheetNotes(this.#cells));
    this.#push(sheet, hasOwn ? 2 : row, hasOwn ? rowRepeats - 1 : rowRepeats, this.#cells);
  }

  #push(sheet: number, row: number, repeats: number, cells: SheetCell[]): void {
    if (cells.length > 0 && repeats > 0) this.#rows.push({ sheet, row, repeats, cells });
  }

  #withSheetNotes(cells: SheetCell[]): SheetCell[] {
    const first = cells[0]?.column === 0 ? cells[0] : undefined;
    const text = toCellText(withNotes(first?.text ?? '', this.#sheetNotes));
    this.#sheetNotes = [];
    return [{ isBold: false, ...first, column: 0, text }, ...cells.slice(first ? 1 : 0)];
  }

  /** Shapes of a sheet without rows. */
  #closeSheet(): void {
    if (this.#sheetNotes.length > 0) this.#push(this.#cursor.sheet, 1, 1, this.#withSheetNotes([]));
  }
}
