/** Which files start the engine's threads and its model process? */
import { fileURLToPath } from 'node:url';

/** Absolute paths; a bundle passes its own. */
export interface Entries {
  indexWorker: string;
  writerThread: string;
  readerThread: string;
  nearestThread: string;
  modelProcess: string;
  starterThread: string;
}

const beside = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Entries of the source tree, run as TypeScript by Node. */
export const sourceEntries: Entries = {
  indexWorker: beside('./index-worker.ts'),
  writerThread: beside('./store/writer-thread.ts'),
  readerThread: beside('./store/reader-thread.ts'),
  nearestThread: beside('./store/nearest-thread.ts'),
  modelProcess: beside('./model-process.ts'),
  starterThread: beside('./starter-thread.ts'),
};
