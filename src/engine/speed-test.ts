/** How fast is a model on this machine? Measured on made-up text, so that no document is read. */
import { speedTest as limits } from './config.ts';
import type { Embedder, Generator, Reranker } from './document.ts';

/** Common words of both languages; which ones hardly matters to a model's speed. */
const words = (
  'the agreement ends on day of month and party shall pay rent for office within thirty days after invoice was sent by mail ' +
  'договор действует до конца года и стороны обязаны платить аренду за помещение в течение тридцати дней после счёта'
).split(' ');

/** Passages of about `passageWords` words, each another one. */
export function testPassages(count: number): string[] {
  return Array.from({ length: count }, (_, passage) =>
    Array.from(
      { length: limits.passageWords },
      (_, index) => words[(passage * 7 + index * (1 + (passage % 5))) % words.length],
    ).join(' '),
  );
}

/** Repeats batches until enough time has passed; the first one warms up and does not count. */
async function passagesPerSecond(
  run: (passages: string[]) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const passages = testPassages(limits.batchPassages);
  const warmUpStart = performance.now();
  await run(passages);
  let [start, count] = [performance.now(), 0];
  if (start - warmUpStart > limits.mostMs) return (passages.length * 1000) / (start - warmUpStart);
  while (performance.now() - start < limits.leastMs) {
    signal?.throwIfAborted();
    await run(passages);
    count += passages.length;
  }
  return (count * 1000) / (performance.now() - start);
}

export function measureEmbedder(embedder: Embedder, signal?: AbortSignal): Promise<number> {
  return passagesPerSecond((passages) => embedder.embed(passages, 'passage', signal), signal);
}

export function measureReranker(reranker: Reranker, signal?: AbortSignal): Promise<number> {
  const question = 'When does the agreement end?';
  return passagesPerSecond((passages) => reranker.score(question, passages, signal), signal);
}

/** Speed while it writes; reading the question counts into the time to the first word. */
export async function measureGenerator(
  generator: Generator,
  signal?: AbortSignal,
): Promise<{ wordsPerSecond: number; firstWordMs: number }> {
  const start = performance.now();
  let firstAt: number | undefined;
  let text = '';
  const options = { maxTokens: limits.writtenTokens, temperature: 0, ...(signal ? { signal } : {}) };
  const question = 'Describe in a few sentences what a rental agreement is.';
  for await (const piece of generator.generate([{ role: 'user', content: question }], options)) {
    firstAt ??= performance.now();
    text += piece;
    if (performance.now() - start > limits.mostMs) break;
  }
  const end = performance.now();
  const count = text.split(/\s+/u).filter((word) => word !== '').length;
  const firstWordMs = (firstAt ?? end) - start;
  const seconds = Math.max(end - start - firstWordMs, 1) / 1000;
  return { wordsPerSecond: count / seconds, firstWordMs };
}
