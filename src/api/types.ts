/** Which nouns cross the border between a shell and the engine? All plain data. */
import type { Anchor } from './anchor.ts';
import type { ErrorCode, ReasonCode } from './errors.ts';
import type { LedgerState } from './ledger.ts';
import type { ModelInfo } from './model-types.ts';
import type { documentKinds } from './question.ts';

export type * from './model-types.ts';

/** Languages that Lectern treats in their own way; "und" is any other or none found. */
export type Language = 'ru' | 'en' | 'pl' | 'de' | 'es' | 'und';

/** How a document is read, which also decides the view it opens in. */
export type DocumentKind = (typeof documentKinds)[number];

/** Half-open range `[start, end)` in UTF-16 code units. */
export interface Range {
  start: number;
  end: number;
}

/** A folder that the user chose. */
export interface Folder {
  id: number;
  /** Absolute path on this machine. */
  path: string;
  /** Last part of the path, made unique among the folders. */
  name: string;
  /** Documents by state, see DocumentState. */
  counts: Record<DocumentState, number>;
  /** True when the folder can't be reached now; its documents stay. */
  isUnreachable: boolean;
  /** Milliseconds since 1970, or undefined while it was never indexed to the end. */
  indexedAtMs?: number;
}

/** indexed: searchable. waiting: needs recognition of its pictures. failed: could not be read. */
export type DocumentState = 'indexed' | 'waiting' | 'failed';

/** One row of the ledger. */
export interface DocumentRow {
  id: number;
  folderId: number;
  /** Relative to its folder, "/" between parts; a document inside another is `outer.zip » dir/inner.docx`. */
  path: string;
  /** From the document itself, else its file name. */
  title: string;
  kind?: DocumentKind;
  state: DocumentState;
  /** The same more finely, from state, reason and warnings; see ledgerStateOf. */
  ledgerState: LedgerState;
  sizeBytes: number;
  modifiedAtMs: number;
  language: Language;
  /** Pages, where the kind has them. */
  pages?: number;
  author?: string;
  /** Archived documents are left out of search unless asked for. */
  isArchived: boolean;
  reason?: ReasonCode;
  /** One line: what failed, which thing, what to do. */
  message?: string;
  /** What was read only in part. */
  warnings: DocumentWarning[];
  /** Path of the file that holds it, for a document inside another. */
  container?: string;
}

export interface DocumentWarning {
  code: string;
  message: string;
}

/** A document as a passage names it. */
export interface DocumentReference {
  id: number;
  folderId: number;
  /** Relative to its folder. */
  path: string;
  title: string;
  kind: DocumentKind;
  isArchived: boolean;
}

/** A stretch of a document that is shown as one piece. */
export interface Passage {
  document: DocumentReference;
  /** Range in the document's normalised text. */
  start: number;
  end: number;
  /** As shown: the text itself; for table rows `column: value` pairs. */
  text: string;
  /** Headings above it, outermost first. */
  headings: string[];
  /** Places in the original; at least one. */
  anchors: Anchor[];
}

/** Why a hit stands where it does. */
export interface Why {
  /** Every ranked list that held the passage. */
  lists: { name: string; rank: number; score: number }[];
  /** Stages that moved it, in words for the trace, such as "forced: exact phrase". */
  moves: string[];
}

/** A passage found by a search. */
export interface Hit extends Passage {
  /** 1-based. */
  rank: number;
  /** Fused score, 0 to 1; comparable within one search only. */
  score: number;
  /** Ranges in `text` whose words match the question. */
  matches: Range[];
  why: Why;
}

/** What was and was not searched. */
export interface Coverage {
  /** Documents searched. */
  searched: number;
  /** Documents in scope. */
  total: number;
  failed: number;
  waiting: number;
  /** Of those searched, how many were read only in part; absent in answers kept by earlier versions. */
  partly?: number;
}

/** Time of one stage of a search or an answer. */
export interface StageTime {
  stage: string;
  ms: number;
}

export interface SearchResult {
  question: string;
  /** The question as it was meant, where it was typed on the wrong keyboard layout or with look-alike letters. */
  readAs?: string;
  language: Language;
  /** Best first. */
  hits: Hit[];
  /** nothing: below the calibrated threshold, `hits` are only the nearest. */
  judgement: 'relevant' | 'nothing';
  /** keywords: no embedder is installed; hybrid: meaning is used as well. */
  method: 'keywords' | 'hybrid';
  coverage: Coverage;
  /** Which documents were asked: those chosen, narrowed by what was typed; absent when nothing narrowed them. */
  scope?: Scope;
  stages: StageTime[];
  elapsedMs: number;
}

/** How well the cited passages carry a sentence. */
export type Support = 'supported' | 'partly' | 'unsupported';

export interface AnswerSentence {
  text: string;
  /** Numbers of citations, see Citation. */
  citations: number[];
  support: Support;
  /** Why not fully supported, in the page's words: the missing numbers, dates, names. */
  missing: string[];
}

/** A numbered source of an answer. */
export interface Citation {
  /** As written in the answer, 1-based. */
  number: number;
  document: DocumentReference;
  /** Range of the quote in the document's normalised text. */
  start: number;
  end: number;
  /** The cited words as shown. */
  quote: string;
  /** First of `anchors`. */
  anchor: Anchor;
  anchors: Anchor[];
}

export type AnswerMode = 'generated' | 'extractive' | 'computed' | 'refused';

