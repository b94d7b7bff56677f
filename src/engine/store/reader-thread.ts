/** One of the threads that read a library: which calls come in, which outcomes go back? */
import { workerData } from 'piscina';
import { openForReading } from './connection.ts';
import { readerMethods } from './reader-methods.ts';
import { type Call, carryOut, type Outcome, type Synchronous } from './thread-calls.ts';
import type { StoreReader } from './types.ts';

/** Opens its connection with its first call, so that a thread costs nothing until it is needed. */
function createHandler(path: string, nearestVersion: Int32Array): (call: Call<StoreReader>) => Outcome {
  let reader: Synchronous<StoreReader> | undefined;
  return (call) => {
    reader ??= readerMethods(openForReading(path), { path, nearestVersion });
    return carryOut<StoreReader>(reader, call, path);
  };
}

const { path, nearestVersion } = workerData as { path: string; nearestVersion: SharedArrayBuffer };
/** What the pool calls by this name. */
export const handle = createHandler(path, new Int32Array(nearestVersion));
