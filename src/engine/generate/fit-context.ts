/** How long may a language model's context be in the memory that is free? Apart from llama.ts, whose native code belongs into another process. */
import { AppError } from '../../api/errors.ts';
import { models } from '../config.ts';

/** Memory that a model file will take, in bytes, as models/memory.ts works it out of the file's header. */
export interface MemoryEstimate {
  weightBytes: number;
  /** Program and buffers, whatever the length of the context. */
  baseBytes: number;
  /** Of one token of context. */
  bytesPerToken: number;
  /** Tokens of the longest context that it was trained on. */
  trainContextTokens?: number;
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e8 ? 3 : 1)} GB`;

/**
 * Largest context, halved from what is wanted, that fits beside the weights.
 * @throws AppError MODEL_TOO_LARGE with the numbers when not even the smallest fits
 */
export function fitContext(
  name: string,
  memory: MemoryEstimate,
  wantedTokens: number,
  freeBytes: number,
): number {
  const wanted = Math.min(wantedTokens, memory.trainContextTokens ?? wantedTokens);
  const least = Math.min(wanted, models.minContextTokens);
  const fixedBytes = memory.weightBytes + memory.baseBytes;
  let tokens = wanted;
  while (tokens > least && fixedBytes + tokens * memory.bytesPerToken > freeBytes) {
    tokens = Math.max(least, Math.floor(tokens / 2));
  }
  const contextBytes = tokens * memory.bytesPerToken;
  if (fixedBytes + contextBytes <= freeBytes) return tokens;
  throw new AppError(
    'MODEL_TOO_LARGE',
    `Model does not fit into memory: ${name}: it needs ${gigabytes(fixedBytes)} and ${gigabytes(contextBytes)} for ${least} tokens, ` +
      `${gigabytes(freeBytes)} are free: close other programs or choose a smaller model.`,
  );
}

/** @throws AppError MODEL_TOO_LARGE with the numbers when a model that takes so much does not fit */
export function checkMemory(name: string, neededBytes: number, freeBytes: number): void {
  if (neededBytes <= freeBytes) return;
  throw new AppError(
    'MODEL_TOO_LARGE',
    `Model does not fit into memory: ${name}: it needs ${gigabytes(neededBytes)}, ${gigabytes(freeBytes)} are free: close other programs or choose a smaller model.`,
  );
}
