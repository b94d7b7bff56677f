/** How does work end that may never end by itself, such as matching a pattern that came with a file? */
import vm from 'node:vm';

/** Work took longer than it may. */
export class TimeLimitPassed extends Error {
  constructor(limitMs: number) {
    super(`it took more than ${limitMs / 1000} s`);
    this.name = 'TimeLimitPassed';
  }
}

const context: { work: (() => unknown) | undefined } = { work: undefined };
vm.createContext(context);
// Only the engine's own interrupt reaches into a pattern that backtracks: timers wait for it, and a thread would hold a second vocabulary.
const script = new vm.Script('work()');

/**
 * Runs synchronous work on this thread for so long at most; the watch costs about 0.1 ms.
 * @throws TimeLimitPassed, or whatever the work throws
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  const outer = context.work;
  context.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new TimeLimitPassed(limitMs);
    throw error;
  } finally {
    context.work = outer;
  }
}
