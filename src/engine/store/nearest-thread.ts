/** The thread that keeps nearest-neighbour files: which call comes in, what goes back? */
import { getPriority, setPriority } from 'node:os';
import { workerData } from 'piscina';
import { nearest as limits } from '../config.ts';
import { type NearestOutcome, refreshNearest } from './build-nearest.ts';
import { openForReading } from './connection.ts';

/** Opens a connection for each look: the thread lives for seconds. Ending the thread ends the work. */
function createHandler(path: string): (isFirst: boolean) => Promise<NearestOutcome> {
  // Linux has a priority for each thread; elsewhere this would slow the whole process.
  if (process.platform === 'linux' && getPriority() < limits.niceness) setPriority(limits.niceness);
  return async (isFirst) => {
    const db = openForReading(path);
    try {
      return await refreshNearest(db, path, { isFirst });
    } finally {
      db.close();
    }
  };
}

/** What the pool calls by this name. */
export const refresh = createHandler((workerData as { path: string }).path);
