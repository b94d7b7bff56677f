/** What do the engine and a parse worker say to each other? Plain data over one message port per task. */
import type { MessagePort } from 'node:worker_threads';
import type { DocumentKind } from '../api/types.ts';
import type { Part, SourceFile } from './document.ts';
import type { JoinedFeatures } from './embed/join-features.ts';
import type { FeatureSettings } from './embed/open-feature-reader.ts';
import type { ReadTimings } from './index-timings.ts';
import type { RecognisedPage } from './parse/recognise/recognised-page.ts';
import type { PackedBatch } from './store/pack-batch.ts';
import type { DocumentFailure, FinishedDocument } from './store/types.ts';

/** Functions that a worker entry exports, see index-worker.ts. */
export type TaskName = 'index' | 'extract' | 'view' | 'recognise' | 'unpack';

export interface IndexTask {
  file: SourceFile;
  port: MessagePort;
  /** Hash of the content that is stored now; when it is still the same nothing is read. */
  knownHash?: string;
  /** The engine answers similarity requests. */
  hasSimilarity: boolean;
  /** Features of every chunk are read for the built-in embedder. */
  features?: FeatureSettings;
  /** Folder of what was recognised, see RecognisedPages. */
  recognisedFolder?: string;
  /** What becomes of documents inside it; without it they are left alone. */
  members?: MemberSettings;
}

export interface MemberSettings {
  /** Folder that the worker makes and writes their bytes to; the engine removes it. */
  folder: string;
  /** Bytes that one of them may have. */
  maxBytes: number;
  /** Why none of them is wanted. */
  refused?: string;
}

/** A document inside another, written to a file of its own, or the reason why it could not be. */
export type HandedMember = { name: string; modifiedAtMs?: number } & (
  | { path: string; sizeBytes: number; contentHash: string }
  | { failure: DocumentFailure }
);

/** Writes one member of a document to a file. */
export interface UnpackTask {
  file: SourceFile;
  port: MessagePort;
  /** Name of the member. */
  member: string;
  /** Absolute path of the file to be written; nothing is there yet. */
  target: string;
  maxBytes: number;
}

/** A piece of a document, ready for the writer. */
export interface ReadBatch {
  packed: PackedBatch;
  /** Of its chunks, in order; absent when nobody wants them. */
  features?: JoinedFeatures;
}

export interface ExtractTask {
  file: SourceFile;
  port: MessagePort;
}

export interface ViewTask {
  file: SourceFile;
  kind: DocumentKind;
  port: MessagePort;
}

export interface RecogniseTask {
  file: SourceFile;
  port: MessagePort;
  /** Folder with the data of the languages. */
  languages: string;
  /** Pages that need it, where that is known already. */
  pages?: number[];
  /** Pages that are not done again. */
  done: number[];
}

/** From the worker. Every message is answered by one: 'similarity' and 'member' by their like, the others by 'taken'. */
export type WorkerMessage =
  | { type: 'batch'; batch: ReadBatch }
  | { type: 'parts'; parts: Part[] }
  | { type: 'recognising'; page: number }
  | { type: 'recognised'; page: RecognisedPage }
  | { type: 'member'; member: HandedMember }
  | { type: 'similarity'; id: number; sentences: string[] };

/**
 * To the worker. `values` is absent when similarity could not be had; cutting then goes on without it. `refused` says why no
 * further member is wanted.
 */
export type EngineMessage =
  | { type: 'taken' }
  | { type: 'member'; refused?: string }
  | { type: 'similarity'; id: number; values?: number[] };

export type FailedReply = { type: 'failed'; failure: DocumentFailure };

export type IndexReply =
  | FailedReply
  | { type: 'unchanged' }
  | {
      type: 'read';
      document: FinishedDocument;
      /** What was not sent as a batch; of a short document all of it. */
      rest?: ReadBatch;
      chunks: number;
      timings: ReadTimings;
    };

export type UnpackReply = FailedReply | { type: 'unpacked'; sizeBytes: number; contentHash: string };

export type ExtractReply = FailedReply | { type: 'extracted' };

/** All pages that need it, and those that are still to be done. */
export type RecogniseReply = FailedReply | { type: 'recognised'; pages: number[]; remaining: number[] };

export type ViewReply = FailedReply | { type: 'view'; bytes: Uint8Array; contentType: string };