export interface Answer {
  /** The whole text with its `[n]` marks. */
  answer: string;
  /** The bare figure, name or date when one is asked for; else empty. */
  short: string;
  mode: AnswerMode;
  sentences: AnswerSentence[];
  citations: Citation[];
  coverage: Coverage;
  /** The model that wrote it. */
  model?: string;
  /** Generation ended early: what streamed is kept. */
  failure?: { code: ErrorCode; message: string };
  elapsedMs: number;
}

/** What a running answer reports, in this order. */
export type AnswerEvent =
  | { type: 'passages'; search: SearchResult }
  | { type: 'text'; text: string } // to append; batched
  | { type: 'done'; answer: Answer; conversationId: number };

/** Progress of indexing, always the latest state of every folder at work. */
export interface IndexProgress {
  folderId: number;
  phase: 'scanning' | 'reading' | 'finishing' | 'done' | 'cancelled';
  /** Files found so far. */
  found: number;
  /** Files dealt with so far. */
  processed: number;
  failed: number;
  /** Relative paths being read now. */
  current: string[];
  /** Estimate, once there is something to estimate from. */
  remainingMs?: number;
}

/** Sum of one indexing run. */
export interface IndexSummary {
  documents: number;
  indexed: number;
  unchanged: number;
  failed: number;
  removed: number;
  chunks: number;
  bytes: number;
  elapsedMs: number;
}

/** What the page needs to open an original. */
export interface DocumentView {
  document: DocumentRow;
  /** Absolute path of the file, for showing. */
  absolutePath: string;
  /** URL path of the original bytes, relative to the page's origin. */
  originalUrl: string;
  /** URL path of the prepared view (HTML with element ids, DOCX with bookmarks, text as UTF-8), where the kind has one. */
  viewUrl?: string;
  /** The file is no longer the one that was indexed. */
  isChanged: boolean;
  /** Sheets, for xlsx and csv. */
  sheets: SheetInfo[];
}

export interface SheetInfo {
  name: string;
  isHidden: boolean;
  /** Used rows and columns. */
  rows: number;
  columns: number;
  /** Merged ranges in A1 notation. */
  merges: string[];
  /** Column widths in characters, by column, 0-based; 0 where the file says nothing. */
  widths: number[];
  /** Tables of the sheet whose columns have names, from above. */
  headers: SheetHeader[];
}

/** Which rows of a sheet stand under which names. */
export interface SheetHeader {
  /** The row that holds the names, and the last that stands under them; 1-based. */
  firstRow: number;
  lastRow: number;
  /** By column, 0-based; empty where a column has none. */
  columns: string[];
}

/** Rows of a sheet as displayed. */
export interface SheetRows {
  /** Row numbers are 1-based; rows without cells are absent. */
  rows: { row: number; cells: string[] }[];
}

/** Where a range of an indexed document stands in its file now. */
export interface Place {
  /** same: the file is as indexed. moved: found again by its quote. lost: not found, light nothing. */
  state: 'same' | 'moved' | 'lost';
  anchors: Anchor[];
  /** The words that must be lit. */
  quote: string;
}

/** What the page's footer and settings show. */
export interface Status {
  version: string;
  /** Folder of the library's data. */
  libraryPath: string;
  counts: Record<DocumentState, number>;
  chunks: number;
  models: ModelInfo[];
  /** How questions are searched now. */
  method: 'keywords' | 'hybrid';
  /** Path of the sample library, where this installation carries one. */
  samplePath?: string;
}

/** One earlier question. */
export interface Conversation {
  id: number;
  question: string;
  scope?: Scope;
  askedAtMs: number;
}

/** A stored answer with what it was asked and found. */
export interface ConversationDetail extends Conversation {
  search: SearchResult;
  answer: Answer;
}

/** Which documents a question is asked of; nothing set means all that are not archived. */
export interface Scope {
  folderId?: number;
  documentId?: number;
  /** A folder or document by path, relative to any folder; used by the command line. */
  path?: string;
  /** Any part of a path, its chosen folder's name included; case, ё and the spelling of accents don't count. From a typed "in:". */
  pathPart?: string;
  kinds?: DocumentKind[];
  /** Modified or dated on or after this day, "2024-01-31". */
  after?: string;
  before?: string;
  includeArchived?: boolean;
}

/** One line of a question file. */
export interface Question {
  id: string;
  question: string;
  language?: string;
  answers?: string[];
  evidence?: Evidence[];
  unanswerable?: boolean;
  scope?: string;
  grade?: 'gold' | 'silver';
  reference?: string;
  answerType?: 'span' | 'multi-span' | 'arithmetic' | 'count';
  answerFrom?: 'table' | 'text' | 'table-text';
  scale?: string;
  /** Free label that measures are also given by. */
  group?: string;
}

export interface Evidence {
  document: string;
  /** 1-based. */
  page?: number;
  quote?: string;
  sheet?: string;
  /** A1 notation. */
  range?: string;
}

export interface EvaluationProgress {
  done: number;
  total: number;
}

export interface EvaluationResult {
  run: string;
  questions: number;
  measures: Record<string, number>;
  /** The same by group, where questions name one. */
  groups: Record<string, Record<string, number>>;
  latencyMs: { p50: number; p95: number };
  /** Questions whose first rank changed against the run compared with. */
  changes?: { id: string; before: number | null; after: number | null }[];
}
