/** How do many small pieces of text become few events? */

/**
 * Joins the pieces that come within `batchMs` of the first one waiting, and hands them on together: a page can't
 * draw a hundred times a second, and a stream over a port has no back-pressure. Ends and throws as the source does,
 * after handing on what had come.
 */
export async function* batchText(source: AsyncIterable<string>, batchMs: number): AsyncGenerator<string> {
  const iterator = source[Symbol.asyncIterator]();
  let next = settle(iterator.next());
  let waiting = '';
  let dueAt = 0;
  try {
    for (;;) {
      const result =
        waiting === '' ? await next : await Promise.race([next, elapse(dueAt - performance.now())]);
      if (result === undefined) {
        yield waiting;
        waiting = '';
        continue;
      }
      if ('error' in result || result.done) {
        if (waiting !== '') yield waiting;
        if ('error' in result) throw result.error;
        return;
      }
      if (waiting === '') dueAt = performance.now() + batchMs;
      waiting += result.value;
      next = settle(iterator.next());
    }
  } finally {
    // Whoever stops reading stops the work.
    await iterator.return?.();
  }
}

type Settled = IteratorResult<string, unknown> | { error: unknown; done?: never };

/** A rejection as a value, so that a race left early leaves no unhandled one behind. */
function settle(next: Promise<IteratorResult<string, unknown>>): Promise<Settled> {
  return next.then(
    (result) => result,
    (error: unknown) => ({ error }),
  );
}

function elapse(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), Math.max(0, ms)));
}
