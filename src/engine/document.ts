/** Which nouns do the engine's steps share, and what do they need of each other? */
import type { Anchor } from '../api/anchor.ts';
import { AppError, type ReasonCode } from '../api/errors.ts';
import type { DocumentKind, DocumentWarning, Language } from '../api/types.ts';

/** A file that a parser may read. Parsers run in a worker and never write. */
export interface SourceFile {
  /** Absolute path to read from. */
  path: string;
  /** File name as the user knows it; decides the kind where content can't. */
  name: string;
  sizeBytes: number;
  /** All of its content, where that was read already. */
  bytes?: Uint8Array;
  /** File of what was recognised on its pages, see parse/recognise; it may be absent. */
  recognisedPath?: string;
}

/** Where one stretch of a block's text stands in the original. */
export interface Span {
  /** Half-open range in the block's text, UTF-16 units. */
  start: number;
  end: number;
  anchor: Anchor;
  /**
   * For page anchors of a single line: where inside the box each word begins, so that a part of the line can
   * be lit. `direction` is the reading direction in user space; `at` holds pairs: offset from the span's start,
   * coordinate along that direction (x for right and left, y for up and down), in points.
   */
  stops?: { direction: 'right' | 'left' | 'up' | 'down'; at: number[] };
}

export type BlockKind =
  | 'title'
  | 'heading'
  | 'paragraph'
  | 'list-item'
  | 'row' // a table's row, cells joined by a tab
  | 'code'
  | 'footnote'
  | 'margin'; // page header or footer: kept in the text, kept out of passages

/** One piece of a document. The document's normalised text is the concatenation of its blocks' texts. */
export interface Block {
  kind: BlockKind;
  /** NFC text, ending with a line feed. */
  text: string;
  /** Outline level of a heading, 1 to 9; of code, how many of the headings before it enclose it, from 0. */
  level?: number;
  /** In ascending order, without overlap; together they cover every visible character. */
  spans: Span[];
  /** Which row of which table a 'row' block is. */
  row?: TableRow;
}

export interface TableRow {
  /** Number of the table in the document, see Table. */
  table: number;
  /** Row number in the sheet, 1-based; in a document's table, its ordinal. */
  row: number;
  /** Header rows name the columns and are not data. */
  isHeader: boolean;
  /** The row's cells from column 0; absent cells are empty. */
  cells: Cell[];
}

export interface Cell {
  /** As displayed. Empty where nothing stands. */
  text: string;
  /** Offset of `text` in the block's text. */
  start: number;
  /** The number, ISO date or boolean beneath, where it is more than its text. */
  value?: number | string | boolean;
}

/** A table, announced before its first row. */
export interface Table {
  table: number;
  /** Name of the sheet, or the caption or heading of a document's table; empty if none. */
  name: string;
  /** True for xlsx and csv, whose rows are shown as a grid. */
  isSheet: boolean;
  isHidden: boolean;
  /** Names of the columns, from one or several header rows; empty where no header was found. */
  columns: string[];
  /** Merged ranges in A1 notation. */
  merges: string[];
  /** Column widths in characters; 0 where unknown. */
  widths: number[];
}

export interface DocumentMetadata {
  kind?: DocumentKind;
  title?: string;
  author?: string;
  /** ISO date from the document's own properties. */
  date?: string;
  language?: Language;
  pages?: number;
  /** Pages, 1-based, whose text is missing or useless although something is drawn there: their words must be recognised. */
  pagesToRecognise?: number[];
  /** Character encoding of text formats. */
  encoding?: string;
}

/** A document inside another: an archive's entry, a mail's attachment, a mailbox's message. It becomes a document of its own. */
export interface Member {
  /** Its path inside, parts joined by '/': none of them empty, '.' or '..', no control characters; once in its container. */
  name: string;
  modifiedAtMs?: number;
  /** Its bytes, to be read at most once, before the parser is asked for its next part. Throws ParseFailure where they can't be had. */
  content(): AsyncIterable<Uint8Array>;
}

/** What a parser yields, in document order. Metadata parts merge, later ones win. */
export type Part =
  | { type: 'block'; block: Block }
  | { type: 'table'; table: Table }
  | { type: 'metadata'; metadata: DocumentMetadata }
  | { type: 'member'; member: Member }
  | { type: 'warning'; warning: DocumentWarning };

/** Reads one file. Throws ParseFailure when nothing can be read; otherwise yields what can be, with warnings. */
export type Parser = (file: SourceFile, signal: AbortSignal) => AsyncIterable<Part>;

/** A document can't be read. The message reads: what failed: which thing: what to do. */
export class ParseFailure extends AppError {
  readonly reason: ReasonCode;

  constructor(reason: ReasonCode, message: string, options?: { cause?: unknown }) {
    super('DOCUMENT_UNREADABLE', message, options);
    this.name = 'ParseFailure';
    this.reason = reason;
  }
}

/** prose and code are text; rows are table rows; sheet describes a whole sheet; summary stands for the document. */
export type ChunkKind = 'prose' | 'code' | 'rows' | 'sheet' | 'summary';

/** A piece of a document as it is indexed. */
export interface Chunk {
  kind: ChunkKind;
  /** Range in the document's normalised text. */
  start: number;
  end: number;
  /** As shown and embedded, without the heading path. Differs from the document's text for tables only. */
  text: string;
  /** Heading path, outermost first; for sheets the sheet's name. */
  headings: string[];
}

/** Words of a chunk as the keyword index stores them: normalised, separated by single spaces. */
export interface ChunkTerms {
  title: string;
  headings: string;
  words: string;
  stems: string;
  /** Language its stems were made by. */
  language: Language;
}

/** Turns text into vectors. */
export interface Embedder {
  /** Names model, pooling, prefixes and dimensions; vectors of different fingerprints never meet. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Longest input it reads, in its own tokens; the rest is cut. */
  readonly maxTokens: number;
  /** Unit-length vectors, one per text, in order. */
  embed(texts: string[], role: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]>;
}

/** A text as the built-in embedder reads it. */
export type { TextFeatures } from './language/embedding-features.ts';

/** Scores passages against a question; higher is better. */
export interface Reranker {
  readonly fingerprint: string;
  score(question: string, passages: string[], signal?: AbortSignal): Promise<number[]>;
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface GenerateOptions {
  maxTokens: number;
  /** 0 is greedy. */
  temperature: number;
  signal?: AbortSignal;
}

/** Writes text. */
export interface Generator {
  readonly name: string;
  /** Tokens that prompt and answer share. */
  readonly contextTokens: number;
  /** Pieces of text as they come. Ends early by throwing AppError MODEL_FAILED; what came stays valid. */
  generate(messages: ChatMessage[], options: GenerateOptions): AsyncIterable<string>;
  countTokens: TokenCounter;
}

/** Length of a text in a model's tokens. */
export type TokenCounter = (text: string) => Promise<number>;

/** Cosine similarity of each sentence with the next: n sentences give n − 1 numbers. */
export type Similarity = (sentences: string[]) => Promise<number[]>;
