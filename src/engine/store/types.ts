/** What does the store keep, and what can be asked of it? Implemented by Store (store.ts) over one writer thread and reader threads. */
import type { ReasonCode } from '../../api/errors.ts';
import type { Exclusion, LedgerCounts, LedgerFilter } from '../../api/ledger.ts';
import type {
  Conversation,
  ConversationDetail,
  Coverage,
  DocumentKind,
  DocumentReference,
  DocumentRow,
  DocumentState,
  DocumentWarning,
  Folder,
  Language,
  Scope,
  SheetInfo,
  SheetRows,
} from '../../api/types.ts';
import type { Block, Chunk, ChunkKind, ChunkTerms, DocumentMetadata, Span, Table } from '../document.ts';
import type { IntegrityReport } from './check-integrity.ts';
import type { PackedBatch } from './pack-batch.ts';

/** What is known of a file on disk. */
export interface FileStamp {
  /** Relative to its folder, "/" between parts. */
  path: string;
  sizeBytes: number;
  modifiedAtMs: number;
  /** Left out of search unless asked for. Default false. */
  isArchived?: boolean;
  /** Path of the file that holds it, for a document inside another. */
  container?: string;
}

/** A file as the store remembers it. */
export interface KnownFile extends FileStamp {
  documentId: number;
  state: DocumentState;
  /** SHA-256 of the content, hex; undefined when it could not be read. */
  contentHash?: string;
  parserVersion: number;
}

/** How many documents a file holds. */
export interface MemberCount {
  container: string;
  read: number;
  failed: number;
}

/** A piece of one document, as it was read; packBatch makes it ready for the writer. */
export interface DocumentBatch {
  blocks: Block[];
  tables: Table[];
  chunks: { chunk: Chunk; terms: ChunkTerms }[];
}

export interface FinishedDocument {
  metadata: DocumentMetadata & { kind: DocumentKind; title: string; language: Language };
  contentHash: string;
  warnings: DocumentWarning[];
  state: 'indexed' | 'waiting';
  reason?: ReasonCode;
  message?: string;
}

/** Why a document could not be read, as the store remembers it. */
export interface DocumentFailure {
  reason: ReasonCode;
  message: string;
  contentHash?: string;
  kind?: DocumentKind;
}

/** Vectors of a batch's chunks. */
export interface ChunkVectors {
  fingerprint: string;
  dimensions: number;
  /** One after the other, in the order of the chunks; each of unit length. */
  values: Float32Array;
}

/** A document that fits one batch, or the reason why there is none. */
export type WholeDocument = { file: FileStamp } & (
  | { batch?: PackedBatch; vectors?: ChunkVectors; finished: FinishedDocument }
  | { failure: DocumentFailure }
);

/** A chunk found by one list. */
export interface Candidate {
  chunkId: number;
  documentId: number;
  /** Keyword lists: BM25 as a positive number. Vector lists: cosine. */
  score: number;
}

/** A keyword query: any of the groups may match; each group is one word of the question. */
export interface KeywordQuery {
  /** Each with its normalised word and its stems by language of passage. */
  terms: { word: string; stems: string[] }[];
}

/** What the keyword index says to a question. */
export interface KeywordCandidates {
  /** Best first by BM25. */
  candidates: Candidate[];
  /** Σ idf·(k1+1) over the terms: the most that a chunk can score. */
  coverageScale: number;
  /** Chunks that hold each term of the query, in the query's order, nearly. */
  frequencies: number[];
  /** Chunks in the library. */
  total: number;
}

/** A chunk with what is needed to show and rank it. */
export interface StoredChunk {
  chunkId: number;
  document: DocumentReference & { language: Language; modifiedAtMs: number };
  kind: ChunkKind;
  /** Position among its document's chunks, for neighbours. */
  ordinal: number;
  start: number;
  end: number;
  text: string;
  headings: string[];
  language: Language;
}

/** A block, or a part of one, inside a range of a document. */
export interface StoredBlock {
  ordinal: number;
  kind: Block['kind'];
  /** Offset of the block in the document's normalised text. */
  start: number;
  text: string;
  spans: Span[];
  /** For rows: table number, row number, header flag, names of the columns. */
  row?: { table: number; row: number; isHeader: boolean; columns: string[] };
}

