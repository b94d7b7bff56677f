/** Which name stands for everything that decides a model's results? */
import { createHash } from 'node:crypto';
import type { EmbedderManifest, FeaturesManifest, RerankerManifest } from './manifest.ts';

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

const filesOf = (manifest: EmbedderManifest | RerankerManifest): string[][] =>
  manifest.files.map((file) => [file.path, file.sha256]).sort();

/** Vectors of one name may be compared. Names that files only bear, such as their licence, do not count. */
export function embedderFingerprint(manifest: EmbedderManifest): string {
  if (manifest.encoder === 'features') return featuresFingerprint(manifest);
  const { pooling, queryPrefix, passagePrefix, dimensions, maxTokens, normalise, output } = manifest;
  const decides = [
    filesOf(manifest),
    pooling,
    queryPrefix,
    passagePrefix,
    dimensions,
    maxTokens,
    normalise,
    output ?? '',
    ...(manifest.padding === 'left' ? ['left'] : []),
  ];
  return `${manifest.id}:${hash(decides)}`;
}

function featuresFingerprint(manifest: FeaturesManifest): string {
  const { dimensions, hashedRows, commonRows, maxWords } = manifest;
  return `${manifest.id}:${hash([filesOf(manifest), dimensions, hashedRows, commonRows, maxWords])}`;
}

export function rerankerFingerprint(manifest: RerankerManifest): string {
  return `${manifest.id}:${hash([filesOf(manifest), manifest.maxTokens, manifest.output ?? ''])}`;
}
