/** What do the engine and a parse worker say to each other? Plain data over one message port per task. */
import type { MessagePort } from 'node:worker_threads';
import type { DocumentKind } from '../api/types.ts';
import type { Part, SourceFile } from './document.ts';
import type { JoinedFeatures } from './embed/join-features.ts';
import type { FeatureSettings } from './embed/open-feature-reader.ts';
import type { ReadTimings } from './index-timings.ts';
import type { PackedBatch } from './store/pack-batch.ts';
import type { DocumentFailure, FinishedDocument } from './store/types.ts';

/** Functions that a worker entry exports, see index-worker.ts. */
export type TaskName = 'index' | 'extract' | 'view';

export interface IndexTask {
  file: SourceFile;
  port: MessagePort;
  /** Hash of the content that is stored now; when it is still the same nothing is read. */
  knownHash?: string;
  /** The engine answers similarity requests. */
  hasSimilarity: boolean;
  /** Features of every chunk are read for the built-in embedder. */
  features?: FeatureSettings;
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

/** From the worker. Every 'batch' and 'parts' is answered by one 'taken'. */
export type WorkerMessage =
  | { type: 'batch'; batch: ReadBatch }
  | { type: 'parts'; parts: Part[] }
  | { type: 'similarity'; id: number; sentences: string[] };

/** To the worker. `values` is absent when similarity could not be had; cutting then goes on without it. */
export type EngineMessage = { type: 'taken' } | { type: 'similarity'; id: number; values?: number[] };

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

export type ExtractReply = FailedReply | { type: 'extracted' };

export type ViewReply = FailedReply | { type: 'view'; bytes: Uint8Array; contentType: string };