/** Which documents of the ledger are meant. */
export interface LedgerPart {
  folderId?: number;
  /** Only what a question in this scope is asked of; without it, archived documents too. */
  scope?: Scope;
  /** Part of a path or title. */
  text?: string;
}

/** Reading side; every call may be answered by any reader thread. */
export interface StoreReader {
  folders(): Promise<Folder[]>;
  /** All files known under a folder, in pages by document id; never one array for a million. Documents inside files are left out. */
  knownFiles(folderId: number, afterId: number, limit: number): Promise<KnownFile[]>;
  /** The documents inside one file, however deep, in pages by document id. */
  knownMembers(folderId: number, container: string, afterId: number, limit: number): Promise<KnownFile[]>;
  /** How many documents each file holds, in pages by path. */
  memberCounts(folderId: number, afterContainer: string, limit: number): Promise<MemberCount[]>;
  /** Documents inside files that are not there, at most `limit`. */
  orphans(folderId: number, limit: number): Promise<number[]>;
  documents(
    query: LedgerPart & {
      state?: LedgerFilter;
      /** Only those with pages whose words are still to be recognised. */
      isToRecognise?: boolean;
      limit: number;
      offset: number;
    },
  ): Promise<{ total: number; rows: DocumentRow[] }>;
  /** How many documents are in each state; none is excluded where a scope is given. */
  ledgerCounts(part: LedgerPart): Promise<LedgerCounts>;
  /** What was left out when the folders were last read. */
  exclusions(query: { folderId?: number; text?: string }): Promise<Exclusion[]>;
  document(id: number): Promise<DocumentRow | undefined>;
  documentByPath(path: string): Promise<DocumentRow | undefined>;
  contentHash(documentId: number): Promise<string | undefined>;
  sheets(documentId: number): Promise<SheetInfo[]>;
  sheetRows(documentId: number, sheet: string, from: number, count: number): Promise<SheetRows>;
  counts(scope?: Scope): Promise<Record<DocumentState, number>>;
  /** What a question in this scope searches, and what not. */
  coverage(scope?: Scope): Promise<Coverage>;
  chunkCount(): Promise<number>;
  /** Rises with every visible change of documents. */
  generation(): Promise<number>;

  /** Best first by BM25; very common words are left out while rarer ones remain. `coverageScale` is Σ idf·(k1+1) over the terms. */
  keywordCandidates(query: KeywordQuery, scope: Scope | undefined, limit: number): Promise<KeywordCandidates>;
  /** Chunks that hold the words next to each other, in order; unranked, at most `limit`. */
  phraseCandidates(words: string[], scope: Scope | undefined, limit: number): Promise<Candidate[]>;
  /**
   * Nearest first by cosine. Exact in a small library or a narrow scope; else from a nearest-neighbour file, whose finds are
   * compared exactly, with all that it lacks. The list is never falsely empty.
   */
  vectorCandidates(
    fingerprint: string,
    vector: Float32Array,
    scope: Scope | undefined,
    limit: number,
  ): Promise<Candidate[]>;
  /** Cosines of given chunks with a vector, in their order; undefined for those without. */
  cosines(fingerprint: string, vector: Float32Array, chunkIds: number[]): Promise<(number | undefined)[]>;
  /** Cosines of a vector with all chunks of a small library, with `count` at most from all over a large one, whatever their scope. */
  cosinesAnywhere(fingerprint: string, vector: Float32Array, count: number): Promise<number[]>;
  /** Vectors of given chunks, for diversity and neighbours; absent ones are left out. */
  vectors(fingerprint: string, chunkIds: number[]): Promise<Map<number, Float32Array>>;
  chunks(ids: number[]): Promise<StoredChunk[]>;
  /** Chunks of a document with ordinals in [from, to]; kinds prose, code and rows only. */
  chunksByOrdinal(documentId: number, from: number, to: number): Promise<StoredChunk[]>;
  /** Blocks that overlap [start, end), whole. */
  blocks(documentId: number, start: number, end: number): Promise<StoredBlock[]>;
  /** The same for many ranges at once: a call to a thread costs as much as reading a passage. */
  blocksOf(ranges: { documentId: number; start: number; end: number }[]): Promise<StoredBlock[][]>;
  /** How much is embedded: chunks with a vector of this fingerprint, of all. */
  vectorCoverage(fingerprint: string): Promise<{ done: number; total: number }>;
  /** Documents with chunks that lack a vector of this fingerprint: the most-asked first, then the newest; at most `limit`. */
  documentsWithoutVectors(fingerprint: string, limit: number): Promise<number[]>;
  /** Chunks of these documents without a vector of this fingerprint, document by document; at most `limit`. */
  chunksWithoutVector(
    fingerprint: string,
    documentIds: number[],
    limit: number,
  ): Promise<{ chunkId: number; text: string; headings: string[]; title: string }[]>;
  /** Every fingerprint that has vectors. */
  fingerprints(): Promise<string[]>;

