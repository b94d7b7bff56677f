/** Which models do tests run? Made on the spot in a temporary folder, and the one real tiny model of the test data. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { makeTinyEncoder, type TinyEncoderOptions } from '../../build/make-tiny-encoder.ts';
import type { EmbedderSpec, EncoderSpec } from '../../src/engine/embed/encoder-spec.ts';
import { testData } from '../test-data.ts';

/** A folder that is removed after the test; outside a test the caller removes it. */
export function temporaryFolder(removeAfterTest = true): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-models-'));
  if (removeAfterTest) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The real model of 260,000 parameters, where the test data is present. */
export const storiesModel = (): string | undefined => testData('models/stories260K.gguf');

export const noStories = 'the test data with models/stories260K.gguf is absent';

/** Makes an encoder and says how to run it. */
export function tinyEncoderSpec(options: TinyEncoderOptions = {}): EncoderSpec {
  const folder = temporaryFolder();
  makeTinyEncoder(folder, options);
  return {
    name: 'Tiny encoder',
    modelPath: path.join(folder, 'model.onnx'),
    tokenizerPath: path.join(folder, 'tokenizer.json'),
    maxTokens: options.maxTokens ?? 128,
    threads: 1,
    devices: { worked: 'CPU' },
    fingerprint: 'tiny:1',
  };
}

export function tinyEmbedderSpec(options: TinyEncoderOptions = {}): EmbedderSpec {
  return {
    ...tinyEncoderSpec(options),
    pooling: options.pooling ?? 'mean',
    queryPrefix: options.queryPrefix ?? '',
    passagePrefix: options.passagePrefix ?? '',
    dimensions: options.dimensions ?? options.width ?? 64,
    normalise: true,
  };
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let index = 0; index < a.length; index += 1) {
    dot += a[index]! * b[index]!;
    lengthA += a[index]! ** 2;
    lengthB += b[index]! ** 2;
  }
  return dot / Math.sqrt(lengthA * lengthB);
}
