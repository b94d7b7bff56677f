/** Which paragraphs does each story of an old Word document have, as its reader sees them? */
import type { RowGrid } from '../row-grid.ts';
import { codes, propertiesOf, type Run, readCharacterRuns, readParagraphRuns, runAt } from './formatting.ts';
import { formatOf, formatOfStyle, type ParagraphFormat, readStyles, type WordStyle } from './styles.ts';
import type { WordFile } from './word-file.ts';
import { charactersAt, readWordText, type WordText } from './word-text.ts';

export type StoryName = 'body' | 'footnotes' | 'margins' | 'comments' | 'endnotes' | 'boxes' | 'marginBoxes';

export interface WordParagraph {
  text: string;
  style: WordStyle | undefined;
  format: ParagraphFormat;
  /** 0 outside of tables, 1 in a table, more in a table inside one. */
  tableDepth: number;
  /** The mark at its end is that of a cell. */
  endsCell: boolean;
  /** Its mark ends a row; it has no text of its own. */
  endsRow: boolean;
  isHeaderRow: boolean;
  grid?: RowGrid;
}

/** Characters with a meaning of their own. */
const mark = {
  cell: 7,
  line: 0x0b,
  page: 0x0c,
  paragraph: 0x0d,
  column: 0x0e,
  fieldStart: 0x13,
  fieldMiddle: 0x14,
  fieldEnd: 0x15,
};
const characters: Record<number, string> = { 9: '\t', 11: '\n', 14: '\n', 30: '-', 160: ' ' };
/** Bits of a cell's description in a row's definition. */
const GOES_ON_DOWN = 0x20;
const STARTS_DOWN = 0x40;
const CELL_BYTES = 20;
const MAX_CELLS = 64;
/** Longest instruction of a field that is kept. */
const MAX_CODE = 1_000;

/** The stories of one document. */
export class WordStories {
  readonly #file: WordFile;
  readonly #text: WordText;
  readonly #runs: Run[];
  readonly #styles: (WordStyle | undefined)[];
  readonly #styleFormats = new Map<number, ParagraphFormat>();
  /** Characters that are hidden or deleted, ascending. */
  readonly #hidden: { from: number; to: number }[];

  constructor(file: WordFile) {
    this.#file = file;
    this.#text = readWordText(file);
    this.#runs = file.isOld ? [] : readParagraphRuns(file);
    this.#styles = readStyles(file);
    this.#hidden = file.isOld ? [] : hiddenCharacters(this.#text, readCharacterRuns(file));
  }

  /** Text that stands in no story stays in the body: lengths of broken files lie. */
  *paragraphs(name: StoryName): Generator<WordParagraph> {
    const { from, to } = this.#rangeOf(name);
    const reader = new TextReader(this.#text.text, this.#hidden);
    let start = from;
    let piece = 0;
    for (let at = from; at < to; at++) {
      const code = this.#text.text.charCodeAt(at);
      const isEnd = code === mark.paragraph || code === mark.cell || code === mark.page;
      if (!isEnd && at + 1 < to) continue;
      while (this.#text.pieces[piece] && this.#text.pieces[piece]!.to <= at) piece++;
      yield this.#paragraph(reader.read(start, at + 1), code, this.#offsetOf(at, piece));
      start = at + 1;
    }
  }

  #rangeOf(name: StoryName): { from: number; to: number } {
    const { stories } = this.#file;
    const order = [
      'body',
      'footnotes',
      'margins',
      'macros',
      'comments',
      'endnotes',
      'boxes',
      'marginBoxes',
    ] as const;
    let from = 0;
    for (const story of order) {
      if (story === name) break;
      from += stories[story];
    }
    const { length } = this.#text.text;
    const isAlone = order.every((story) => story === 'body' || stories[story] === 0);
    const to = name === 'body' && isAlone ? length : from + stories[name];
    return { from: Math.min(from, length), to: Math.min(to, length) };
  }

  #offsetOf(character: number, piece: number): number {
    const found = this.#text.pieces[piece];
    return found ? found.offset + (character - found.from) * found.bytesPerCharacter : -1;
  }