  conversations(limit: number): Promise<Conversation[]>;
  conversation(id: number): Promise<ConversationDetail | undefined>;
  evaluationRun(id: string): Promise<StoredRun | undefined>;
  setting(key: string): Promise<string | undefined>;
}

export interface StoredRun {
  id: string;
  createdAtMs: number;
  /** Models, pipeline version, settings and hash of the question file, as JSON. */
  setup: string;
  measures: Record<string, number>;
  /** First rank that met the evidence, or null, by question. */
  ranks: Record<string, number | null>;
}

/** Writing side; calls are carried out in order by the one writer thread. */
export interface StoreWriter {
  addFolder(path: string, name: string): Promise<number>;
  /** One transaction for text, keyword rows, vectors and table rows. */
  removeFolder(id: number): Promise<void>;
  /** Replaces the list of what is left out of a folder. */
  setExclusions(folderId: number, list: Omit<Exclusion, 'folderId'>[]): Promise<void>;
  markFolder(id: number, mark: { isUnreachable?: boolean; indexedAtMs?: number }): Promise<void>;
  /** Starts a document that replaces the one at this path, if any, when it is finished. */
  beginDocument(folderId: number, file: FileStamp): Promise<number>;
  /** A piece of it; invisible until `finishDocument`. The bytes are handed over: the caller's own are gone. */
  appendBatch(documentId: number, batch: PackedBatch, vectors?: ChunkVectors): Promise<void>;
  /** The final row update: the new document becomes visible and the old one disappears, in one transaction. */
  finishDocument(documentId: number, result: FinishedDocument): Promise<void>;
  /** Drops what was written and remembers why; the old document at this path disappears too. */
  failDocument(documentId: number, failure: DocumentFailure): Promise<void>;
  /** Drops what was written and leaves the old document as it was. */
  abandonDocument(documentId: number): Promise<void>;
  /** Several short documents in one transaction, each as beginDocument to finishDocument would. Bytes are handed over. Returns their numbers. */
  writeDocuments(folderId: number, documents: WholeDocument[]): Promise<number[]>;
  /** Same content under new size or time: only the stamp changes. */
  touchDocument(documentId: number, file: FileStamp): Promise<void>;
  /** Has the next run read a document again, whatever its file says; it stays as it is until then. */
  distrust(documentId: number): Promise<void>;
  removeDocuments(ids: number[]): Promise<void>;
  addVectors(
    fingerprint: string,
    dimensions: number,
    rows: { chunkId: number; vector: Float32Array }[],
  ): Promise<void>;
  /** Removes at most `limit` vectors of a fingerprint, with the last of them the fingerprint; returns how many went. */
  dropVectors(fingerprint: string, limit: number): Promise<number>;
  /** Forgets the order in which vectors were written, below a number; the last one stays. */
  forgetVectorAdditions(below: number): Promise<void>;
  /** Counts these documents as found for a question. */
  countAsked(documentIds: number[]): Promise<void>;
  saveConversation(conversation: Omit<ConversationDetail, 'id'>): Promise<number>;
  removeConversation(id: number): Promise<void>;
  saveEvaluationRun(run: StoredRun): Promise<void>;
  setSetting(key: string, value: string): Promise<void>;
  /** Reads every page of the library; only the writing connection can check the keyword index. */
  checkIntegrity(): Promise<IntegrityReport>;
  /** Merges keyword segments and refreshes term frequencies after a run. */
  optimise(): Promise<void>;
}

export type StoreApi = StoreReader & StoreWriter & { close(): Promise<void> };
