/** Which name stands for everything that decides a model's results? */
import { createHash } from 'node:crypto';
import type { EmbedderManifest, RerankerManifest } from './manifest.ts';

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** Vectors of one name may be compared. Names that files only bear, such as their licence, do not count. */
export function embedderFingerprint(manifest: EmbedderManifest): string {
  const { pooling, queryPrefix, passagePrefix, dimensions, maxTokens, normalise, output } = manifest;
  const files = manifest.files.map((file) => [file.path, file.sha256]).sort();
  const decides = [
    files,
    pooling,
    queryPrefix,
    passagePrefix,
    dimensions,
    maxTokens,
    normalise,
    output ?? '',
  ];
  return `${manifest.id}:${hash(decides)}`;
}

export function rerankerFingerprint(manifest: RerankerManifest): string {
  const files = manifest.files.map((file) => [file.path, file.sha256]).sort();
  return `${manifest.id}:${hash([files, manifest.maxTokens, manifest.output ?? ''])}`;
}