  #paragraph(text: string, end: number, offset: number): WordParagraph {
    const run = runAt(this.#runs, offset);
    const paragraph: WordParagraph = {
      text,
      style: this.#styles[run?.style ?? -1],
      format: { ...this.#formatOfStyle(run?.style ?? -1), ...(run ? formatOf(run.properties) : {}) },
      tableDepth: this.#file.isOld && end === mark.cell ? 1 : 0,
      endsCell: end === mark.cell,
      endsRow: false,
      isHeaderRow: false,
    };
    if (run) readTableProperties(run.properties, paragraph);
    return paragraph;
  }

  #formatOfStyle(style: number): ParagraphFormat {
    const known = this.#styleFormats.get(style);
    if (known) return known;
    const format = formatOfStyle(this.#styles, style);
    this.#styleFormats.set(style, format);
    return format;
  }
}

function readTableProperties(properties: Buffer, paragraph: WordParagraph): void {
  for (const { code, operand } of propertiesOf(properties)) {
    if (code === codes.inTable && operand[0] === 1) paragraph.tableDepth = Math.max(1, paragraph.tableDepth);
    else if (code === codes.tableDepth) paragraph.tableDepth = Math.max(0, operand.readInt32LE(0));
    else if (code === codes.rowEnd) paragraph.endsRow = operand[0] === 1;
    else if (code === codes.tableHeader) paragraph.isHeaderRow = operand[0] === 1;
    else if (code === codes.tableDefinition) paragraph.grid = readGrid(operand);
  }
}

function readGrid(operand: Buffer): RowGrid {
  const count = Math.min(MAX_CELLS, operand[0] ?? 0);
  const edges: number[] = [];
  for (let i = 0; i <= count && 1 + i * 2 + 2 <= operand.length; i++)
    edges.push(operand.readInt16LE(1 + i * 2));
  const cellsAt = 1 + (count + 1) * 2;
  const merges = Array.from({ length: count }, (_, at) => {
    const place = cellsAt + at * CELL_BYTES;
    const flags = place + 2 <= operand.length ? operand.readUInt16LE(place) : 0;
    if ((flags & STARTS_DOWN) !== 0) return 'start' as const;
    return (flags & GOES_ON_DOWN) !== 0 ? ('on' as const) : ('none' as const);
  });
  return { edges, merges };
}

function hiddenCharacters({ pieces }: WordText, runs: readonly Run[]): { from: number; to: number }[] {
  const hidden: { from: number; to: number }[] = [];
  for (const { from, to, properties } of runs) {
    let isHidden = false;
    for (const { code, operand } of propertiesOf(properties)) {
      // 128 is "as the style says", which hides nothing by itself.
      if (code === codes.vanish || code === codes.deleted)
        isHidden ||= operand[0] === 1 || operand[0] === 129;
    }
    if (isHidden) hidden.push(...charactersAt(pieces, from, to));
  }
  return hidden.sort((one, other) => one.from - other.from);
}

/** An equation field has no result: what it draws stands in its instruction, such as a reading above a Japanese word. */
function equationText(instruction: string): string {
  if (!/^\s*EQ\b/.test(instruction)) return '';
  return instruction
    .replace(/^\s*EQ\b/, '')
    .replaceAll(/\\\*\s*(?:"[^"]*"|\S+)/g, '')
    .replaceAll(/\\\w+(?:\s*\d+(?=\())?/g, '')
    .replace(/^\s*\((.*)\)\s*$/s, '$1')
    .trim();
}

/** Reads ascending ranges of a story; fields show their results only, also where they reach over paragraphs. */
class TextReader {
  readonly #text: string;
  readonly #hidden: readonly { from: number; to: number }[];
  #next = 0;
  /** The instruction of the field that is being read. */
  #code = '';
  /** Open fields; true while their result is read. */
  readonly #fields: boolean[] = [];

  constructor(text: string, hidden: readonly { from: number; to: number }[]) {
    this.#text = text;
    this.#hidden = hidden;
  }

  read(from: number, to: number): string {
    let shown = '';
    for (let at = from; at < to; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === mark.fieldStart) {
        this.#fields.push(false);
        this.#code = '';
      } else if (code === mark.fieldMiddle && this.#fields.length > 0)
        this.#fields[this.#fields.length - 1] = true;
      else if (code === mark.fieldEnd) {
        if (this.#fields.pop() === false && !this.#fields.includes(false)) shown += equationText(this.#code);
        this.#code = '';
      } else if (this.#fields.includes(false)) {
        if (this.#code.length < MAX_CODE) this.#code += this.#text[at];
      } else if (this.#isHidden(at)) continue;
      else if (code >= 0x20 || characters[code] !== undefined) shown += characters[code] ?? this.#text[at];
    }
    return shown;
  }

  #isHidden(at: number): boolean {
    while (this.#hidden[this.#next] && this.#hidden[this.#next]!.to <= at) this.#next++;
    const range = this.#hidden[this.#next];
    return range !== undefined && range.from <= at;
  }
}
