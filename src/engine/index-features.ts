/** What does the built-in embedder see in the chunks of a document that is being read? */
import { embeddingPath } from './embed/embedding-text.ts';
import { type JoinedFeatures, joinFeatures } from './embed/join-features.ts';
import { type FeatureSettings, openFeatureReader } from './embed/open-feature-reader.ts';
import type { FeatureReader } from './language/embedding-features.ts';
import type { Stemmer } from './language/stem.ts';
import { indexWords } from './language/words.ts';
import type { DocumentBatch } from './store/types.ts';

/** Keeps the reader of a worker from document to document: its vocabulary takes longer to load than a note to read. */
export class WorkerFeatures {
  readonly #stemmer: Stemmer;
  #key = '';
  #reader: Promise<FeatureReader | undefined> = Promise.resolve(undefined);

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer;
  }

  /** Undefined where none are wanted, and where the vocabulary can't be read: the document is then found by its words alone. */
  reader(settings: FeatureSettings | undefined): Promise<FeatureReader | undefined> {
    if (settings === undefined) return Promise.resolve(undefined);
    const key = JSON.stringify(settings);
    if (key !== this.#key) {
      this.#key = key;
      this.#reader = openFeatureReader(settings, this.#stemmer).catch(() => undefined);
    }
    return this.#reader;
  }
}

/** Features of each chunk as `embeddingText` would be read, from the words that the keyword index was given. */
export function chunkFeatures(
  reader: FeatureReader,
  title: string,
  chunks: DocumentBatch['chunks'],
): JoinedFeatures {
  let path = '';
  let pathWords = '';
  const features = chunks.map(({ chunk, terms }) => {
    const own = embeddingPath({ title, headings: chunk.headings });
    if (own !== path) [path, pathWords] = [own, indexWords(own)];
    return reader.ofWords(pathWords === '' ? terms.words : `${pathWords} ${terms.words}`);
  });
  return joinFeatures(features);
}
