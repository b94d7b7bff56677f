/** What must a model's process be told to run it? Taken from its manifest, once its files are known to be the right ones. */
import type { EmbedderSpec, EncoderSpec } from './embed/encoder-spec.ts';
import type { Ready } from './installed-models.ts';
import { checkModel, checkReferences, confinedFile, hashFile } from './models/check-model.ts';
import { embedderFingerprint, rerankerFingerprint } from './models/fingerprint.ts';
import type { FeaturesManifest, RerankerManifest, TransformerManifest } from './models/manifest.ts';

/** What must be known of the built-in embedder to run it. */
export interface StarterSpec {
  /** Shown in messages. */
  name: string;
  /** Absolute path of the ONNX file and of its vocabulary. */
  modelPath: string;
  vocabularyPath: string;
  hashedRows: number;
  commonRows: number;
  /** Words of a text that are read. */
  maxWords: number;
  dimensions: number;
  fingerprint: string;
}

type EncoderManifest = FeaturesManifest | TransformerManifest | RerankerManifest;

/** Checks an encoder whole before its first use; where its manifest has no hashes, they are taken now. */
async function withHashes<M extends EncoderManifest>({ folder, manifest, hasPromise }: Ready<M>): Promise<M> {
  if (hasPromise) {
    await checkModel(folder, manifest);
    return manifest;
  }
  await checkReferences(folder, manifest);
  const files = [];
  for (const file of manifest.files) {
    files.push({ ...file, sha256: await hashFile(confinedFile(folder, file.path, manifest.name)) });
  }
  return { ...manifest, files };
}

/** @throws AppError MODEL_INVALID when a file is not as promised; so do the others here */
export async function starterSpec(model: Ready<FeaturesManifest>): Promise<StarterSpec> {
  const manifest = await withHashes(model);
  const { name, dimensions, hashedRows, commonRows, maxWords } = manifest;
  return {
    ...{ name, dimensions, hashedRows, commonRows, maxWords },
    modelPath: confinedFile(model.folder, manifest.model, name),
    vocabularyPath: confinedFile(model.folder, manifest.vocabulary, name),
    fingerprint: embedderFingerprint(manifest),
  };
}

export async function embedderSpec(
  model: Ready<TransformerManifest>,
  threads: number,
): Promise<EmbedderSpec> {
  const manifest = await withHashes(model);
  const { pooling, queryPrefix, passagePrefix, dimensions, normalise } = manifest;
  return {
    ...encoderSpec(model, threads, embedderFingerprint(manifest)),
    ...{ pooling, queryPrefix, passagePrefix, dimensions, normalise },
  };
}

export async function rerankerSpec(model: Ready<RerankerManifest>, threads: number): Promise<EncoderSpec> {
  return encoderSpec(model, threads, rerankerFingerprint(await withHashes(model)));
}

function encoderSpec(
  { folder, manifest }: Ready<TransformerManifest | RerankerManifest>,
  threads: number,
  fingerprint: string,
): EncoderSpec {
  const { name, tokenizerConfig, maxTokens, inputs, output, padding } = manifest;
  const file = (relative: string) => confinedFile(folder, relative, name);
  return {
    name,
    modelPath: file(manifest.model),
    tokenizerPath: file(manifest.tokenizer),
    tokenizerConfigPath: tokenizerConfig === undefined ? undefined : file(tokenizerConfig),
    ...{ maxTokens, inputs, output, padding, fingerprint },
    threads: Math.min(manifest.threads ?? threads, threads),
  };
}
