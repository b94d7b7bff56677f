/** What is said on a sheet beside its cells: comments, and words in shapes over them? */
import { sheet as limits } from '../../config.ts';
import { type Attributes, attribute, localName, readXml, type XmlListener } from '../zip/read-xml.ts';
import { readRelations } from '../zip/relations.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { fromCellName } from './a1.ts';
import type { SheetCell, SheetRow } from './find-header.ts';

/** Notes by row, 1-based, then by column, 0-based. */
export type Notes = Map<number, Map<number, string[]>>;

/** A note behind what the cell shows, as readers of all formats write it. */
export function withNotes(text: string, notes: string[]): string {
  return [text, ...notes.map((note) => `[${note}]`)].filter((part) => part !== '').join(' ');
}

/** Adds a sheet's notes to its rows; a note on an empty cell makes a cell. */
export class SheetNotes {
  readonly #notes: Notes;
  readonly #rows: number[];
  #at = 0;

  constructor(notes: Notes = new Map()) {
    this.#notes = notes;
    this.#rows = [...notes.keys()].sort((a, b) => a - b);
  }

  /** Of the sheet that stands in this part of the workbook. */
  static async read(archive: ZipArchive, part: string, signal: AbortSignal): Promise<SheetNotes> {
    const notes: Notes = new Map();
    const relations = (await readRelations(archive, part, signal)).filter(
      ({ target, isExternal }) => !isExternal && archive.has(target),
    );
    const hear = async (wanted: string, listener: XmlListener): Promise<void> => {
      for (const { type, target } of relations)
        if (type === wanted) await readXml(archive, target, listener, signal);
    };
    await hear('threadedComment', new CommentListener(notes, threads));
    await hear('comments', new CommentListener(notes, comments));
    await hear('drawing', new ShapeListener(notes));
    return new SheetNotes(notes);
  }

  /** The row with its notes, after rows before it that hold nothing but notes. */
  *with(row: SheetRow): Generator<SheetRow> {
    yield* this.before(row.row);
    if (this.#rows[this.#at] !== row.row) {
      yield row;
      return;
    }
    this.#at += 1;
    yield { row: row.row, cells: this.#joined(row.row, row.cells) };
  }

  /** Rows of notes alone that come before this one; all that are left for Infinity. */
  *before(row: number): Generator<SheetRow> {
    for (; this.#at < this.#rows.length && this.#rows[this.#at]! < row; this.#at++) {
      const own = this.#rows[this.#at]!;
      yield { row: own, cells: this.#joined(own, []) };
    }
  }

  #joined(row: number, cells: SheetCell[]): SheetCell[] {
    const left = new Map(this.#notes.get(row));
    const joined = cells.map((cell) => {
      const notes = left.get(cell.column);
      left.delete(cell.column);
      return notes ? { ...cell, text: withNotes(cell.text, notes).slice(0, limits.maxCellLength) } : cell;
    });
    for (const [column, notes] of left) joined.push({ column, text: withNotes('', notes), isBold: false });
    return joined.sort((a, b) => a.column - b.column);
  }
}

export function addNote(notes: Notes, row: number, column: number, said: string): void {
  const text = said.replaceAll(/\s+/gu, ' ').trim().slice(0, limits.maxCellLength).normalize('NFC');
  if (text === '' || column >= limits.maxColumns || (notes.size >= limits.maxNoteRows && !notes.has(row)))
    return;
  const inRow = notes.get(row) ?? new Map<number, string[]>();
  notes.set(row, inRow.set(column, [...(inRow.get(column) ?? []), text]));
}

/** Elements of a comment and of its words. Conversations are kept twice: the older form tells only that a newer program is needed. */
const comments = { comment: 'comment', words: 't' };
const threads = { comment: 'threadedComment', words: 'text' };

/** Hears xl/comments1.xml, xl/threadedComments/threadedComment1.xml. Phonetic readings are no part of the text. */
class CommentListener implements XmlListener {
  readonly #notes: Notes;
  readonly #names: typeof comments;
  /** Cells that had comments before these, as "row column". */
  readonly #known: ReadonlySet<string>;
  #place: { row: number; column: number } | undefined;
  #text = '';
  #isText = false;

  constructor(notes: Notes, names: typeof comments) {
    this.#notes = notes;
    this.#names = names;
    this.#known = new Set(
      [...notes].flatMap(([row, cells]) => [...cells.keys()].map((column) => `${row} ${column}`)),
    );
  }

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    if (local === this.#names.comment) {
      const place = fromCellName(attribute(attributes, 'ref') ?? '');
      this.#place = place && this.#known.has(`${place.row} ${place.column}`) ? undefined : place;
      this.#text = '';
    }
    this.#isText = local === this.#names.words && this.#place !== undefined;
  }

  close(name: string): void {
    this.#isText = false;
    if (localName(name) !== this.#names.comment || !this.#place) return;
    addNote(this.#notes, this.#place.row, this.#place.column, this.#text);
    this.#place = undefined;
  }

  text(text: string): void {
    if (this.#isText && this.#text.length < limits.maxCellLength) this.#text += text;
  }
}

/** Hears xl/drawings/drawing1.xml: the words of a shape belong to the cell under its upper left corner. */
class ShapeListener implements XmlListener {
  readonly #notes: Notes;
  #element = '';
  #isFrom = false;
  #place = { row: 0, column: 0 };
  #text = '';

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  open(name: string): void {
    this.#element = localName(name);
    if (/^(twoCellAnchor|oneCellAnchor|absoluteAnchor)$/.test(this.#element)) {
      this.#text = '';
      this.#place = { row: 1, column: 0 };
    } else if (this.#element === 'from') this.#isFrom = true;
    else if (this.#element === 'p' || this.#element === 'br') this.#text += ' ';
  }

  close(name: string): void {
    const local = localName(name);
    if (local === 'from') this.#isFrom = false;
    if (/Anchor$/.test(local)) addNote(this.#notes, this.#place.row, this.#place.column, this.#text);
    this.#element = '';
  }

  text(text: string): void {
    if (this.#isFrom && this.#element === 'col') this.#place.column = Math.max(0, Number(text) || 0);
    else if (this.#isFrom && this.#element === 'row') this.#place.row = Math.max(0, Number(text) || 0) + 1;
    else if (this.#element === 't' && this.#text.length < limits.maxCellLength) this.#text += text;
  }
}
