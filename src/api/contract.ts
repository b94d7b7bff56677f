/** What may a shell ask of the engine, and in which words? */
import { eventIterator, oc, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  AnswerEvent,
  Conversation,
  ConversationDetail,
  DocumentRow,
  DocumentView,
  Folder,
  IndexProgress,
  IndexSummary,
  ModelInfo,
  Place,
  SearchResult,
  SheetRows,
  Status,
} from './types.ts';

const id = z.number().int().positive();
const range = { start: z.number().int().min(0), end: z.number().int().min(0) };
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const documentKind = z.enum(['pdf', 'docx', 'xlsx', 'csv', 'html', 'markdown', 'text', 'code']);
export const documentState = z.enum(['indexed', 'waiting', 'failed']);

export const scope = z.object({
  folderId: id.optional(),
  documentId: id.optional(),
  path: z.string().max(4096).optional(),
  kinds: z.array(documentKind).max(20).optional(),
  after: day.optional(),
  before: day.optional(),
  includeArchived: z.boolean().optional(),
});

/** Longest question that is taken, in UTF-16 units; longer input is refused by name. */
export const questionMaxLength = 10_000;

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
          folderId: id.optional(),
          state: documentState.optional(),
          /** Part of a path or title. */
          text: z.string().max(1000).optional(),
          limit: z.number().int().min(1).max(1000).default(200),
          offset: z.number().int().min(0).default(0),
        }),
      )
      .output(type<{ total: number; rows: DocumentRow[] }>()),
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
  },
};

export type Contract = typeof contract;
