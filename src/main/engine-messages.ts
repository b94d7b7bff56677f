/** What do the desktop's main process and its engine process say to each other? */
import type { ErrorCode } from '../api/errors.ts';
import type { DocumentPart, OpenedDocument } from '../engine/open-document.ts';

/** First message: where everything stands. */
export interface EngineStart {
  type: 'start';
  libraryPath: string;
  modelFolders: string[];
  samplePath: string;
  /** File of the models that can be had; without it none can. */
  cataloguePath?: string;
  /** Folder of the languages that words in pictures are recognised in. */
  languagesPath: string;
  version: string;
}

export type EngineRequest =
  | { type: 'port' } // with one message port for a page
  | { type: 'open'; request: number; id: number; part: DocumentPart }
  | { type: 'close' };

export type EngineReply =
  | { request: number; opened: OpenedDocument }
  | { request: number; opened?: undefined; code: ErrorCode; message: string };
