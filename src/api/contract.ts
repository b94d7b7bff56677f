/** What may a shell ask of the engine, and in which words? */
import { eventIterator, oc, type } from '@orpc/contract';
import { z } from 'zod';
import { type Exclusion, type LedgerCounts, ledgerFilters } from './ledger.ts';
import { documentKinds, questionMaxLength } from './question.ts';
import type {
  AnswerEvent,
  CatalogueModel,
  Conversation,
  ConversationDetail,
  DocumentRow,
  DocumentView,
  Folder,
  IndexProgress,
  IndexSummary,
  Machine,
  ModelDownload,
  ModelInfo,
  ModelSpeed,
  Place,
  SearchResult,
  SheetRows,
  Status,
} from './types.ts';

const id = z.number().int().positive();
const range = { start: z.number().int().min(0), end: z.number().int().min(0) };
const modelId = z.string().min(1).max(200);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const documentKind = z.enum(documentKinds);

export const scope = z.object({
  folderId: id.optional(),
  documentId: id.optional(),
  path: z.string().max(4096).optional(),
  pathPart: z.string().max(4096).optional(),
  kinds: z.array(documentKind).max(documentKinds.length).optional(),
  after: day.optional(),
  before: day.optional(),
  includeArchived: z.boolean().optional(),
});

/** Which documents of the ledger are meant. */
const ledgerPart = {
  folderId: id.optional(),
  /** Only what a question in this scope is asked of; without it, archived documents too. */
  scope: scope.optional(),
  /** Part of a path or title. */
  text: z.string().max(1000).optional(),
};

const question = z.string().max(questionMaxLength);

/** Validated input, trusted output: outputs are typed, and the engine's own tests hold their shape. */
export const contract = {
  status: oc.output(type<Status>()),
  folders: {
    list: oc.output(type<Folder[]>()),
    /** Adds a folder and starts indexing it; returns at once. */
    add: oc.input(z.object({ path: z.string().min(1).max(4096) })).output(type<Folder>()),
    /** Forgets a folder and everything read from it; the files stay. */
    remove: oc.input(z.object({ id })).output(type<void>()),
    /** Reads what is new or changed, to the end. */
    index: oc.input(z.object({ id })).output(type<IndexSummary>()),
    cancel: oc.input(z.object({ id })).output(type<void>()),
    /** Latest state of every folder at work; coalesced, never a backlog. */
    progress: oc.output(eventIterator(type<IndexProgress[]>())),
  },
  documents: {
    list: oc
      .input(
        z.object({
          ...ledgerPart,
          /** Default: every document, but nothing that was left out. */
          state: z.enum(ledgerFilters).optional(),
          limit: z.number().int().min(1).max(1000).default(200),
          offset: z.number().int().min(0).default(0),
        }),
      )
      .output(type<{ total: number; rows: DocumentRow[] }>()),
    /** How many documents are in each state. */
    counts: oc.input(z.object(ledgerPart)).output(type<LedgerCounts>()),
    /** What was left out when the folders were last read, at most files.maxExclusions of each folder. */
    excluded: oc
      .input(z.object({ folderId: id.optional(), text: z.string().max(1000).optional() }))
      .output(type<Exclusion[]>()),
    view: oc.input(z.object({ id })).output(type<DocumentView>()),
    /** Where a range stands in the file as it is now. */
    locate: oc.input(z.object({ id, ...range })).output(type<Place>()),
    /** At most `count` rows from row number `from` (1-based). */
    rows: oc
      .input(
        z.object({
          id,
          sheet: z.string().max(300),
          from: z.number().int().min(1),
          count: z.number().int().min(1).max(1000),
        }),
      )
      .output(type<SheetRows>()),
    /** Reads one document again, whether or not it changed. */
    retry: oc.input(z.object({ id })).output(type<DocumentRow>()),
  },
  search: oc
    .input(
      z.object({ question, scope: scope.optional(), limit: z.number().int().min(1).max(100).default(10) }),
    )
    .output(type<SearchResult>()),
  ask: oc
    .input(
      z.object({
        question,
        scope: scope.optional(),
        /** Extractive even where a language model is installed. */
        withoutModel: z.boolean().optional(),
      }),
    )
    .output(eventIterator(type<AnswerEvent>())),
  conversations: {
    /** Newest first. */
    list: oc
      .input(z.object({ limit: z.number().int().min(1).max(500).default(50) }))
      .output(type<Conversation[]>()),
    get: oc.input(z.object({ id })).output(type<ConversationDetail>()),
    remove: oc.input(z.object({ id })).output(type<void>()),
  },
  models: {
    list: oc.output(type<ModelInfo[]>()),
    /** Compares every file with its manifest. */
    check: oc.output(type<ModelInfo[]>()),
    /** What can be had; makes no connection. */
    catalogue: oc.output(type<CatalogueModel[]>()),
    /** What the machine has and what runs where. */
    machine: oc.output(type<Machine>()),
    /** Forgets which devices failed: each model is tried on all of them at its next use. */
    resetDevices: oc.output(type<Machine>()),
    /** The only call that connects: loads a model of the catalogue from its host, in the background; goes on where an earlier one stopped. */
    download: oc.input(z.object({ id: modelId })).output(type<void>()),
    /** Stops a download; what was loaded stays for going on. */
    cancelDownload: oc.input(z.object({ id: modelId })).output(type<void>()),
    /** Latest state of every download of this run of the program; coalesced. */
    downloads: oc.output(eventIterator(type<ModelDownload[]>())),
    /** Takes a model from a folder, a .gguf file or an archive made by `exportTo`: checked, then copied. */
    importFrom: oc.input(z.object({ path: z.string().min(1).max(4096) })).output(type<ModelInfo[]>()),
    /** Writes models into one archive for another machine. */
    exportTo: oc
      .input(z.object({ ids: z.array(modelId).min(1).max(100), path: z.string().min(1).max(4096) }))
      .output(type<{ sizeBytes: number }>()),
    /** Deletes an installed model's files; the built-in one stays. */
    remove: oc.input(z.object({ id: modelId })).output(type<void>()),
    /** Makes it the one of its kind that is used. The library stays searchable meanwhile. */
    choose: oc.input(z.object({ id: modelId })).output(type<void>()),
    speedTest: oc.input(z.object({ id: modelId })).output(type<ModelSpeed>()),
  },
};

export type Contract = typeof contract;
