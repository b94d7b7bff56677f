/** How does a producer work on while its reader is busy? */

/** The items of a generator in order, up to `depth` of them asked for beforehand. Leaving early ends the generator. */
export async function* readAhead<T>(items: AsyncGenerator<T>, depth: number): AsyncGenerator<T> {
  const asked: Promise<IteratorResult<T>>[] = [];
  try {
    for (;;) {
      while (asked.length < depth) {
        const next = items.next();
        // It is awaited in its turn; until then its failure belongs to nobody.
        next.catch(() => undefined);
        asked.push(next);
      }
      const { done, value } = await asked.shift()!;
      if (done) return;
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}
