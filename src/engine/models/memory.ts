/** How much memory will a model take? Worked out from its header before anything is loaded. */
import { modelMemory as factors } from '../config.ts';
import type { CatalogueEntry } from './catalogue.ts';
import type { GgufHeader } from './gguf-header.ts';

/** What a language model takes, in bytes; with `contextTokens` it gives the whole. */
export interface WriterMemory {
  /** Weights, wherever they go. */
  weightBytes: number;
  /** Program, vocabulary and buffers, whatever the length of the context. */
  baseBytes: number;
  /** Keys and values of one token of context. */
  bytesPerToken: number;
  /** Tokens of the longest context that it was trained on; absent: the file does not say. */
  trainContextTokens?: number;
}

interface WriterShape {
  weightBytes: number;
  vocabulary: number;
  /** Numbers of one layer's token: the model's width. */
  width: number;
  /** Keys and values of one token, of all layers. */
  numbersPerToken: number;
}

function writerMemory(shape: WriterShape): WriterMemory {
  const scores = shape.vocabulary * factors.batchTokens * 4;
  const rows = shape.width * factors.batchRows * factors.batchTokens * 4;
  return {
    weightBytes: shape.weightBytes,
    baseBytes: factors.writerBaseBytes + shape.vocabulary * factors.vocabularyEntryBytes + scores + rows,
    bytesPerToken: shape.numbersPerToken * factors.contextNumberBytes,
  };
}

/**
 * Memory of a GGUF file by its header. What the header leaves out counts as the largest that is common, so that the estimate errs upwards.
 * @param weightBytes size of all its parts
 */
export function ggufMemory(header: GgufHeader, weightBytes: number): WriterMemory {
  const { vocabulary = 150_000, embeddingLength: width = 4096, contextTokens } = header;
  const { layers = 32, keyLength = 128, valueLength = keyLength } = header;
  const { keyValueHeads = layers * 8 } = header;
  const numbersPerToken = keyValueHeads * (keyLength + valueLength);
  const memory = writerMemory({ weightBytes, vocabulary, width, numbersPerToken });
  return { ...memory, ...(contextTokens === undefined ? {} : { trainContextTokens: contextTokens }) };
}

export function writerBytes(memory: WriterMemory, contextTokens: number): number {
  return memory.weightBytes + memory.baseBytes + memory.bytesPerToken * contextTokens;
}

/**
 * Memory of an ONNX encoder.
 * @param fileBytes of its graph and the data beside it
 * @param width numbers of one token in a layer
 */
export function encoderBytes(fileBytes: number, width: number = factors.unknownWidth): number {
  return Math.round(
    factors.encoderBaseBytes +
      fileBytes * factors.encoderWeightFactor +
      factors.encoderRunTokens * factors.encoderRunBytes * width,
  );
}

/** Memory of a model of the catalogue, as its facts promise. */
export function catalogueBytes(entry: CatalogueEntry): number {
  const weightBytes = (entry.parametersMillions * 1e6 * entry.bitsPerWeight) / 8;
  if (entry.kind !== 'generator') return encoderBytes(weightBytes, entry.width);
  const { vocabulary, layers, keyValueHeads, headLength } = entry;
  const memory = writerMemory({
    ...{ weightBytes, vocabulary },
    width: entry.width,
    numbersPerToken: layers * keyValueHeads * headLength * 2,
  });
  return Math.round(writerBytes(memory, Math.min(entry.contextTokens, factors.judgedContextTokens)));
}
