/** How does a call reach a thread and its outcome come back? */
import { AppError, type ErrorCode } from '../../api/errors.ts';
import { isDamage } from './connection.ts';

/** The same methods without promises: what a thread carries out. */
export type Synchronous<Api> = {
  [K in keyof Api]: Api[K] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};

/** One call, as it travels. */
export interface Call<Api> {
  method: keyof Api;
  args: unknown[];
}

/** An outcome, as it travels: structured cloning would strip an error of its code. */
export type Outcome = { value: unknown } | { code: ErrorCode; message: string };

/** Carries out one call. Expected failures become outcomes; defects are thrown and end the call as they are. */
export function carryOut<Api>(methods: Synchronous<Api>, call: Call<Api>, path: string): Outcome {
  const method = methods[call.method] as (...args: unknown[]) => unknown;
  try {
    return { value: method(...call.args) };
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    if (!isDamage(error)) throw error;
    return {
      code: 'LIBRARY_DAMAGED',
      message: `Reading the library failed: ${path} is damaged: start Lectern again, it will set the file aside and read your folders anew.`,
    };
  }
}

/** The value of an outcome, or its error thrown anew on this side. */
export function unwrap(outcome: Outcome): unknown {
  if ('code' in outcome) throw new AppError(outcome.code, outcome.message);
  return outcome.value;
}
