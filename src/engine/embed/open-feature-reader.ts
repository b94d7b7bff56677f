/** How does a thread come by the reader of features? */
import { readFile } from 'node:fs/promises';
import { createFeatureReader, type FeatureReader, readVocabulary } from '../language/embedding-features.ts';
import type { Stemmer } from '../language/stem.ts';

/** How the built-in embedder reads a text; see FeatureTable. */
export interface FeatureSettings {
  /** Absolute. */
  vocabularyPath: string;
  hashedRows: number;
  commonRows: number;
  /** Words of a text that are read. */
  maxWords: number;
}

/** Reads features as the settings say. Throws what the file system throws. */
export async function openFeatureReader(
  settings: FeatureSettings,
  stemmer?: Stemmer,
): Promise<FeatureReader> {
  const { vocabularyPath, ...numbers } = settings;
  const vocabulary = readVocabulary(await readFile(vocabularyPath, 'utf8'));
  return createFeatureReader({ ...numbers, vocabulary }, stemmer);
}
