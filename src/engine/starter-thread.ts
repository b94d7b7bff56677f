/** The thread in which the built-in embedder runs: native code that reads no document, apart from parsing and from large models. */
import { move, workerData } from 'piscina';
import { AppError, type ErrorCode } from '../api/errors.ts';
import { FeaturesEmbedder, type FeaturesSpec } from './embed/features-embedder.ts';
import type { JoinedFeatures } from './embed/join-features.ts';

/** An outcome, as it travels: structured cloning would strip an error of its code. */
export type StarterReply = ArrayBuffer | { code: ErrorCode; message: string };

/** One model per thread: opened by the first call, held until the last. */
let opening: Promise<FeaturesEmbedder> | undefined;

function opened(): Promise<FeaturesEmbedder> {
  opening ??= FeaturesEmbedder.open(workerData as FeaturesSpec);
  return opening;
}

/** Vectors of these texts; of none, to open the model. */
export function embed(texts: string[]): Promise<StarterReply> {
  return reply((embedder) => embedder.embed(texts));
}

export function embedFeatures(features: JoinedFeatures): Promise<StarterReply> {
  return reply((embedder) => embedder.embedFeatures(features));
}

/** Last call. */
export async function close(): Promise<void> {
  await (await opening?.catch(() => undefined))?.close();
}

async function reply(work: (embedder: FeaturesEmbedder) => Promise<Float32Array>): Promise<StarterReply> {
  try {
    const vectors = await work(await opened());
    return move(vectors.buffer as ArrayBuffer) as ArrayBuffer;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
}
