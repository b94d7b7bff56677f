/** Which files start the engine's threads and its model process? */
import { fileURLToPath } from 'node:url';

/** Absolute paths; a bundle passes its own. */
export interface Entries {
  indexWorker: string;
  writerThread: string;
  readerThread: string;
  modelProcess: string;
}

const beside = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Entries of the source tree, run as TypeScript by Node. */
export const sourceEntries: Entries = {
  indexWorker: beside('./index-worker.ts'),
  writerThread: beside('./store/writer-thread.ts'),
  readerThread: beside('./store/reader-thread.ts'),
  modelProcess: beside('./model-process.ts'),
};
