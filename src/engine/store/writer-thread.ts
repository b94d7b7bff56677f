/** The one thread that writes a library: which calls come in, which outcomes go back? */
import { workerData } from 'piscina';
import { AppError } from '../../api/errors.ts';
import { type OpenedLibrary, openForWriting } from './connection.ts';
import { type Call, carryOut, type Outcome, type Synchronous } from './thread-calls.ts';
import type { StoreWriter } from './types.ts';
import { writerMethods } from './writer-methods.ts';

/** The writer's own life besides StoreWriter. */
export interface WriterLife {
  /** First call; answers where a damaged library was moved to, if one was. */
  open(): Promise<{ setAside: string | undefined }>;
  /** Last call: empties the journal and lets another process in. */
  close(): Promise<void>;
}

export type WriterCalls = StoreWriter & WriterLife;

/** One library per thread: opened by the first call, held until the last. */
function createHandler(path: string): (call: Call<WriterCalls>) => Outcome {
  let opened: OpenedLibrary | undefined;
  let writer: Synchronous<StoreWriter> | undefined;
  const life: Synchronous<WriterLife> = {
    open() {
      opened = openForWriting(path);
      writer = writerMethods(opened.db);
      return { setAside: opened.setAside };
    },
    close() {
      opened?.db.close();
      opened?.lock.close();
      opened = undefined;
      writer = undefined;
    },
  };
  return (call) => {
    if (call.method === 'open' || call.method === 'close') {
      return carryOut<WriterLife>(life, { method: call.method, args: call.args }, path);
    }
    if (writer === undefined)
      throw new AppError('INTERNAL', `Writing failed: ${path} is not open: this is a defect.`);
    return carryOut<StoreWriter>(writer, { method: call.method, args: call.args }, path);
  };
}

/** What the pool calls by this name. */
export const handle = createHandler((workerData as { path: string }).path);
