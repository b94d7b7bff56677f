/** How do the features of many texts travel together? (pure) */
import type { TextFeatures } from '../document.ts';

/** Features of several texts, one text after the other: three buffers that are handed over, however many texts there are. */
export interface JoinedFeatures {
  /** Features of each text. */
  lengths: Uint32Array;
  rows: Uint32Array;
  weights: Float32Array;
}

export function joinFeatures(texts: TextFeatures[]): JoinedFeatures {
  const lengths = Uint32Array.from(texts, ({ rows }) => rows.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const joined = { lengths, rows: new Uint32Array(total), weights: new Float32Array(total) };
  let at = 0;
  for (const { rows, weights } of texts) {
    joined.rows.set(rows, at);
    joined.weights.set(weights, at);
    at += rows.length;
  }
  return joined;
}

/** The features of all these, in order. */
export function concatFeatures(parts: JoinedFeatures[]): JoinedFeatures {
  const only = parts[0];
  if (only && parts.length === 1) return only;
  const count = parts.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const total = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const joined = {
    lengths: new Uint32Array(count),
    rows: new Uint32Array(total),
    weights: new Float32Array(total),
  };
  let texts = 0;
  let at = 0;
  for (const { lengths, rows, weights } of parts) {
    joined.lengths.set(lengths, texts);
    joined.rows.set(rows, at);
    joined.weights.set(weights, at);
    texts += lengths.length;
    at += rows.length;
  }
  return joined;
}

/** Pieces of at most so many texts, in order; the features themselves where they are no more. */
export function* cutFeatures(joined: JoinedFeatures, maxTexts: number): Generator<JoinedFeatures> {
  const { lengths, rows, weights } = joined;
  if (lengths.length <= maxTexts) {
    yield joined;
    return;
  }
  let at = 0;
  for (let text = 0; text < lengths.length; text += maxTexts) {
    const some = lengths.slice(text, text + maxTexts);
    const end = at + some.reduce((sum, length) => sum + length, 0);
    yield { lengths: some, rows: rows.slice(at, end), weights: weights.slice(at, end) };
    at = end;
  }
}

/** The buffers that may be handed over. */
export function buffersOf({ lengths, rows, weights }: JoinedFeatures): ArrayBuffer[] {
  return [lengths, rows, weights].map((values) => values.buffer as ArrayBuffer);
}
