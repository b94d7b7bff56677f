/** Which blocks does a note (org, rst, asciidoc, tex) hold, and where do they stand? */
import { text as limits } from '../../config.ts';
import type { Block, BlockKind, Cell, DocumentMetadata, Parser, Part, Span } from '../../document.ts';
import { extensionOf } from '../kinds.ts';
import { blockOfLines } from './block-of-lines.ts';
import { decodeText, type Line, readLines } from './decode-text.ts';
import { dialectOf, type LineRole, type NoteDialect } from './note-dialects.ts';

/** Text stays as it is written, markup and all, so that its words are those of the view; headings and cells are read out of it. */
export const parseNote: Parser = async function* (file, signal) {
  const { encoding, pieces } = await decodeText(file, signal);
  yield { type: 'metadata', metadata: { kind: 'note', encoding } };
  const reader = new NoteReader(dialectOf(extensionOf(file.name)));
  for await (const lines of readLines(pieces())) {
    signal.throwIfAborted();
    for (const line of lines) reader.read(line);
    yield* reader.take();
  }
  reader.end();
  yield* reader.take();
};

type LineKind = Exclude<BlockKind, 'row' | 'heading' | 'title'>;

interface NoteRow {
  line: Line;
  cells: string[];
  /** Rules or a blank line stand below it. */
  isParted: boolean;
}

class NoteReader {
  readonly #dialect: NoteDialect;
  #parts: Part[] = [];
  #kind: LineKind = 'paragraph';
  #lines: Line[] = [];
  #length = 0;
  #rows: NoteRow[] = [];
  #tables = 0;
  #isFenceEnd: ((text: string) => boolean) | undefined;
  /** Marks of underlines in the order they were met: each is a level deeper. */
  readonly #marks: string[] = [];
  #metadata: DocumentMetadata = {};

  constructor(dialect: NoteDialect) {
    this.#dialect = dialect;
  }

  take(): Part[] {
    return this.#parts.splice(0);
  }

  end(): void {
    this.#flush();
    this.#endTable();
  }

  read(line: Line): void {
    if (this.#isFenceEnd) {
      if (!this.#isFenceEnd(line.text)) {
        this.#add('code', line);
        return;
      }
      this.#flush();
      const wasIndented = this.#dialect(line.text, undefined).role;
      this.#isFenceEnd = undefined;
      // A fence that ends with its indent ends at the first line behind it, which is text of its own.
      if (wasIndented === 'fence' || wasIndented === 'margin' || /end_|\\end\{/i.test(line.text)) return;
    }
    this.#take(
      line,
      this.#dialect(
        line.text,
        this.#lines.length === 1 && this.#kind === 'paragraph' ? this.#lines[0]!.text : undefined,
      ),
    );
  }

  #take(line: Line, found: LineRole): void {
    if (found.role === 'row') {
      this.#flush();
      this.#rows.push({ line, cells: found.cells, isParted: false });
      return;
    }
    if (found.role === 'rule' || found.role === 'blank') {
      this.#flush();
      const last = this.#rows.at(-1);
      if (last) last.isParted = true;
      return;
    }
    this.#endTable();
    if (found.role === 'underline') this.#underline(line, found.mark);
    else if (found.role === 'heading') this.#heading(line, found.text, found.level);
    else if (found.role === 'title') this.#title(line, found.text);
    else if (found.role === 'fence') {
      this.#flush();
      this.#isFenceEnd = found.isEnd;
    } else if (found.role === 'margin') {
      if (found.property && found.value) this.#property({ [found.property]: found.value });
      this.#add('margin', line);
    } else if (found.role === 'item') {
      this.#flush();
      this.#add('list-item', line);
    } else this.#add(this.#kind === 'list-item' && this.#lines.length > 0 ? 'list-item' : 'paragraph', line);
  }

  #add(kind: LineKind, line: Line): void {
    const isFull =
      this.#length + line.text.length > limits.maxBlockLength || this.#lines.length >= limits.maxBlockLines;
    if (kind !== this.#kind || isFull) this.#flush();
    this.#kind = kind;
    this.#lines.push(line);
    this.#length += line.text.length + 1;
  }

  #flush(): void {
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    while (lines.length > 0 && lines.at(-1)!.text.trim() === '') lines.pop();
    if (lines.some(({ text }) => text.trim() !== '')) {
      this.#parts.push({
        type: 'block',
        block: blockOfLines(this.#kind, lines, this.#kind === 'code' ? 0 : undefined),
      });
    }
    this.#kind = 'paragraph';
  }

  #underline(line: Line, mark: string): void {
    const [title] = this.#lines;
    this.#lines = [];
    this.#length = 0;
    if (!this.#marks.includes(mark)) this.#marks.push(mark);
    if (title) this.#heading(title, title.text.trim(), this.#marks.indexOf(mark) + 1, line);
  }

  #heading(line: Line, text: string, level: number, last = line): void {
    this.#flush();
    if (text.trim() === '') return;
    const block = wordsOfLine('heading', line, text.trim(), last);
    this.#parts.push({ type: 'block', block: { ...block, level: Math.min(9, level) } });
    if (level === 1 && this.#metadata.title === undefined) this.#property({ title: text.trim() });
  }

  #title(line: Line, text: string): void {
    this.#flush();
    if (text.trim() === '') return;
    this.#property({ title: text.trim() });
    this.#parts.push({ type: 'block', block: wordsOfLine('title', line, text.trim(), line) });
  }

  #property({ title, author, date }: { title?: string; author?: string; date?: string }): void {
    const day = /\d{4}-\d{2}-\d{2}/.exec(date ?? '')?.[0];
    const metadata = {
      ...(title ? { title } : {}),
      ...(author ? { author } : {}),
      ...(day ? { date: day } : {}),
    };
    Object.assign(this.#metadata, metadata);
    this.#parts.push({ type: 'metadata', metadata });
  }

  /** A rule or a gap under the first row makes it the header. */
  #endTable(): void {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return;
    const hasHeader = rows[0]!.isParted && rows.length > 1;
    this.#tables += 1;
    const table = {
      table: this.#tables,
      name: '',
      isSheet: false,
      isHidden: false,
      columns: hasHeader ? rows[0]!.cells : [],
      merges: [],
      widths: [],
    };
    this.#parts.push({ type: 'table', table });
    for (const [at, row] of rows.entries()) {
      const block = rowBlock(row, this.#tables, at + 1, hasHeader && at === 0);
      if (block.spans.length > 0) this.#parts.push({ type: 'block', block });
    }
  }
}

/** Words that were read out of a line and stand on it. */
function wordsOfLine(kind: 'heading' | 'title', line: Line, words: string, last: Line): Block {
  const anchor = { kind: 'lines', from: line.number, to: last.number } as const;
  return { kind, text: `${words}\n`, spans: [{ start: 0, end: words.length, anchor }] };
}

function rowBlock({ line, cells }: NoteRow, table: number, row: number, isHeader: boolean): Block {
  const made: Cell[] = [];
  const spans: Span[] = [];
  let text = '';
  for (const [column, cell] of cells.entries()) {
    if (column > 0) text += '\t';
    made.push({ text: cell, start: text.length });
    const anchor = { kind: 'lines', from: line.number, to: line.number } as const;
    if (cell !== '') spans.push({ start: text.length, end: text.length + cell.length, anchor });
    text += cell;
  }
  return { kind: 'row', text: `${text}\n`, spans, row: { table, row, isHeader, cells: made } };
}
